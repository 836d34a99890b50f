// The suites run in a real Chromium: React's scheduling, effects and hydration are what they test.

import { playwright } from "@vitest/browser-playwright";
import { defineConfig, mergeConfig } from "vitest/config";
import { launchOptions } from "../../tools/browser.mjs";
import { shared } from "../../vitest.shared.ts";

export default mergeConfig(
  shared,
  defineConfig({
    resolve: { conditions: ["module", "browser", "development|production"] },
    // Found while a suite runs, a dependency would reload the page in the middle of it.
    optimizeDeps: {
      include: [
        "react",
        "react-dom",
        "react-dom/client",
        "react-dom/server",
        "react/jsx-dev-runtime",
        "zod",
        "zustand",
        "zustand/react",
        "zustand/react/shallow",
        "zustand/vanilla",
      ],
    },
    test: {
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
