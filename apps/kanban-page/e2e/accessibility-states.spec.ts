// axe finds nothing where the agent asks, answers and proposes, wide and narrow, light and dark. In
// the long form: each state is looked at four times.

import { expectCleanLooks } from "../../../tools/axe-looks.ts";
import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test.describe("axe finds nothing", { tag: "@long" }, () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("before the first question, and with the choice of a model open", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await expectCleanLooks(page, "an empty chat");
    await page.locator(".chip-button").click();
    await expect(page.getByLabel("Your key")).toBeVisible();
    await expectCleanLooks(page, "the choice of a model");
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  test("with an answer, a refusal, a question, and a proposal with its forms", async ({ page, server }) => {
    test.slow();
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.ask("Move T-1 to Done, move T-999 to Done");
    await expectCleanLooks(page, "a refused call");
    await board.ask("reopen T-8");
    await expect(page.getByRole("list", { name: "Answers" })).toBeVisible();
    await expectCleanLooks(page, "a question with answers");
    await board.mode("Ask me first");
    await board.ask("Move T-2 to Done, remove T-15");
    await expect(page.locator("[data-ghost-of=T-2]")).toBeVisible();
    await expectCleanLooks(page, "proposals");
    await board.tab("Proposals").click();
    await page.getByRole("button", { name: "Decline", exact: true }).first().click();
    await expectCleanLooks(page, "a proposal that is being declined");
    await board.mode("Just do it");
    await board.ask("Build a board for launching a website");
    await expectCleanLooks(page, "a proposed replacement");
  });
});
