import { defineConfig } from "playwright/test";
import { launchOptions } from "../../tools/browser.mjs";
import type { Options } from "./e2e/server.ts";

/**
 * Real browser, real server, real SQLite file: each test starts its own server (`e2e/server.ts`),
 * and runs on both pages.
 */
export default defineConfig<Options>({
  testDir: "./e2e",
  outputDir: "../../test-results",
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: { launchOptions: launchOptions(), viewport: { width: 1920, height: 1000 }, trace: "retain-on-failure" },
  projects: [
    { name: "react", use: { app: "react" } },
    { name: "svelte", use: { app: "svelte" } },
  ],
});
