import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { testExamples } from "../../../tools/examples.ts";

// The first example loads langchain, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
testExamples(fileURLToPath(new URL("../", import.meta.url)));
