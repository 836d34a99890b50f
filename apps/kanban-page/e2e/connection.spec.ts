// The connection's switch: edits made offline wait. Back online they are accepted, or refused with
// a reason.

import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test(
  "edits made offline wait, and are then accepted or refused with a reason",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    const status = page.getByTestId("status");
    const connection = page.getByRole("switch", { name: "Connection" });
    await test.step("edits made offline wait", async () => {
      await expect(connection).toBeChecked();
      await connection.click();
      await expect(status).toContainText("Offline");
      await board.drag("T-1", "Done");
      await board.drag("T-2", "Review");
      await expect(board.card("T-1")).toHaveAttribute("data-pending");
      await expect(status).toContainText("2 edits waiting");
    });
    await test.step("what others do meanwhile is not shown", async () => {
      await server.edit({ type: "move", cardId: "T-2", toColumn: "in-progress" }, "grace");
      await server.edit({ type: "move", cardId: "T-3", toColumn: "done" }, "grace");
      await expect(board.cardIn("Backlog", "T-3")).toBeVisible();
    });
    await test.step("what needs the server says so", async () => {
      await page.keyboard.press("[");
      await expect(page.getByText("this needs the connection")).toBeVisible();
      await page.keyboard.press("Escape");
    });

    await test.step("back online they are accepted or refused", async () => {
      await connection.click();
      await expect(status).toContainText("All edits saved");
      await expect(board.cardIn("Done", "T-1")).toBeVisible();
      await expect(board.card("T-1")).not.toHaveAttribute("data-pending");
      await expect(board.cardIn("Done", "T-3")).toBeVisible();
      await expect(board.cardIn("In Progress", "T-2")).toBeVisible();
      await expect(page.getByTestId("refusal")).toContainText("(T-2) is in 'In Progress', not in 'Backlog'");
      await expect(board.entry(4)).toContainText("(T-1)");
    });
  },
);

test("two people who each add a card while one is offline keep their own", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const connection = page.getByRole("switch", { name: "Connection" });
  await connection.click();
  await expect(page.getByTestId("status")).toContainText("Offline");
  const cardId = await board.addAndRename("Mine", "Mine, edited");
  await expect(page.getByTestId("status")).toContainText("2 edits waiting");
  await server.edit({ type: "addCard", columnId: "backlog", title: "Grace's card" }, "grace");
  await connection.click();
  await board.saved();
  await expect(board.titled("Grace's card")).toHaveCount(1);
  await expect(board.cardIn("Backlog", cardId)).toContainText("Mine, edited");
  await page.reload();
  await expect(board.cardIn("Backlog", cardId)).toContainText("Mine, edited");
  await expect(board.titled("Grace's card")).toHaveCount(1);
  await expect(page.getByTestId("refusal")).toHaveCount(0);
});
