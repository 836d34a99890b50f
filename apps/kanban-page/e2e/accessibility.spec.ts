// axe finds nothing in the main states, in both themes; in the dark one in the long form.

import type { Page } from "playwright/test";
import { axeOn, inWords } from "../../../tools/axe.ts";
import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

function expectNothingFound(page: Page, state: string) {
  return test.step(state, async () => {
    const { violations } = await axeOn(page).analyze();
    expect(inWords(violations), state).toEqual([]);
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, { tag: colorScheme === "light" ? [] : "@long" }, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("axe finds nothing", async ({ page, server }) => {
      const board = new BoardPage(page);
      await board.open(server.page);
      await board.ask("Move T-1 to Done, move T-999 to Done");
      await expect(board.runs).toHaveCount(1);
      await expectNothingFound(page, "timeline");
      await board.tab("State").click();
      await page.getByRole("treeitem", { name: "columns" }).first().click();
      await expectNothingFound(page, "state");
      await board.tab("Timeline").click();
      await board.card("T-1").getByRole("button", { name: "Why T-1?" }).click();
      await expect(page.getByTestId("why")).toContainText("Agent");
      await expectNothingFound(page, "why");
      await page.keyboard.press("Escape");
      await page.keyboard.press("[");
      await expect(page.getByTestId("past-banner")).toBeVisible();
      await expect(page.locator("[data-still-card]").first()).toBeVisible();
      await expectNothingFound(page, "an old version");
      await page.keyboard.press("Escape");
      await board.mode("Ask me first");
      await board.ask("Move T-2 to Done, remove T-15");
      await board.tab("Proposals").click();
      await page.getByRole("button", { name: "Decline", exact: true }).first().click();
      await expectNothingFound(page, "proposals");
      await board.mode("Let it try");
      await board.ask("Move T-3 to Done");
      await expect(page.getByTestId("still-board")).toBeVisible();
      await expectNothingFound(page, "a branch");
      await page.getByRole("switch", { name: "Connection" }).click();
      await board.drag("T-42", "Review");
      await expectNothingFound(page, "offline");
    });
  });
}

test("on a phone, too", { tag: "@long" }, async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  const board = new BoardPage(page);
  await board.open(server.page);
  for (const pane of ["Board", "Log", "Agent"]) {
    await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: pane }).click();
    await expectNothingFound(page, pane);
  }
  await page.getByRole("button", { name: "Demos and docs" }).click();
  await expect(page.getByRole("navigation", { name: "Demos and docs" })).toBeVisible();
  await expectNothingFound(page, "menu");
});
