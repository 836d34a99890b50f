// Who else is here, and what they are at: other tabs, other people, and the agent while it works.

import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test("two tabs show each other, and the card that each is at", { tag: "@smoke" }, async ({ context, server }) => {
  const [one, other] = [new BoardPage(await context.newPage()), new BoardPage(await context.newPage())];
  await one.open(server.page);
  await expect(one.here).toHaveCount(0);
  await other.open(server.page);
  for (const board of [one, other]) await expect(board.here).toHaveText("you");
  await one.card("T-2").focus();
  await expect(other.here).toHaveText(/^\s*you\s*Dark mode for the settings page\s*T-2\s*$/);
  await expect(other.card("T-2")).toHaveAttribute("data-here", "user");
  await expect(one.card("T-2")).not.toHaveAttribute("data-here");
  await one.card("T-3").focus();
  await expect(other.card("T-3")).toHaveAttribute("data-here", "user");
  await expect(other.card("T-2")).not.toHaveAttribute("data-here");
  await one.page.close();
  await expect(other.here).toHaveCount(0);
  await expect(other.card("T-3")).not.toHaveAttribute("data-here");
});

test("another person is seen by name, editing a card", async ({ page, browser, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const context = await browser.newContext();
  await context.addInitScript(() => localStorage.setItem("opstate.user", "grace"));
  const theirs = new BoardPage(await context.newPage());
  await theirs.open(server.page);
  await expect(board.here).toHaveText("grace");
  await theirs.card("T-1").focus();
  await theirs.page.keyboard.press("Enter");
  await expect(board.here).toHaveAttribute("title", "grace is editing 'Write the launch announcement' (T-1)");
  await expect(board.card("T-1")).toHaveAccessibleName(/grace is editing .*\(T-1\)/);
  await theirs.page.getByRole("switch", { name: "Connection" }).click();
  await expect(board.here).toHaveCount(0);
  await context.close();
});

test.describe("while the agent works", () => {
  test.use({ chunkDelay: 100 });

  test("it is here, at the card that it changed last", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    // Watched from before the question, in every frame: the agent soon goes on to the next card.
    const seenAt = (card: string) =>
      page.waitForFunction((id) => {
        const here = document.querySelector("[data-testid=here] li")?.textContent.replaceAll(/\s/gu, "");
        return (
          here?.startsWith("Agent") &&
          here.endsWith(id) &&
          here !== `Agent${id}` &&
          document.querySelector(`[data-card-id=${id}][data-here=agent]`) !== null
        );
      }, card);
    const seen = Promise.all([seenAt("T-1"), seenAt("T-2")]);
    await board.say("Move T-1 to In Progress, then T-2 to Review, then summarise");
    await seen;
    await board.answered();
    await expect(board.here).toHaveCount(0);
  });
});
