// The state tab: the state of the shown version as a tree, with the last change marked.

import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test(
  "the state is a tree, follows the board and its past, and can be copied",
  { tag: "@smoke" },
  async ({ page, server, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.tab("State").click();
    const panel = page.getByRole("tabpanel", { name: "State" });
    const tree = page.getByRole("tree", { name: "State of the board" });
    const row = (path: string) => tree.locator(`[data-path="${path}"]`);
    await test.step("the state as a tree", async () => {
      await expect(panel).toContainText("Version 1");
      await expect(row("/columns/3/cardCount")).toContainText("3");
    });

    await test.step("it follows the board", async () => {
      await board.drag("T-1", "Done");
      await expect(panel).toContainText("Version 2");
      await expect(row("/columns/3/cardCount")).toContainText("4");
      await expect(row("/columns/3/cardCount")).toHaveAttribute("data-changed");
      await expect(row("/columns/1/cardCount")).not.toHaveAttribute("data-changed");
    });

    await test.step("down to the columns, closed, opened and in, by keys", async () => {
      await tree.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowLeft");
      await expect(row("/columns")).toHaveAttribute("aria-expanded", "false");
      await expect(row("/columns/0")).toHaveCount(0);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await expect(row("/columns/0")).toHaveAttribute("aria-selected", "true");
      await expect(panel.getByRole("region", { name: "Value of /columns/0" })).toContainText('"columnId": "backlog"');
    });

    await test.step("it follows the past, which can be copied", async () => {
      await page.keyboard.press("[");
      await expect(panel).toContainText("As it was at version 1");
      await expect(row("/columns/3/cardCount")).toContainText("3");
      await panel.getByRole("button", { name: "Copy JSON" }).click();
      await expect(board.spoken).toContainText("The state of version 1 is copied as JSON.");
      const copied = await page.evaluate(async () => JSON.parse(await navigator.clipboard.readText()));
      expect(copied.columns[3].cardCount).toBe(3);
      await page.keyboard.press("Escape");
      await expect(panel).toContainText("Version 2");
    });
  },
);
