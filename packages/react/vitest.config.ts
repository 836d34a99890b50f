// The suites run in a real Chromium: React's scheduling, effects and hydration are what they test.
// They run twice: as they are written, and through the React compiler, which memoises the hooks and
// the components of the tests alike.

import { fileURLToPath } from "node:url";
import babel from "@rolldown/plugin-babel";
import { reactCompilerPreset } from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig, mergeConfig } from "vitest/config";
import { launchOptions } from "../../tools/browser.mjs";
import { isLong } from "../../tools/runs.ts";
import { shared } from "../../vitest.shared.ts";

// `test:long` runs them a third time, on the lowest React of the peer range.
const lowest = process.env["OPSTATE_REACT"] === "lowest";
const onLowest = [
  { find: /^react(?=$|\/)/, replacement: "react-lowest" },
  { find: /^react-dom(?=$|\/)/, replacement: "react-dom-lowest" },
];

const threadsAtOnce = fileURLToPath(new URL("../client/src/threads.ts", import.meta.url));

export default mergeConfig(
  shared,
  defineConfig({
    cacheDir: lowest ? "node_modules/.vite-lowest" : "node_modules/.vite",
    resolve: { conditions: ["module", "browser", "development|production"], alias: lowest ? onLowest : [] },
    // Found while a suite runs, a dependency would reload the page in the middle of it.
    optimizeDeps: {
      include: [
        "react",
        "react-dom",
        "react-dom/client",
        "react-dom/server",
        "react/compiler-runtime",
        "react/jsx-dev-runtime",
        "zod",
        "zustand",
        "zustand/react",
        "zustand/react/shallow",
        "zustand/shallow",
        "zustand/vanilla",
        "@opstate/ag-ui > @ag-ui/core",
        "@opstate/ag-ui > @ag-ui/core/schemas",
        "@opstate/ag-ui > eventsource-parser",
      ],
    },
    test: {
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
      projects: [
        { extends: true, test: { name: "react", env: lowest ? { OPSTATE_REACT: "lowest" } : {} } },
        {
          extends: true,
          // This package alone: the rest of the workspace, which comes as sources too, has no
          // components.
          plugins: [babel({ include: /\/packages\/react\/(?:src|test)\//, presets: [reactCompilerPreset()] })],
          test: { name: "react, compiled", env: { REACT_COMPILER: "on" } },
        },
        {
          extends: true,
          // With `@opstate/core` as a page has it: the contract, in the long form all. There the
          // threads of this process connect at once, as the suites expect; a page loads them later.
          resolve: {
            conditions: ["opstate-page"],
            alias: isLong() ? [{ find: "@opstate/client/threads", replacement: threadsAtOnce }] : [],
          },
          test: {
            name: "react, page build",
            exclude: isLong() ? [] : ["test/**/!(binding-contract).test.{ts,tsx}"],
          },
        },
      ],
    },
  }),
);
