// "Why?" on a card: who last changed it, in which run and tool call, and the way to that entry.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test("a card says who changed it last, and leads to the log", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("Move T-2 to Review");
  // Somebody else shifts its place afterwards: that is not what happened to this card.
  await server.edit({ type: "move", cardId: "T-36", toColumn: "done", position: 0 }, "grace");
  await expect(board.entry(3)).toBeVisible();
  await board.card("T-2").getByRole("button", { name: "Why T-2?" }).click();
  const why = page.getByTestId("why");
  await test.step("the run and the tool call that moved it", async () => {
    await expect(why).toContainText("Agent");
    await expect(why).toContainText("version 2");
    await expect(why).toContainText("(T-2): Backlog -> Review");
    await expect(why).toContainText("Move T-2 to Review");
    await why.getByText("Tool call").click();
    await expect(why.locator("pre")).toContainText('"cardId": "T-2"');
  });
  await test.step("the way to the log", async () => {
    await why.getByRole("button", { name: "Show in the timeline" }).click();
    await expect(why).toHaveCount(0);
    await expect(board.entry(2)).toHaveAttribute("data-pointed");
    await expect(board.entry(2)).toBeFocused();
  });

  await test.step("by key, of a card that no one changed", async () => {
    await board.card("T-8").focus();
    await page.keyboard.press("w");
    await expect(why).toContainText("Replace the board");
    await page.keyboard.press("Escape");
    await expect(why).toHaveCount(0);
  });
});
