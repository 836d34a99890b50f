// axe finds nothing where the agent asks, answers and proposes, in the dialogs and forms, on a
// branch, and offline, wide and narrow, light and dark. In the long form: each state is looked at
// four times.

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

  test("with the keys, one's name, and the forms of a card and of a column", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await expectCleanLooks(page, "the keys");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^You are/ }).click();
    await page.getByLabel("Your name on this board").fill("?");
    await page.getByRole("button", { name: "Save" }).click();
    await expectCleanLooks(page, "a name that cannot be");
    await page.keyboard.press("Escape");
    await board.card("T-1").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("form", { name: /^Edit/ })).toBeVisible();
    await expectCleanLooks(page, "a card's form");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add column" }).click();
    await expectCleanLooks(page, "a column's form");
  });

  test("on a branch, and beside it", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.mode("Let it try");
    await board.ask("Move T-3 to Done, remove T-15");
    await expect(page.getByRole("list", { name: "Changes on the branch" }).getByRole("listitem")).not.toHaveCount(0);
    await expectCleanLooks(page, "the branch");
    await page.getByRole("button", { name: "Work on the board" }).click();
    await expectCleanLooks(page, "the board beside its branch");
  });

  test("offline with an edit that waits, and with one that is refused", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await page.getByRole("switch", { name: "Connection" }).click();
    await board.drag("T-42", "Review");
    await expect(board.card("T-42")).toHaveAttribute("data-pending");
    await expectCleanLooks(page, "offline");
    await server.edit({ type: "remove", cardId: "T-42" }, "grace");
    await page.getByRole("switch", { name: "Connection" }).click();
    await expect(page.getByTestId("refusal")).toBeVisible();
    await expectCleanLooks(page, "refused");
  });
});
