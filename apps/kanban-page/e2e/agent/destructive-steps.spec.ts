// Destructive steps need a person's approval, and "undo that" undoes the agent's last run.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test("a new board for a wedding is proposed, and the board stays until a person accepts it", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const { state: before } = (await server.get("/threads/demo")) as { state: object };
  await board.ask("I want to plan my wedding");
  await expect(board.calls).toHaveAttribute("data-verdict", "proposed");
  await expect(board.lastAnswer).toContainText("Nothing has changed yet");
  expect(await server.get("/threads/demo")).toMatchObject({ state: before });
  await expect(board.card("T-1")).toContainText("Write the launch announcement");
  await board.tab("Proposals").click();
  const list = page.getByRole("list", { name: "Proposals" });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list).toContainText("Replace the board: 4 columns, 13 cards");
  await page.getByRole("button", { name: "Accept all (1)" }).click();
  await expect(page.locator("[data-card-id]").filter({ hasText: "Write the guest list" })).toBeVisible();
});

test("a board without cards is built at once", async ({ page, server }) => {
  for (const fromColumn of ["backlog", "in-progress", "review", "done"])
    await server.edit({ type: "remove", fromColumn }, "grace");
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("I want to plan my wedding");
  await expect(board.calls).toHaveAttribute("data-verdict", "accepted");
  await expect(page.locator("[data-card-id]")).toHaveCount(13);
});

test("'undo that' undoes the agent's last run and keeps what a person did; twice it says that it is done", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("Move T-1 to Done, then remove T-15");
  await board.drag("T-3", "Review");
  await board.saved();
  await board.ask("undo that");
  await expect(board.calls.last()).toHaveAttribute("data-verdict", "accepted");
  await expect(board.lastAnswer).toContainText(
    "I took back my last run: Move 'Write the launch announcement' (T-1): Backlog -> Done; Remove 'Keep edits made while offline' (T-15) from In Progress.",
  );
  await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
  await expect(board.cardIn("In Progress", "T-15")).toBeVisible();
  await expect(board.cardIn("Review", "T-3")).toBeVisible();
  await board.ask("undo that");
  await expect(board.calls.last()).toHaveAttribute("data-verdict", "refused");
  await expect(board.lastAnswer).toContainText("I took nothing back: my last run is taken back already.");
  await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
});
