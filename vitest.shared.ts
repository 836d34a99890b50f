import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";
import { RETRIES } from "./tools/flaky.ts";
import { isLong } from "./tools/runs.ts";
import { sqliteWorker } from "./tools/sqlite-worker.ts";

// A third of what a short process does is compiling. What the first one compiled, the others read.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("./node_modules/.cache/compiled", import.meta.url));

/**
 * Tests import packages by name and get their sources: no build is needed to run one suite. What
 * `*.test-d.ts` says is checked by `types`, the compiler over sources and tests.
 */
export const shared: ViteUserConfig = {
  ...resolving(["@opstate/source"]),
  plugins: [sqliteWorker()],
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    setupFiles: [inTools("waits.ts")],
    reporters: ["default", inTools("flaky.ts")],
    retry: RETRIES,
    // Modules are evaluated once, and not for each file: a quarter of the time of many suites.
    // Where files replace modules or globals, the package says `isolate: true`.
    isolate: false,
    // For a test that hangs; none says how fast anything is. A property on a busy machine of two
    // cores takes its time.
    testTimeout: isLong() ? 3_600_000 : 180_000,
    hookTimeout: 180_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 60_000 } },
  },
};

/** The same, for a package with properties, whose suites run in Node. */
export const withProperties: ViteUserConfig = {
  ...shared,
  test: { ...shared.test, setupFiles: [inTools("waits.ts"), inTools("fixed-seed.ts")] },
};

/** The same, with `@opstate/core` as a page's bundle has it. */
export function onPageBuild(config: ViteUserConfig): ViteUserConfig {
  const conditions = ["opstate-page", "@opstate/source"];
  return { ...config, ...resolving(conditions) };
}

function resolving(conditions: readonly string[]): Pick<ViteUserConfig, "resolve" | "ssr"> {
  return {
    resolve: { conditions: [...conditions] },
    ssr: { resolve: { conditions: [...conditions, "node", "module", "default"] } },
  };
}

function inTools(file: string): string {
  return fileURLToPath(new URL(`./tools/${file}`, import.meta.url));
}
