// Two suites: in a real Chromium, where Svelte's scheduling and hydration are what is tested, and
// in Node, where components are compiled for a server and Svelte's own server build runs them.

import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig, mergeConfig } from "vitest/config";
import { launchOptions } from "../../tools/browser.mjs";
import { isLong } from "../../tools/runs.ts";
import { shared } from "../../vitest.shared.ts";

const inPage = (name: string, conditions: readonly string[] = [], exclude: readonly string[] = []) =>
  mergeConfig(
    shared,
    defineConfig({
      plugins: [svelte()],
      resolve: { conditions: [...conditions, "module", "browser", "development|production"] },
      // Found while a suite runs, a dependency would reload the page in the middle of it.
      optimizeDeps: {
        include: [
          "zod",
          "zustand/middleware",
          "zustand/vanilla",
          ...["@ag-ui/core", "@ag-ui/core/schemas", "eventsource-parser"].map((name) => `@opstate/ag-ui > ${name}`),
        ],
      },
      test: {
        name,
        exclude: ["test/server/**", ...exclude],
        // One page for all files, so that modules are loaded once.
        isolate: false,
        setupFiles: ["test/support/clean-page.ts"],
        browser: {
          enabled: true,
          headless: true,
          provider: playwright({ launchOptions: launchOptions() }),
          instances: [{ browser: "chromium" }],
          screenshotFailures: false,
        },
      },
    }),
  );

const server = mergeConfig(
  shared,
  defineConfig({
    plugins: [svelte()],
    test: { name: "server", environment: "node" },
  }),
);

const page = inPage("page");

/**
 * With `@opstate/core` as a page's bundle has it: the contract, in the long form all. There threads
 * of this process connect at once, as the suites expect; a page's bundle loads them later.
 */
const onPageBuild = mergeConfig(
  inPage("page build", ["opstate-page"], isLong() ? [] : ["test/**/!(binding-contract).test.ts"]),
  defineConfig({
    resolve: {
      alias: isLong()
        ? [
            {
              find: "@opstate/client/threads",
              replacement: fileURLToPath(new URL("../client/src/threads.ts", import.meta.url)),
            },
          ]
        : [],
    },
  }),
);

export default defineConfig({
  test: {
    projects: [page, onPageBuild, { ...server, test: { ...server.test, include: ["test/server/**/*.test.ts"] } }],
  },
});
