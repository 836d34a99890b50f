// The log: who did what, runs in brackets, a run taken back with later edits kept, and the way to
// the first commit.

import type { Route } from "playwright/test";
import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test(
  "a run is bracketed and undone, later edits stay, and it can be redone",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await test.step("the run is a bracket among the others' edits", async () => {
      await board.ask("Move T-1 to In Progress, then T-2 to Review");
      await board.drag("T-3", "Done");
      await board.saved();
      await server.post({ type: "addCard", columnId: "backlog", title: "From outside", priority: 2 });
      await expect(board.entry(5)).toHaveAttribute("data-kind", "webhook");
      await expect(board.entry(4)).toHaveAttribute("data-kind", "user");
      await expect(board.entry(3)).toHaveAttribute("data-kind", "agent");
      await expect(board.runs).toHaveCount(1);
      await expect(board.runs).toContainText("2 changes");
      await expect(board.runs.getByRole("listitem")).toHaveCount(2);
    });

    await test.step("it is undone, and later edits stay", async () => {
      await board.runs.getByRole("button", { name: "Undo this run" }).click();
      await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
      await expect(board.cardIn("Backlog", "T-2")).toBeVisible();
      await expect(board.cardIn("Done", "T-3")).toBeVisible();
      await expect(board.entry(6)).toHaveAttribute("data-kind", "undo");
      await expect(board.entry(6)).toContainText("a run of the agent, 2 changes");
      await expect(board.entry(2)).toContainText("Taken back");
      await expect(board.spoken).toContainText("The run is taken back");
    });

    await test.step("it is done again", async () => {
      await board.runs.getByRole("button", { name: "Redo this run" }).click();
      await expect(board.cardIn("In Progress", "T-1")).toBeVisible();
      await expect(board.cardIn("Review", "T-2")).toBeVisible();
      await expect(board.runs.getByRole("button", { name: "Undo this run" })).toBeVisible();
    });
  },
);

test("a later edit that needs the run is named, and goes too only on request", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await test.step("the agent adds a card", async () => {
    await board.ask("Add a card 'Write docs' to Backlog");
    await expect(board.titled("Write docs")).toBeVisible();
  });
  const cardId = await board.titled("Write docs").getAttribute("data-card-id");
  await test.step("a person edits it, and another card", async () => {
    await server.edit({ type: "editCard", cardId, title: "Write the guide" }, "grace");
    await server.edit({ type: "editCard", cardId: "T-8", priority: 1 }, "grace");
    await expect(board.entry(4)).toBeVisible();
  });
  await board.runs.getByRole("button", { name: "Undo this run" }).click();
  const obstacle = page.getByTestId("obstacle");
  await test.step("the edit that needs it is named, and nothing is undone", async () => {
    await expect(obstacle).toContainText("1 later edit would do something else without it");
    await expect(obstacle).toContainText("grace");
    await expect(obstacle).toContainText(`(${cardId}): rename it to 'Write the guide'`);
    await expect(obstacle).toContainText("Could not be done: its card would not be there");
    await expect(board.titled("Write the guide")).toBeVisible();
  });
  await test.step("it goes too when that is requested", async () => {
    await obstacle.getByRole("button", { name: "Drop" }).click();
    await expect(board.titled("Write the guide")).toHaveCount(0);
    await expect(board.card("T-8")).toContainText("P1");
    await expect(board.entry(5)).toContainText("1 later edit that depended on it went too");
  });
});

test("the log goes back to the first commit", async ({ page, server }) => {
  // More than a page of the log and the page that a wide slider reads.
  const edits = Array.from({ length: 240 }, (_, index) => ({
    type: "editCard",
    cardId: "T-8",
    title: `Title ${index}`,
  }));
  await server.edit(edits, "grace");
  const board = new BoardPage(page);
  // The log is there before the board, which shows no version yet.
  const log = page.waitForResponse(/\/threads\/demo\/history\?/);
  await page.route(/\/events/, async (route) => log.then(() => route.continue()), { times: 1 });
  await board.open(server.page);
  await expect(board.entry(241)).toBeVisible();
  await expect(board.entry(1)).toHaveCount(0);
  // A press counts while the log is being read, as it is when the connection comes back.
  const reads: (() => void)[] = [];
  const read = (route: Route) => new Promise<void>((resolve) => reads.push(resolve)).then(() => route.continue());
  await page.route(/\/threads\/demo\/history\?/, read, { times: 1 });
  const earlier = page.getByRole("button", { name: /^(Show earlier|Reading)$/ });
  await earlier.click();
  await expect(earlier).toHaveText("Reading");
  await expect(earlier).toBeEnabled();
  await expect(earlier).toBeFocused();
  await expect.poll(() => reads.length).toBe(1);
  for (const resolve of reads) resolve();
  await expect(async () => {
    if (await earlier.isVisible()) await earlier.click({ timeout: 1_000 });
    await expect(page.getByText("The beginning of the log")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(board.entry(1)).toContainText("Replace the board: 4 columns, 13 cards");
});
