// Properties draw the same cases in every run of `test` and `test:long`: a change is judged by what
// it did. Soaks draw new ones.

import fc from "fast-check";
import { fixedSeed } from "./runs.ts";

const seed = fixedSeed();
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
