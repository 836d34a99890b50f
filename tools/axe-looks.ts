// What axe finds in one state of a page, wide and narrow, light and dark.

import { expect, type Page } from "playwright/test";
import { axeOn, inWords } from "./axe.ts";

const HEIGHT = 900;

/**
 * Fails with what axe finds at 1440 and 360 px in both themes; afterwards the page is as wide as
 * before.
 */
export async function expectCleanLooks(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of [1440, 360])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await axeOn(page).analyze();
      for (const words of inWords(violations)) found.push(`${state}, ${width}, ${colorScheme}: ${words}`);
    }
  if (before) await page.setViewportSize(before);
  expect(found).toEqual([]);
}
