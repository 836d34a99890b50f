import { defineConfig } from "playwright/test";
import { launchOptions } from "../../tools/browser.mjs";

/**
 * Real browser, real server, real SQLite file: each test starts its own server (`e2e/server.ts`).
 */
export default defineConfig({
  testDir: "./e2e",
  outputDir: "./test-results",
  fullyParallel: true,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: { launchOptions: launchOptions(), viewport: { width: 1440, height: 900 }, trace: "retain-on-failure" },
});
