// The files of a suite share one page: each begins with nothing rendered by the file before it.

import { beforeEach } from "vitest";
import { cleanup } from "vitest-browser-svelte";

beforeEach(() => cleanup());
