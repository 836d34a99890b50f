// The end-to-end tests of the apps, in one run and in two depths. Real browser, real servers, real
// SQLite files.
//
// - Short (the default): every test on the board's page in React, but for those tagged `@long`; on
//   the page in Svelte the ones tagged `@smoke`. `same-page.spec.ts` runs with the project "react"
//   and compares both pages, element by element and pixel by pixel.
// - Long (`OPSTATE_DEPTH=long`): every test on the page in Svelte, and elsewhere what is tagged
//   `@long`.
//
// The project "edge" has the board as a Worker in workerd. Its long form is every test on the page
// in React but for those in `e2e/edge/left-out.ts`; its short form is `e2e/edge` itself.

import { join } from "node:path";
import { defineConfig } from "playwright/test";
import { LEFT_OUT_FILES, LEFT_OUT_TITLES } from "./apps/kanban-page/e2e/edge/left-out.ts";
import type { Options, WorkerOptions } from "./apps/kanban-page/e2e/support/server.ts";
import { launchOptions } from "./tools/browser.mjs";
import { RETRIES } from "./tools/flaky.ts";

process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const isLong = process.env["OPSTATE_DEPTH"] === "long";
const depth = isLong ? { grep: /@long/ } : { grepInvert: /@long/ };

const board = { testDir: "./apps/kanban-page/e2e", timeout: 240_000 } as const;
const onNode = { ...board, testIgnore: "**/e2e/edge/**" } as const;
const boardViewport = { width: 1920, height: 1000 };
const viewport = { width: 1440, height: 900 };

export default defineConfig<Options, WorkerOptions>({
  outputDir: "./test-results",
  globalSetup: "./tools/compile-cache.ts",
  workers: 2,
  // Tests of one file run beside each other, so that no worker waits at the end for the other's.
  fullyParallel: true,
  retries: RETRIES,
  // What is waited for comes late on a busy machine.
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  // No traces, which record each step of all that passes: `playwright test --trace on` makes them.
  use: { launchOptions: launchOptions() },
  projects: [
    { ...onNode, ...depth, name: "react", use: { app: "react", viewport: boardViewport } },
    {
      ...onNode,
      grep: isLong ? /.*/ : /@smoke/,
      name: "svelte",
      use: { app: "svelte", viewport: boardViewport },
    },
    {
      ...board,
      ...(isLong
        ? { testIgnore: [...LEFT_OUT_FILES], grepInvert: [...LEFT_OUT_TITLES] }
        : { testMatch: "**/e2e/edge/*.spec.ts" }),
      name: "edge",
      use: { app: "react", host: "edge", viewport: boardViewport },
    },
    {
      ...depth,
      name: "debate",
      testDir: "./apps/debate/e2e",
      timeout: 240_000,
      use: { viewport },
    },
    // Its tests share one demo for each worker.
    { ...depth, name: "demo", testDir: "./apps/demo/e2e", timeout: 240_000, use: { viewport } },
  ],
});
