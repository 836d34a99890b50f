// Taking back a run that others built on: it never changes another card, names what would do
// something else, and keeps or drops it as the person says.

import { BoardPage } from "../support/board-page.ts";
import { type DemoServer, expect, test } from "../support/server.ts";

/** All titles on the board, from the server. */
async function titles(server: DemoServer): Promise<string[]> {
  const { state } = (await server.get("/threads/demo")) as {
    state: { columns: { cards: { title: string }[] }[] };
  };
  return state.columns.flatMap(({ cards }) => cards.map(({ title }) => title));
}

test("a renamed card of a board that goes is named, and its title lands on no other card", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const before = await titles(server);
  await test.step("the agent replaces the board", async () => {
    await board.ask("Build a board for launching a website");
    await board.tab("Proposals").click();
    await page.getByRole("button", { name: "Accept all (1)" }).click();
    await expect(board.titled("Register the domain")).toBeVisible();
    await board.tab("Timeline").click();
  });
  const replaced = await titles(server);
  const theirs = replaced[1] ?? "";
  const card = board.titled(theirs);
  const cardId = (await card.getAttribute("data-card-id")) ?? "";
  await server.edit({ type: "editCard", cardId, title: "Grace's own words" }, "grace");
  await expect(board.card(cardId)).toContainText("Grace's own words");

  const note = page.getByTestId("obstacle");
  await test.step("the undo names what was edited since", async () => {
    await board.runs.getByRole("button", { name: "Undo this run" }).click();
    await expect(note).toContainText("Not taken back yet: 1 later edit would do something else without it.");
    await expect(note.getByRole("listitem")).toContainText("grace");
    await expect(note).toContainText(`(${cardId}): rename it to 'Grace's own words'`);
    await expect(note).toContainText(`to "Grace's own words" instead of "${theirs}"`);
    await expect(note).toContainText("It cannot stay: what it changed goes too.");
    await expect(note).not.toContainText("/columns");
    await expect(note.getByRole("button", { name: "Keep" })).toBeDisabled();
  });

  await test.step("cancelled, nothing is undone", async () => {
    await note.getByRole("button", { name: "Cancel" }).click();
    await expect(note).toHaveCount(0);
    await expect(board.spoken).toContainText("Nothing was taken back.");
    expect(await titles(server)).toEqual(replaced.with(1, "Grace's own words"));
  });

  await test.step("dropped, its title lands on no other card", async () => {
    await board.runs.getByRole("button", { name: "Undo this run" }).click();
    await note.getByRole("button", { name: "Drop" }).click();
    await expect(note).toHaveCount(0);
    await expect(board.card("T-42")).toBeVisible();
    await expect.poll(() => titles(server)).toEqual(before);
    await expect(board.feed.first()).toContainText("1 later edit that depended on it went too");
  });
});

test("keeps what would be refused without the run, on request", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("Move T-1 to Review");
  await expect(board.cardIn("Review", "T-1")).toBeVisible();
  await server.edit({ type: "move", cardId: "T-1", fromColumn: "review", toColumn: "done" }, "grace");
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  const undo = board.runs.getByRole("button", { name: "Undo this run" });
  const note = page.getByTestId("obstacle");
  await undo.click();
  await expect(note).toContainText("(T-1): Review -> Done");
  await expect(note).toContainText("Could not be done: its card would be in another column");
  await note.getByRole("button", { name: "Keep" }).click();
  await expect(note).toHaveCount(0);
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  const stays = "Stays: Move 'Write the launch announcement' (T-1): Review -> Done (grace)";
  await expect(page.getByTestId("kept")).toContainText(stays);
  await expect(board.feed.first()).toContainText(stays);
  await expect(board.spoken).toContainText(stays);
});

test("says what stays although it would do something else now", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("Move T-19 to Backlog");
  await server.edit({ type: "remove", fromColumn: "done" }, "grace");
  await expect(board.card("T-8")).toHaveCount(0);
  await board.runs.getByRole("button", { name: "Undo this run" }).click();
  // The clearing did not remove what comes back, so that is left alone.
  await expect(board.cardIn("Done", "T-19")).toBeVisible();
  await expect(board.card("T-8")).toHaveCount(0);
  await expect(page.getByTestId("kept")).toContainText("Stays: Clear Done (grace)");
});

test("z names what others built on it, and leaves it when cancelled", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.drag("T-1", "Review");
  await board.saved();
  await server.edit({ type: "move", cardId: "T-1", fromColumn: "review", toColumn: "done" }, "grace");
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  await page.keyboard.press("z");
  const note = page.getByTestId("obstacle");
  await expect(note).toContainText("(T-1): Review -> Done");
  await note.getByRole("button", { name: "Cancel" }).click();
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  await page.keyboard.press("z");
  await note.getByRole("button", { name: "Drop" }).click();
  await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
});

test("a card that a person added to what the agent cleared stays itself when the clearing goes", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("Clear Backlog");
  await expect(board.card("T-1")).toHaveCount(0);
  const cardId = await board.addAndRename("Mine", "Mine, edited");
  await board.saved();
  await board.runs.getByRole("button", { name: "Undo this run" }).click();
  await expect(board.cardIn("Backlog", "T-1")).toContainText("Write the launch announcement");
  await expect(board.cardIn("Backlog", cardId)).toContainText("Mine, edited");
  expect((await titles(server)).filter((each) => each === "Mine, edited")).toHaveLength(1);
});
