// The board's end-to-end tests, in two depths.
//
// - Short (the default): every test on the page in React; on the page in Svelte the tests tagged
//   `@smoke`. `same-page.spec.ts` runs with the project "react" and compares both pages, element by
//   element and pixel by pixel.
// - Long (`OPSTATE_DEPTH=long`): every test on the page in Svelte too. `test:long` runs that
//   project alone.
//
// Real browser, real server, real SQLite file: each test starts its own server (`e2e/server.ts`).

import { defineConfig } from "playwright/test";
import { launchOptions } from "../../tools/browser.mjs";
import type { Options } from "./e2e/server.ts";

const isLong = process.env["OPSTATE_DEPTH"] === "long";

export default defineConfig<Options>({
  testDir: "./e2e",
  outputDir: "../../test-results",
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: { launchOptions: launchOptions(), viewport: { width: 1920, height: 1000 }, trace: "retain-on-failure" },
  projects: [
    { name: "react", use: { app: "react" } },
    { name: "svelte", use: { app: "svelte" }, grep: isLong ? /.*/ : /@smoke/ },
  ],
});
