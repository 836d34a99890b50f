// axe finds nothing on the pages of this app, in both themes, wide and narrow; three of the four in
// the long form.

import type { Page } from "playwright/test";
import { axeOn, inWords } from "../../../tools/axe.ts";
import { expect, test } from "./demo.ts";
import { InspectorPage } from "./inspector-page.ts";
import { StartPage } from "./start-page.ts";

async function judge(page: Page, what: string): Promise<void> {
  const { violations } = await axeOn(page).analyze();
  expect(inWords(violations), what).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 360]) {
    const isShort = colorScheme === "light" && width === 1440;
    test.describe(`${colorScheme}, ${width} px wide`, { tag: isShort ? [] : "@long" }, () => {
      test.use({
        expectedErrors: /404/,
        colorScheme,
        viewport: { width, height: 800 },
        contextOptions: { reducedMotion: "reduce" },
      });

      test("the start page, in each state of a moment", async ({ page, demo }) => {
        test.slow();
        const start = new StartPage(page);
        const fits = async (state: string) => {
          await judge(page, state);
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), state).toBe(true);
        };
        await start.open(demo.url, { patient: true });
        await fits("start");
        if (width < 1100) {
          await page.getByRole("button", { name: "Demos and docs" }).click();
          await expect(page.getByRole("navigation", { name: "Demos and docs" })).toBeVisible();
          await fits("menu");
          await page.keyboard.press("Escape");
        }
        for (const { moment, hands } of [
          { moment: "grab", hands: 1 },
          { moment: "take back", hands: 0 },
          { moment: "ask first", hands: 2 },
          { moment: "offline", hands: 2 },
          { moment: "branch", hands: 1 },
        ]) {
          await start.next.click();
          for (let hand = 0; hand < hands; hand += 1) {
            await expect(start.showMe).toBeVisible();
            if (hand === 0) await fits(`${moment}, waiting`);
            await start.showMe.click();
          }
          await expect(start.now).toHaveAttribute("data-state", "still");
        }
        await fits("over");
      });

      test("the page for addresses without one", async ({ page, demo }) => {
        await page.goto(`${demo.url}/no-such-page`);
        await judge(page, "404");
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      });

      test("the inspector: empty, with a question, with problems, at an earlier moment", async ({ page, demo }) => {
        const inspector = new InspectorPage(page);
        const pane = async (name: string) => {
          if (width < 1100) await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name }).click();
        };
        await inspector.open(demo.url, "tour:");
        await judge(page, "empty");
        await page.getByText("Options", { exact: true }).click();
        await judge(page, "options");
        await page.getByText("Options", { exact: true }).click();
        await inspector.say("Plan a dinner");
        await expect(page.getByRole("form", { name: "The agent asks" })).toBeVisible();
        await judge(page, "asked");
        await pane("State");
        await inspector.row("/shopping/pumpkin").click();
        await judge(page, "state");
        await page.getByRole("tab", { name: "Conflicts" }).click();
        await judge(page, "conflicts");
        await page.getByRole("tab", { name: "Warnings" }).click();
        await judge(page, "warnings");
        await pane("Events");
        await inspector.moment.fill("40");
        await judge(page, "earlier");
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      });
    });
  }
}
