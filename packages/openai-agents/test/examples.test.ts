import { fileURLToPath } from "node:url";
import { testExamples } from "../../../tools/examples.ts";

testExamples(fileURLToPath(new URL("../", import.meta.url)));
