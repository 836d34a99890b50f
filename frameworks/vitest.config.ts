import { defineConfig } from "vitest/config";

// npm runs in this workspace's Node, which knows the machine's own certificates only when told to.
process.env["NODE_USE_SYSTEM_CA"] ??= "1";

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
