import { defineConfig } from "vitest/config";

// An install and a production build take their time. One framework at a time: a build uses all
// cores.
export default defineConfig({
  test: {
    include: ["*/*.test.ts"],
    globalSetup: ["harness/packages.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
});
