// "Ask me first": the agent's changes are proposals, shown as a list and as ghosts, until a person
// decides.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test("proposals change nothing until they are accepted: all, some, differently, or not", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.mode("Ask me first");
  await test.step("the agent proposes", async () => {
    await board.ask(
      "Move T-1 to Done, move T-2 to Done, move T-3 to Review, add a card 'Write docs' to Backlog, remove T-15, move T-36 to Done",
    );
    await expect(board.calls.first()).toHaveAttribute("data-verdict", "proposed");
    await expect(board.lastAnswer).toContainText("I propose 6 changes");
    await expect(board.lastAnswer).toContainText("Nothing has changed yet");
    await board.tab("Proposals").click();
  });
  const list = page.getByRole("list", { name: "Proposals" });
  await test.step("the list has the changes in words", async () => {
    await expect(list.getByRole("listitem")).toHaveCount(6);
    await expect(list.getByRole("listitem").first()).toContainText("(T-1): Backlog -> Done");
  });

  // The preview: ghosts where the cards would be, marks on those that would go.
  const ghost = (column: string, cardId: string) => board.column(column).locator(`[data-ghost-of="${cardId}"]`);
  await test.step("ghosts and marks preview them on the board", async () => {
    await expect(ghost("Done", "T-1")).toBeVisible();
    await expect(board.column("Backlog").locator("[data-ghost-of]").filter({ hasText: "Write docs" })).toBeVisible();
    await expect(board.card("T-15")).toHaveAttribute("data-proposed", "remove");
    await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
  });

  await test.step("one is accepted on the board", async () => {
    await ghost("Done", "T-1")
      .getByRole("button", { name: /^Accept/ })
      .click();
    await expect(board.cardIn("Done", "T-1")).toBeVisible();
    await expect(list.getByRole("listitem")).toHaveCount(5);
  });

  await test.step("one is done differently", async () => {
    const docs = list.getByRole("listitem").filter({ hasText: "Write docs" });
    await docs.getByRole("button", { name: "Edit" }).click();
    await docs.getByRole("textbox", { name: "Title" }).fill("Write the guide");
    await docs.getByRole("button", { name: "Do it like this" }).click();
    await expect(board.column("Backlog").getByText("Write the guide")).toBeVisible();
  });

  await test.step("one is declined with a word, which stays while another one is accepted", async () => {
    const remove = list.getByRole("listitem").filter({ hasText: "(T-15)" });
    await remove.getByRole("button", { name: "Decline" }).click();
    await remove.getByRole("textbox").fill("We still need it");
    await list.getByRole("listitem").filter({ hasText: "(T-36)" }).getByRole("button", { name: "Accept" }).click();
    await expect(board.cardIn("Done", "T-36")).toBeVisible();
    await expect(list.getByRole("listitem")).toHaveCount(3);
    await expect(remove.getByRole("textbox")).toHaveValue("We still need it");
    // The button is gone, and the focus goes to another decision.
    await expect(list.getByRole("button", { name: "Accept" }).first()).toBeFocused();
    await remove.getByRole("button", { name: "Decline", exact: true }).click();
    await expect(list.getByRole("listitem")).toHaveCount(2);
    await expect(board.card("T-15")).not.toHaveAttribute("data-proposed");
  });

  await test.step("the rest is accepted, one after the other", async () => {
    await list.getByRole("listitem").filter({ hasText: "T-3" }).getByRole("checkbox").uncheck();
    await page.getByRole("button", { name: "Accept 1 of 2" }).click();
    await expect(board.cardIn("Done", "T-2")).toBeVisible();
    await expect(board.cardIn("Backlog", "T-3")).toBeVisible();
    await expect(list.getByRole("listitem")).toHaveCount(1);
    await list.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Accept all (1)" }).click();
    await expect(board.cardIn("Review", "T-3")).toBeVisible();
    await expect(page.getByText("Nothing waits for you")).toBeVisible();
    await board.tab("Timeline").click();
    await expect(page.getByTestId("feed")).toContainText("'We still need it'");
  });
});

test("several proposals about one column are accepted together", { tag: "@smoke" }, async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.mode("Ask me first");
  await board.ask("Move T-42 to Done, move T-1 to Done, set priority of T-38 to 1");
  await board.tab("Proposals").click();
  // The focus goes to the next ghost, from the last one to the first, in the end to the list's tab.
  const ghost = page.locator("[data-ghost-of=T-1]");
  await ghost.getByRole("button", { name: /^Decline/ }).focus();
  await page.keyboard.press("Enter");
  await expect(ghost).toHaveCount(0);
  await expect(page.locator("[data-ghost-of=T-38]").getByRole("button", { name: /^Decline/ })).toBeFocused();
  await page.getByRole("button", { name: "Accept all (2)" }).focus();
  await page.keyboard.press("Enter");
  await expect(board.cardIn("Done", "T-42")).toBeVisible();
  await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
  await expect(board.card("T-38")).toContainText("P1");
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  await expect(board.tab("Proposals")).toBeFocused();
  await test.step("what was accepted goes with the run that proposed it", async () => {
    await board.tab("Timeline").click();
    await board.runs.getByRole("button", { name: "Undo this run" }).click();
    await expect(board.cardIn("Backlog", "T-42")).toBeVisible();
    await expect(board.card("T-38")).toContainText("P4");
  });
});

test(
  "a run that did a part by itself is undone with what a person accepted of it",
  { tag: "@long" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.ask("Move T-1 to Done, then build a board for launching a website");
    await board.tab("Proposals").click();
    await page.getByRole("button", { name: "Accept all (1)" }).click();
    await expect(board.titled("Register the domain")).toBeVisible();
    await board.tab("Timeline").click();
    await board.runs.getByRole("button", { name: "Undo this run" }).click();
    await expect(board.cardIn("Backlog", "T-1")).toContainText("Write the launch announcement");
    await expect(board.titled("Register the domain")).toHaveCount(0);
  },
);

test("a stale proposal says what changed, and the agent cannot approve its own", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.mode("Ask me first");
  await board.ask("Set priority of T-38 to 1, move T-36 to Done");
  await server.edit({ type: "editCard", cardId: "T-38", priority: 2 }, "grace");
  await server.edit({ type: "remove", cardId: "T-36" }, "grace");
  await board.tab("Proposals").click();
  const list = page.getByRole("list", { name: "Proposals" });
  const priority = list.getByRole("listitem").filter({ hasText: "(T-38)" });
  await expect(priority.getByRole("note")).toHaveText(
    /^\s*Since then\s*grace: Change 'Ask ten customers about pricing' \(T-38\): set its priority to 2\s*$/,
  );
  // A stale proposal is not accepted with the others.
  await expect(priority.getByRole("checkbox")).toBeDisabled();
  const gone = list.getByRole("listitem").filter({ hasText: "(T-36)" });
  await expect(gone).toContainText("It no longer applies");
  await expect(gone).toContainText("grace: Remove 'Shorter sign-up form' (T-36)");
  await expect(gone.getByRole("checkbox")).toBeDisabled();
  await expect(gone.getByRole("button", { name: "Do it anyway" })).toHaveCount(0);
  await priority.getByRole("button", { name: "Do it anyway" }).click();
  await expect(board.card("T-38")).toContainText("P1");

  const [open] = (await server.get("/threads/demo/proposals")) as { id: string; actor: { kind: string } }[];
  expect(open?.actor.kind).toBe("agent");
  // An actor without the right to approve gets 403.
  const answer = await fetch(`${server.url}/threads/demo/proposals/${encodeURIComponent(open?.id ?? "")}/approve`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer demo-webhook" },
    body: "{}",
  });
  expect(answer.status).toBe(403);
});

test("a stale proposal to replace the board says who changed what, is done anyway when a person says so, and undone", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.mode("Ask me first");
  await board.ask("Build a board for launching a website");
  await server.edit({ type: "move", cardId: "T-1", toColumn: "done" }, "grace");
  await server.edit({ type: "addCard", columnId: "review", title: "Ask for a quote", priority: 2 }, "bob");
  await board.tab("Proposals").click();
  const item = page
    .getByRole("list", { name: "Proposals" })
    .getByRole("listitem")
    .filter({ hasText: "Replace the board" });
  const note = item.getByRole("note");
  await test.step("it says who changed what", async () => {
    await expect(note).toContainText("grace: Move 'Write the launch announcement' (T-1): Backlog -> Done");
    await expect(note).toContainText("bob: Add 'Ask for a quote' to Review");
    await expect(note).toContainText("replaces the board as it is now, including these changes");
    await expect(item).not.toContainText("/columns");
    await expect(item.getByRole("button", { name: "Accept", exact: true })).toHaveCount(0);
    await expect(item.getByRole("button", { name: "Decline" })).toBeVisible();
  });

  await test.step("the server wants the right to approve", async () => {
    const [open] = (await server.get("/threads/demo/proposals")) as { id: string }[];
    const answer = await fetch(`${server.url}/threads/demo/proposals/${encodeURIComponent(open?.id ?? "")}/approve`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer demo-webhook" },
      body: JSON.stringify({ anyway: true }),
    });
    expect(answer.status).toBe(403);
  });

  await test.step("it is done anyway, and the log says so", async () => {
    await item.getByRole("button", { name: "Do it anyway" }).click();
    await expect(page.locator("[data-board]").getByText("Ask for a quote")).toHaveCount(0);
    await expect(page.getByText("Nothing waits for you")).toBeVisible();
    await expect(board.tab("Proposals")).toBeFocused();
    await expect(board.spoken).toContainText("1 proposal done anyway");
    await board.tab("Timeline").click();
    await expect(board.entry(5)).toHaveAttribute("data-kind", "user");
    await expect(board.entry(5)).toContainText("Accept anyway: Replace the board");
    const log = (await server.get("/threads/demo/history?after=4")) as {
      commit: { operation: object; actor: object };
    }[];
    expect(log[0]?.commit).toMatchObject({
      actor: { kind: "user", id: "ada" },
      operation: { type: "$approve", anyway: true, proposer: { kind: "agent" } },
    });
  });
  await test.step("with the run that proposed it, the board is what the others made of it", async () => {
    await board.runs.getByRole("button", { name: "Undo this run" }).click();
    await expect(board.cardIn("Done", "T-1")).toBeVisible();
    await expect(board.column("Review")).toContainText("Ask for a quote");
  });
});

test.describe("a proposed board", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("opens in the place of the board, which is a click away, and is accepted there", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.ask("Build a board for launching a website");
    const proposed = page.getByRole("region", { name: "Proposed board" });
    await expect(proposed).toContainText("Agent proposes a new board");
    await expect(proposed).toContainText("Replace the board: 4 columns, 13 cards");
    await expect(board.calls).toContainText("Replace the board: 4 columns, 13 cards");
    const card = proposed.getByText("Register the domain");
    await expect(card).toBeVisible();
    await expect(board.card("T-1")).toBeHidden();
    // Nothing is begun on a board that is not in sight.
    await card.click();
    await page.keyboard.press("n");
    await proposed.getByRole("button", { name: "As it is" }).click();
    await expect(board.card("T-1")).toBeVisible();
    await expect(card).toBeHidden();
    await expect(page.getByRole("form", { name: /^New card/ })).toHaveCount(0);
    await proposed.getByRole("button", { name: "Accept" }).click();
    await expect(board.titled("Register the domain")).toBeVisible();
    await expect(proposed).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Board", exact: true })).toBeFocused();
    await expect(board.calls.locator(".call-verdict")).toHaveText("Accepted by you");
  });

  test("leaves the board where it is under a hand", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await page.getByRole("button", { name: "Add card to Backlog" }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Half a card");
    await fetch(`${server.url}/threads/demo/proposals`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer demo-agent" },
      body: JSON.stringify({ operation: { type: "$replace", value: { columns: [] } } }),
    });
    const proposed = page.getByRole("region", { name: "Proposed board" });
    await expect(proposed).toContainText("Agent proposes a new board");
    await expect(board.spoken).toContainText("Agent proposes a new board: Replace the board");
    await expect(page.getByRole("textbox", { name: "Title", exact: true })).toBeFocused();
    await expect(board.card("T-1")).toBeVisible();
    await proposed.getByRole("button", { name: "Proposed" }).click();
    await expect(board.card("T-1")).toBeHidden();
  });
});
