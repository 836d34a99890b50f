import { defineConfig, mergeConfig } from "vitest/config";
import { isLong } from "../tools/runs.ts";
import { shared } from "../vitest.shared.ts";

// What starts bundlers and browsers once more, beside `board-in-react.test.ts`.
const LONG = ["doors", "presence", "board-in-svelte", "test-and-story", "any-ag-ui-agent"];

// A guide's test starts servers, a bundler, a browser and a compiler: on a busy machine of two
// cores each takes its time.
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      exclude: ["test/.examples/**", ...(isLong() ? [] : LONG.map((name) => `test/**/${name}.test.ts`))],
      // A guide's code takes a process for its own: its signals, its globals.
      isolate: true,
      testTimeout: 240_000,
      hookTimeout: 240_000,
      maxWorkers: 2,
    },
  }),
);
