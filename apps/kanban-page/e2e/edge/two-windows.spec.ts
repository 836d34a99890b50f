// The least that is to work at the edge, which the short form of the browser tests has too: edits,
// drags and a refusal in two windows, and what is left of them when the runtime is killed.

import type { BrowserContext } from "playwright/test";
import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

async function twoWindows(context: BrowserContext, url: string) {
  const boards = [new BoardPage(await context.newPage()), new BoardPage(await context.newPage())] as const;
  for (const board of boards) await board.open(url);
  return boards;
}

test("what one window adds, renames and drags is in the other, and who leaves is gone", async ({ context, server }) => {
  const [one, other] = await twoWindows(context, server.page);
  await other.page.bringToFront();
  const cardId = await other.addAndRename("Edge", "Edge, renamed");
  await other.drag("T-1", "Done");
  await expect(one.cardIn("Backlog", cardId)).toContainText("Edge, renamed");
  await expect(one.cardIn("Done", "T-1")).toBeVisible();
  await expect(one.here).toHaveText("you");
  await other.page.close();
  await expect(one.here).toHaveCount(0);
});

test("an edit that another one made impossible is refused with the reason", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await page.getByRole("switch", { name: "Connection" }).click();
  await board.drag("T-2", "Review");
  await server.edit({ type: "move", cardId: "T-2", toColumn: "in-progress" }, "grace");
  await page.getByRole("switch", { name: "Connection" }).click();
  await expect(page.getByTestId("refusal")).toContainText("(T-2) is in 'In Progress', not in 'Backlog'");
  await expect(board.cardIn("In Progress", "T-2")).toBeVisible();
});

test.describe("a runtime that is killed", () => {
  test.use({ kills: true });

  test("has what it acknowledged, and gets what waited in both windows", async ({ context, server }) => {
    const [one, other] = await twoWindows(context, server.page);
    await other.page.bringToFront();
    await other.drag("T-1", "Done");
    await other.saved();
    await server.kill();
    for (const board of [one, other]) await expect(board.page.getByTestId("status")).not.toContainText("Live");
    await other.drag("T-3", "Review");
    await expect(other.card("T-3")).toHaveAttribute("data-pending");
    await server.start();
    for (const board of [one, other]) {
      await board.saved();
      await expect(board.cardIn("Done", "T-1")).toBeVisible();
      await expect(board.cardIn("Review", "T-3")).toBeVisible();
    }
    // The sample and two drags, each once.
    expect(await server.get("/threads/demo")).toMatchObject({ version: 3 });
  });
});
