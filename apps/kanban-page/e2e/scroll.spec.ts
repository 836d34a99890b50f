// The board scrolls to changes by others, and never while the person uses it.

import type { Page } from "playwright/test";
import { BoardPage } from "./support/board-page.ts";
import { type DemoServer, expect, test } from "./support/server.ts";

test.use({ viewport: { width: 1440, height: 700 }, chunkDelay: 40 });

/** Eight columns, and thirty cards in the first one: more than there is room for. */
async function fill(server: DemoServer): Promise<void> {
  for (const title of ["Five", "Six", "Seven", "Eight"]) await server.edit({ type: "addColumn", title }, "grace");
  for (let index = 1; index <= 25; index++)
    await server.edit({ type: "addCard", columnId: "backlog", title: `Card ${index}`, priority: 3 }, "grace");
}

/** The board, when it follows others: the code for that is loaded after it. */
async function openFollowing(page: Page, server: DemoServer): Promise<BoardPage> {
  const board = new BoardPage(page);
  await board.open(server.page);
  await expect(page.locator("[data-board][data-columns-move]")).toHaveCount(1);
  return board;
}

const scrolled = (page: Page) =>
  page.locator("[data-board]").evaluate((board) => ({
    across: board.scrollLeft,
    down: board.querySelector("[data-column-id=backlog] [data-cards]")?.scrollTop,
  }));

interface Scroll {
  readonly left: number;
  /** While the agent was at work. */
  readonly atWork: boolean;
}

/** Where the page was scrolled to, in each event from now on. */
async function watchScrolling(page: Page): Promise<() => Promise<Scroll[]>> {
  await page.evaluate(() => {
    const seen: Scroll[] = [];
    Object.assign(window, { seenScrolls: seen });
    const board = document.querySelector("[data-board]");
    board?.addEventListener("scroll", () =>
      seen.push({ left: board.scrollLeft, atWork: document.querySelector("button[aria-label=Stop]") !== null }),
    );
  });
  return () => page.evaluate(() => (window as unknown as { seenScrolls: Scroll[] }).seenScrolls);
}

test("it follows the agent, in the middle of its run, to the column and to the card", async ({ page, server }) => {
  await fill(server);
  const board = await openFollowing(page, server);
  expect(await scrolled(page)).toEqual({ across: 0, down: 0 });
  const scrolls = await watchScrolling(page);
  await board.say("Move T-42 to Eight, then T-15 to Eight, then T-23 to Eight, then summarise");
  await expect(board.cardIn("Eight", "T-42")).toBeInViewport({ ratio: 1 });
  await board.answered();
  expect((await scrolls()).filter(({ atWork }) => atWork)).not.toEqual([]);
  await board.ask("Set priority of 'Card 25' to 1");
  await expect(board.titled("Card 25")).toBeInViewport({ ratio: 1 });
  await expect.poll(async () => (await scrolled(page)).down).toBeGreaterThan(0);
  await expect(board.column("Backlog")).toBeInViewport({ ratio: 1 });
});

test("it follows others, but not one's own edits from elsewhere", { tag: "@smoke" }, async ({ page, server }) => {
  await fill(server);
  const board = await openFollowing(page, server);
  const scrolls = await watchScrolling(page);
  await server.edit({ type: "move", cardId: "T-1", toColumn: "eight" }, "ada");
  await expect(board.cardIn("Eight", "T-1")).toHaveCount(1);
  await server.edit({ type: "move", cardId: "T-2", toColumn: "backlog", position: 0 }, "grace");
  await expect(board.entry(32)).toHaveCount(1);
  expect(await scrolls()).toEqual([]);
  await server.edit({ type: "move", cardId: "T-2", toColumn: "eight" }, "grace");
  await expect(board.cardIn("Eight", "T-2")).toBeInViewport({ ratio: 1 });
  // A way, not a jump. The card may be in view before the board moves: it is on its own way.
  await expect.poll(async () => new Set((await scrolls()).map(({ left }) => left)).size).toBeGreaterThan(1);
});

test("nothing moves under a hand: while it drags, and while it is on the board", async ({ page, server }) => {
  await fill(server);
  const board = await openFollowing(page, server);
  await board.card("T-1").hover();
  await page.mouse.down();
  await page.mouse.move(700, 300, { steps: 5 });
  await server.edit({ type: "move", cardId: "T-2", toColumn: "eight" }, "grace");
  await expect(board.cardIn("Eight", "T-2")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await server.edit({ type: "move", cardId: "T-3", toColumn: "eight" }, "grace");
  await expect(board.cardIn("Eight", "T-3")).toHaveCount(1);
  // Somebody writes a card: however long that takes.
  await board.column("Backlog").getByRole("button", { name: "Add card" }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
  await server.edit({ type: "move", cardId: "T-38", toColumn: "eight" }, "grace");
  await expect(board.cardIn("Eight", "T-38")).toHaveCount(1);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect((await scrolled(page)).across).toBe(0);
});

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });
  test("it is there at once", async ({ page, server }) => {
    await fill(server);
    const board = await openFollowing(page, server);
    const scrolls = await watchScrolling(page);
    await server.edit({ type: "move", cardId: "T-2", toColumn: "eight" }, "grace");
    await expect(board.cardIn("Eight", "T-2")).toBeInViewport({ ratio: 1 });
    expect(new Set((await scrolls()).map(({ left }) => left)).size).toBe(1);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, chunkDelay: 2 });
  test("it scrolls to what is proposed", { tag: "@smoke" }, async ({ page, server }) => {
    const board = await openFollowing(page, server);
    await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: "Agent" }).click();
    await board.mode("Ask me first");
    await board.ask("Move T-2 to Done");
    const ghost = page.locator("[data-ghost-of=T-2]");
    await expect(ghost).toBeInViewport();
    await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: "Board" }).click();
    await expect(ghost.getByRole("button", { name: /^Accept/ })).toBeInViewport({ ratio: 1 });
  });
});
