// One's own last edit: undone and redone by key and by button, whatever others did since.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test("z undoes one's own last edit, Shift+z redoes it", { tag: "@smoke" }, async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toBeDisabled();
  await board.drag("T-1", "Done");
  await board.drag("T-2", "Review");
  await board.saved();
  await server.edit({ type: "move", cardId: "T-3", toColumn: "in-progress" }, "grace");
  await expect(board.cardIn("In Progress", "T-3")).toBeVisible();
  const undo = page.getByRole("button", { name: /^Undo/ }).first();
  await expect(undo).toHaveAttribute("title", /Undo: Move .* \(T-2\): Backlog -> Review/);

  await test.step("undone by key, one after the other", async () => {
    await page.keyboard.press("z");
    await expect(board.cardIn("Backlog", "T-2")).toBeVisible();
    await expect(board.spoken).toContainText(/Undone: Move .* \(T-2\)/);
    await page.keyboard.press("Control+z");
    await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
    // The card is back before the log says so, and only then is there something to redo.
    await expect(board.spoken).toContainText(/Undone: Move .* \(T-1\)/);
    await expect(board.cardIn("In Progress", "T-3")).toBeVisible();
  });

  await test.step("redone by key and by button", async () => {
    await page.keyboard.press("Shift+Z");
    await expect(board.cardIn("Done", "T-1")).toBeVisible();
    await page.getByRole("button", { name: /^Redo: Move .* \(T-2\)/ }).click();
    await expect(board.cardIn("Review", "T-2")).toBeVisible();
  });

  await test.step("a reload loses none of it, because undo comes from the log", async () => {
    await page.reload();
    await expect(board.cardIn("Review", "T-2")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Undo: Move .* \(T-2\)/ })).toBeEnabled();
    await page.keyboard.press("z");
    await expect(board.cardIn("Backlog", "T-2")).toBeVisible();
  });
});

test("z types a z where a person types", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.drag("T-1", "Done");
  await board.saved();
  const field = page.getByRole("textbox", { name: "Message to the agent" });
  await field.pressSequentially("zebra");
  await expect(field).toHaveValue("zebra");
  // Had it undone something, that would be version 3.
  await board.drag("T-2", "Review");
  await expect(board.entry(3)).toContainText("(T-2)");
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
});
