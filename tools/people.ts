// Chromium for the pages of guides and of framework builds. What a page prints as an error, or
// throws, is kept.

import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { launchOptions } from "./browser.mjs";

export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
}

export interface People {
  /** A browser of its own at an address. */
  visit(url: string): Promise<Person>;
  /** Errors of all pages so far. */
  readonly errors: readonly string[];
  /** For errors that the browser itself reports, of a connection that a test cut. */
  forget(expected: RegExp): void;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<People> {
  const browser: Browser = await chromium.launch(launchOptions());
  let errors: string[] = [];
  return {
    get errors() {
      return errors;
    },
    forget: (expected) => void (errors = errors.filter((error) => !expected.test(error))),
    async visit(url) {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on("pageerror", (error) => void errors.push(String(error)));
      page.on("console", (message) => {
        // Which every browser asks for, and no guide has.
        if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) errors.push(message.text());
      });
      await page.goto(url);
      return { page, context };
    },
    close: () => browser.close(),
  };
}
