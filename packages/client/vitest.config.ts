// Suites run in Node, and those of `*.browser.test.ts` in a real Chromium: what tabs share is the
// browser's.

import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { launchOptions } from "../../tools/browser.mjs";
import { runs } from "../../tools/runs.ts";
import { shared, withProperties } from "../../vitest.shared.ts";

const IN_BROWSER = "test/**/*.browser.test.ts";
const { include = [], ...common } = shared.test ?? {};

export default defineConfig({
  ...shared,
  test: {
    ...common,
    projects: [
      { extends: true, test: { ...withProperties.test, name: "client", include, exclude: [IN_BROWSER] } },
      {
        extends: true,
        resolve: { conditions: ["module", "browser", "development|production"] },
        // Found while a suite runs, a dependency would reload the page in the middle of it.
        optimizeDeps: { include: ["zod", "@opstate/core > zod/v4/core"] },
        test: {
          name: "client, in a browser",
          include: [IN_BROWSER],
          provide: { killedTabs: runs(10, 100) },
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions: launchOptions() }),
            instances: [{ browser: "chromium" }],
            screenshotFailures: false,
          },
        },
      },
    ],
  },
});
