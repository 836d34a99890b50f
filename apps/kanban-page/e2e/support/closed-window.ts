// A window that is closed and opened again has the storage of its session, as a browser restores
// it.

import type { BrowserContext, Page } from "playwright/test";

/** Closes the window. Returns the function that opens it again. */
export async function closeWindow(page: Page, context: BrowserContext): Promise<() => Promise<Page>> {
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  await page.close();
  return async () => {
    const opened = await context.newPage();
    await opened.addInitScript((entries) => {
      for (const [key, value] of JSON.parse(entries) as [string, string][]) sessionStorage.setItem(key, value);
    }, kept);
    return opened;
  };
}
