import { defineConfig, mergeConfig } from "vitest/config";
import { shared } from "../vitest.shared.ts";

// A guide's test starts servers, a bundler, a browser and a compiler: on a busy machine of two
// cores each takes its time.
export default mergeConfig(
  shared,
  defineConfig({ test: { exclude: ["test/.examples/**"], testTimeout: 240_000, hookTimeout: 240_000, maxWorkers: 2 } }),
);
