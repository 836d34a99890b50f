// The main scenarios of the board in a real browser.

import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test(
  "chat builds a board, once that is accepted, and moves a card, and the counts are right in every frame",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    const counts = await board.watchCounts();
    const old = board.column("Backlog").getByText("Write the launch announcement");
    await expect(old).toBeVisible();
    await board.ask("Build a board for launching a website");
    const proposed = page.getByRole("region", { name: "Proposed board" });
    await proposed.getByRole("button", { name: "As it is" }).click();
    await expect(old).toBeVisible();
    await board.tab("Proposals").click();
    await page.getByRole("button", { name: "Accept all (1)" }).click();
    await expect(old).toHaveCount(0);
    expect(await page.locator("[data-column-id]").count()).toBeGreaterThanOrEqual(3);
    expect(await page.locator("[data-card-id]").count()).toBeGreaterThanOrEqual(6);
    await board.ask("Move T-42 to In Progress");
    await expect(board.cardIn("In Progress", "T-42")).toBeVisible();
    await expect(board.calls.last()).toContainText("Accepted");
    const { frames, wrong } = await counts();
    expect(wrong).toEqual([]);
    expect(frames).toBeGreaterThan(10);
  },
);

test.describe("while the agent works", () => {
  test.use({ chunkDelay: 120 });

  test("a person's drag survives, and the agent's next step knows of it", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.say("Move T-1 to In Progress, then T-2 to Review, then summarise");
    await expect(board.calls.first()).toHaveAttribute("data-verdict", "accepted");
    await board.drag("T-3", "Done");
    await expect(board.cardIn("Done", "T-3")).toBeVisible();
    await board.answered();
    await expect(board.cardIn("In Progress", "T-1")).toBeVisible();
    await expect(board.cardIn("Review", "T-2")).toBeVisible();
    await expect(board.cardIn("Done", "T-3")).toBeVisible();
    await expect(board.lastAnswer).toContainText("T-3");
    const { state } = (await server.get("/threads/demo")) as {
      state: { columns: { title: string; cards: { cardId: string }[] }[] };
    };
    expect(state.columns.find((column) => column.title === "Done")?.cards.map((card) => card.cardId)).toContain("T-3");
  });
});

test("parallel calls that conflict get their true verdicts, and the answer is right about both", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("Remove T-15 and move T-15 to Done");
  await expect(board.calls).toHaveCount(2);
  await expect(board.calls.first()).toHaveAttribute("data-verdict", "accepted");
  await expect(board.calls.last()).toHaveAttribute("data-verdict", "refused");
  await expect(board.card("T-15")).toHaveCount(0);
  await expect(board.lastAnswer).toContainText(/Removed '.*' \(T-15\)/);
  await expect(board.lastAnswer).toContainText(/not|could/i);
});

test("an impossible request is refused with a reason, and the state is byte-identical", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const before = JSON.stringify(await server.get("/threads/demo"));
  await board.ask("Move T-999 to Done");
  await expect(board.lastAnswer).toContainText("T-999");
  await expect(board.feed.first()).toContainText("Refused");
  await expect(board.feed.first()).toContainText("T-999");
  expect(JSON.stringify(await server.get("/threads/demo"))).toBe(before);
  await page.reload();
  await expect(board.feed.first()).toContainText("Refused");
});

test("a webhook's card appears in two windows, and a malformed call changes nothing", async ({
  page,
  context,
  server,
}) => {
  const boards = [new BoardPage(page), new BoardPage(await context.newPage())];
  for (const board of boards) await board.open(server.page);
  const added = await server.post({
    type: "addCard",
    columnId: "backlog",
    title: "<img src=x onerror=alert(1)>",
    priority: 2,
  });
  expect(added.status).toBe(200);
  for (const board of boards)
    await expect(board.column("Backlog").getByText("<img src=x onerror=alert(1)>")).toBeVisible();

  const before = JSON.stringify(await server.get("/threads/demo"));
  const malformed: [string, string | object][] = [
    ["an unknown type", { type: "fly" }],
    ["a wrong shape", { type: "addCard", columnId: 7 }],
    ["what is not JSON", "{nope"],
    ["a megabyte", { type: "addCard", columnId: "backlog", title: "x".repeat(1_000_000), priority: 1 }],
    ["10,000 levels", "[".repeat(10_000) + "]".repeat(10_000)],
  ];
  for (const [name, body] of malformed) {
    const answer = await server.post(body);
    expect(answer.status, name).toBeGreaterThanOrEqual(400);
    expect(answer.status, name).toBeLessThan(500);
    expect(answer.type, name).toContain("application/problem+json");
  }
  expect(JSON.stringify(await server.get("/threads/demo"))).toBe(before);
});

test.describe("a server that is killed", () => {
  test.use({ kills: true });

  test("kill -9 loses nothing acknowledged, and a pending edit is delivered exactly once", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    for (const cardId of ["T-1", "T-2", "T-3"]) {
      await board.drag(cardId, "Done");
      await expect(board.cardIn("Done", cardId)).not.toHaveAttribute("data-pending");
    }
    await server.kill();
    await expect(page.getByTestId("status")).not.toContainText("Live");
    await board.drag("T-23", "Backlog");
    await expect(board.cardIn("Backlog", "T-23")).toBeVisible();
    await expect(board.card("T-23")).toHaveAttribute("data-pending");
    await server.start();
    await expect(page.getByTestId("status")).toContainText("All edits saved");
    const { version, state } = (await server.get("/threads/demo")) as {
      version: number;
      state: { columns: { columnId: string; cards: { cardId: string }[] }[] };
    };
    const place = (cardId: string) =>
      state.columns.find((column) => column.cards.some((card) => card.cardId === cardId))?.columnId;
    expect(["T-1", "T-2", "T-3", "T-23"].map(place)).toEqual(["done", "done", "done", "backlog"]);
    // The sample, three drags, and the pending one: once.
    expect(version).toBe(5);
  });
});

test("after a reload the board is there before any model call", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.drag("T-1", "Review");
  await expect(board.cardIn("Review", "T-1")).not.toHaveAttribute("data-pending");
  const agentCalls: string[] = [];
  page.on("request", (request) => request.url().includes("/ag-ui/") && agentCalls.push(request.url()));
  await page.reload();
  await expect(board.cardIn("Review", "T-1")).toBeVisible();
  expect(agentCalls).toEqual([]);
});

test("a refused drag goes back and says why", { tag: "@smoke" }, async ({ page, context, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  // Another window removes the column while this one is offline.
  await server.post({ type: "addColumn", columnId: "blocked", title: "Blocked", position: 1 });
  await expect(board.column("Blocked")).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByTestId("status")).toContainText("Offline");
  await server.post({ type: "removeColumn", columnId: "blocked" });
  await board.drag("T-2", "Blocked");
  await expect(board.cardIn("Blocked", "T-2")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByTestId("refusal")).toContainText("there is no column 'blocked'");
  await expect(board.cardIn("Backlog", "T-2")).toBeVisible();
});

test("the field that a key leads to gets the keys that follow at once", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await page.keyboard.type("/hello");
  await expect(page.getByRole("textbox", { name: "Message to the agent" })).toHaveValue("hello");
  await page.keyboard.press("Escape");
  await board.card("T-42").focus();
  await page.keyboard.type("nA new card\n");
  await expect(board.column("Backlog").getByText("A new card")).toBeVisible();
});
