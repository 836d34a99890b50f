// The layout: which panes are visible together at which width.

import { axeOn, inWords } from "../../../tools/axe.ts";
import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

const titles = ["Backlog", "In Progress", "Review", "Done"];

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`${colorScheme}, 1440 wide`, () => {
    test.use({ colorScheme, viewport: { width: 1440, height: 900 } });

    test("the chat and all four columns are on the screen, whole", { tag: "@smoke" }, async ({ page, server }) => {
      const board = new BoardPage(page);
      await board.open(server.page);
      const chat = await page.getByRole("region", { name: "Agent" }).boundingBox();
      const log = await page.getByRole("region", { name: "Log", exact: true }).boundingBox();
      expect(chat?.width).toBe(320);
      expect(log?.width).toBe(48);
      for (const title of titles) {
        const column = await board.column(title).boundingBox();
        if (!chat || !log || !column) throw new Error(`${title} is not shown`);
        expect(column.width, title).toBeGreaterThanOrEqual(190);
        expect(column.width, title).toBeLessThanOrEqual(280);
        expect(column.x, title).toBeGreaterThanOrEqual(chat.x + chat.width);
        expect(column.x + column.width, title).toBeLessThanOrEqual(log.x);
      }
      expect(
        await page.locator("[data-board]").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBe(0);
    });
  });
}

test.describe("1440 wide", () => {
  test.use({ viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: "reduce" } });

  test("the log is a rail that opens over the board's edge, by hand and by key, and stays as it was left", async ({
    page,
    server,
  }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    const done = await board.column("Done").boundingBox();
    const button = page.getByRole("button", { name: "Log", exact: true }).and(page.locator("[aria-expanded]"));
    await test.step("it opens by key", async () => {
      await expect(button).toHaveAttribute("aria-expanded", "false");
      await expect(board.tab("Timeline")).toBeHidden();
      await button.focus();
      await page.keyboard.press("Enter");
      await expect(button).toHaveAttribute("aria-expanded", "true");
      await expect(button).toBeFocused();
      await expect(board.tab("Timeline")).toBeVisible();
      await expect(board.entry(1)).toBeVisible();
    });
    await test.step("nothing of the board moved, and it is accessible", async () => {
      expect(await board.column("Done").boundingBox()).toEqual(done);
      const { violations } = await axeOn(page).analyze();
      expect(inWords(violations)).toEqual([]);
    });
    await test.step("what it controls follows it in the order of the keys", async () => {
      await page.keyboard.press("Tab");
      await expect(board.tab("Timeline")).toBeFocused();
      await page.keyboard.press("ArrowRight");
      await expect(board.tab("Proposals")).toBeFocused();
    });
    await test.step("it stays open over a reload", async () => {
      await page.reload();
      await expect(board.tab("Timeline")).toBeVisible();
    });
    await test.step("Escape closes it", async () => {
      await board.tab("Timeline").focus();
      await page.keyboard.press("Escape");
      await expect(board.tab("Timeline")).toBeHidden();
      await expect(button).toBeFocused();
      await expect(button).toHaveAttribute("aria-expanded", "false");
    });
  });

  test("what waits for a decision is counted on the rail, and one click away", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.mode("Ask me first");
    await board.ask("Move T-1 to Done, move T-2 to Done");
    const waiting = page.getByRole("button", { name: "2 proposals" });
    await waiting.click();
    await expect(waiting).toHaveAttribute("aria-expanded", "true");
    await expect(page.getByRole("list", { name: "Proposals" }).getByRole("listitem")).toHaveCount(2);
    await waiting.click();
    await expect(page.getByRole("list", { name: "Proposals" })).toBeHidden();
    // From a card to its entry.
    await board.card("T-42").hover();
    await page.locator("[data-ghost-of=T-1]").getByRole("button", { name: /^Edit/ }).click();
    await expect(page.getByRole("form", { name: /^Do it differently/ })).toBeVisible();
    // Escape leaves the form first, then the log.
    await page.keyboard.press("Escape");
    await expect(page.getByRole("form", { name: /^Do it differently/ })).toBeHidden();
    await expect(page.getByRole("list", { name: "Proposals" })).toBeVisible();
  });
});

for (const { width, chat, whole, log } of [
  { width: 1600, chat: 320, whole: titles, log: 300 },
  { width: 1024, chat: 280, whole: titles.slice(0, 3), log: undefined },
  { width: 768, chat: 280, whole: titles.slice(0, 2), log: undefined },
  // Half of 1440, as in a frame beside another one.
  { width: 720, chat: 280, whole: titles.slice(0, 2), log: undefined },
  { width: 360, chat: undefined, whole: titles.slice(0, 1), log: undefined },
])
  test(`${width} wide, ${whole.length} columns are whole${chat === undefined ? "" : " beside the chat"} and nothing hangs over the page's edge`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const board = new BoardPage(page);
    await board.open(server.page);
    const agent = page.getByRole("region", { name: "Agent" });
    if (chat !== undefined) expect((await agent.boundingBox())?.width).toBe(chat);
    for (const title of whole) {
      const column = await board.column(title).boundingBox();
      expect(column?.x, title).toBeGreaterThanOrEqual(chat ?? 0);
      expect((column?.x ?? 0) + (column?.width ?? 0), title).toBeLessThanOrEqual(width);
    }
    if (log !== undefined)
      expect((await page.getByRole("region", { name: "Log", exact: true }).boundingBox())?.width).toBe(log);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

test("768 wide, the log is a sheet over the board, and the chat stays", async ({ page, server }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  const board = new BoardPage(page);
  await board.open(server.page);
  await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: "Log" }).click();
  await expect(board.tab("Timeline")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message to the agent" })).toBeVisible();
  await expect(board.card("T-1")).toBeInViewport();
});

test(
  "320 by 256, as on a page enlarged four times, a card is whole and nothing is lost",
  { tag: "@smoke" },
  async ({ page, server }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    const board = new BoardPage(page);
    await board.open(server.page);
    await expect(board.card("T-42")).toBeInViewport({ ratio: 1 });
    const tabs = await page.getByRole("navigation", { name: "Panes" }).boundingBox();
    const card = await board.card("T-42").boundingBox();
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    // What has no room is further down.
    await page.getByRole("slider", { name: "Version of the board" }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("slider", { name: "Version of the board" })).toBeInViewport();
    await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: "Agent" }).click();
    await page.getByRole("textbox", { name: "Message to the agent" }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("textbox", { name: "Message to the agent" })).toBeInViewport({ ratio: 1 });
  },
);

test("on a phone the chat is a sheet, and its last answer stays below the board", async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  const board = new BoardPage(page);
  await board.open(server.page);
  const pane = (name: string) => page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });
  await pane("Agent").click();
  await board.ask("Move T-1 to Done");
  // The board is in sight above the sheet.
  await expect(board.column("Done")).toBeInViewport();
  await pane("Board").click();
  await expect(page.getByRole("textbox", { name: "Message to the agent" })).toBeHidden();
  await expect(board.lastAnswer).toBeInViewport({ ratio: 1 });
  await expect(board.lastAnswer).toHaveText(/Moved '.*' \(T-1\) to Done\./);
  await expect(board.cardIn("Done", "T-1")).toBeInViewport();
});
