// The page in React and the page in Svelte are one page: the same board, the same elements, the
// same pixels.

import type { BrowserContext, TestInfo } from "playwright/test";
import { launchOptions } from "../../../tools/browser.mjs";
import { BoardPage } from "./support/board-page.ts";
import { elementsOf, pixelsApart } from "./support/compare-pages.ts";
import { type DemoServer, expect, test } from "./support/server.ts";

// Each test opens both pages, so it runs with one project only.
test.skip(({ app }) => app !== "react", "runs with the project react");

// Chromium paints again only what changed, and then the same corner may come out one shade off:
// even between two loads of one page.
const { args, ...browser } = launchOptions();
test.use({ launchOptions: { ...browser, args: [...args, "--disable-partial-raster"] } });

async function openBoth(context: BrowserContext, server: DemoServer): Promise<[BoardPage, BoardPage]> {
  const boards: [BoardPage, BoardPage] = [
    new BoardPage(await context.newPage()),
    new BoardPage(await context.newPage()),
  ];
  await boards[0].open(`${server.url}/react/`);
  await boards[1].open(`${server.url}/svelte/`);
  return boards;
}

test("an edit in one is in the other at once", async ({ context, server }) => {
  const [react, svelte] = await openBoth(context, server);
  await react.drag("T-1", "Done");
  await expect(svelte.cardIn("Done", "T-1")).toBeVisible();
  await svelte.drag("T-2", "Review");
  await expect(react.cardIn("Review", "T-2")).toBeVisible();
  await svelte.ask("Move T-3 to In Progress");
  for (const board of [react, svelte]) {
    await expect(board.cardIn("In Progress", "T-3")).toBeVisible();
    await expect(board.entry(4)).toHaveAttribute("data-kind", "agent");
  }
  // Undo is one's own last edit, wherever it was made.
  await react.page.keyboard.press("z");
  await expect(svelte.cardIn("Backlog", "T-2")).toBeVisible();
});

/** Waits until both pages have the same elements and the same pixels. */
async function expectSame([react, svelte]: [BoardPage, BoardPage], state: string, info: TestInfo): Promise<void> {
  await expect(async () => {
    const [ours, theirs] = [await elementsOf(svelte.page), await elementsOf(react.page)];
    expect(ours, state).toEqual(theirs);
    const [one, other] = [
      await react.page.screenshot({ animations: "disabled" }),
      await svelte.page.screenshot({ animations: "disabled" }),
    ];
    await info.attach(`${state}, React`, { body: one, contentType: "image/png" });
    await info.attach(`${state}, Svelte`, { body: other, contentType: "image/png" });
    expect(await pixelsApart(react.page, one, other), state).toEqual({ pixels: 0 });
  }).toPass({ intervals: [100, 250, 500], timeout: 60_000 });
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 360]) {
    const isShort = (colorScheme === "light") === (width === 1440);
    test.describe(`${colorScheme}, ${width} wide`, { tag: isShort ? [] : "@long" }, () => {
      test.use({
        colorScheme,
        contextOptions: { reducedMotion: "reduce" },
        viewport: { width, height: width === 360 ? 780 : 900 },
      });

      test("the same elements and the same pixels", async ({ context, server }, info) => {
        const boards = await openBoth(context, server);
        const both = async (act: (board: BoardPage) => Promise<void>) => {
          for (const board of boards) await act(board);
        };
        const same = (state: string) => expectSame(boards, state, info);
        const showPane = async (name: "Agent" | "Board" | "Log") => {
          if (width === 360)
            await both(({ page }) =>
              page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name }).click(),
            );
        };
        await same("idle");

        await server.edit({ type: "move", cardId: "T-1", toColumn: "in-progress" }, "grace");
        await server.edit({ type: "editCard", cardId: "T-2", title: "Write the announcement", priority: 1 }, "ada");
        await server.post({ type: "addCard", columnId: "review", title: "<b>From outside</b>", priority: 2 });
        await both((board) => expect(board.entry(4)).toHaveCount(1));
        await same("edited");
        await showPane("Log");
        await same("edited, the log");
        await showPane("Agent");
        await same("edited, the agent");
        await showPane("Board");

        await both(async ({ page }) => {
          await page.keyboard.press("[");
          await expect(page.locator("[data-past-version='3']")).toBeVisible();
        });
        await same("an old version");
        await both(({ page }) => page.keyboard.press("Escape"));

        await both(async (board) => {
          await board.card("T-2").focus();
          await board.page.keyboard.press("Enter");
        });
        await same("a card as a form");
        await both(({ page }) => page.keyboard.press("Escape"));
        await same("a card with the focus");
        await both(({ page }) => page.keyboard.press("Space"));
        await same("a lifted card");
        await both(({ page }) => page.keyboard.press("Escape"));
        await both(({ page }) => page.keyboard.press("n"));
        await same("a new card");
        await both(({ page }) => page.keyboard.press("Escape"));
        await both(({ page }) => page.keyboard.press("?"));
        await same("the keys");
        await both(({ page }) => page.keyboard.press("Escape"));

        // Cut off, both move a card that grace has moved meanwhile: both wait, and both are
        // refused.
        await both(async ({ page }) => {
          await page.getByRole("switch", { name: "Connection" }).click();
          await expect(page.getByRole("status", { name: "Announcements" })).toContainText("Offline.");
        });
        await both(async (board) => {
          await board.card("T-2").focus();
          for (const key of ["Space", "ArrowRight", "Space"]) await board.page.keyboard.press(key);
          await expect(board.card("T-2")).toHaveAttribute("data-pending");
        });
        await same("offline");
        await server.edit({ type: "move", cardId: "T-2", toColumn: "done" }, "grace");
        // One after the other: the tabs share a connection, and do not change its leader then.
        for (const { page } of boards) {
          await page.getByRole("switch", { name: "Connection" }).click();
          await expect(page.getByTestId("refusal")).toBeVisible();
        }
        await same("refused");
      });
    });
  }
}

test("what is proposed, what was decided and a proposed board look the same, too", async ({
  context,
  server,
}, info) => {
  const asking = new BoardPage(await context.newPage());
  await asking.open(`${server.url}/svelte/`);
  await asking.mode("Ask me first");
  await asking.ask("Move T-2 to Done, remove T-15");
  // Both pages have its conversation.
  const conversation = await asking.page.evaluate(() => sessionStorage.getItem("opstate.chat.ada.demo/svelte/") ?? "");
  await asking.page.close();
  await context.addInitScript((text) => {
    for (const app of ["react", "svelte"]) sessionStorage.setItem(`opstate.chat.ada.demo/${app}/`, text);
  }, conversation);
  const boards = await openBoth(context, server);
  for (const board of boards) {
    await board.tab("Proposals").click();
    await expect(board.page.locator("[data-ghost-of=T-2]")).toBeVisible();
    await expect(board.decide("(T-15)", "Accept")).toBeVisible();
  }
  await expectSame(boards, "proposed", info);
  const third = new BoardPage(await context.newPage());
  await third.open(`${server.url}/svelte/`);
  await third.tab("Proposals").click();
  await third.page.getByRole("button", { name: "Decline all" }).click();
  await expect(third.page.getByText("Nothing waits for you")).toBeVisible();
  await third.ask("Build a board for launching a website");
  await third.page.close();
  for (const { page } of boards)
    await expect(page.getByRole("region", { name: "Proposed board" })).toContainText("Register the domain");
  await expectSame(boards, "decided calls, and a proposed board", info);
});
