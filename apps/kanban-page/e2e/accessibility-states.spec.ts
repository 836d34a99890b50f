// axe finds nothing in any state of the board's page, wide and narrow, light and dark. In the long
// form: each state is looked at four times.

import { expectCleanLooks } from "../../../tools/axe-looks.ts";
import { BoardPage } from "./board-page.ts";
import { expect, test } from "./server.ts";

test.describe("axe finds nothing", { tag: "@long" }, () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("with a dialog or a form open", async ({ page, server }) => {
    test.slow();
    const board = new BoardPage(page);
    await board.open(server.page);
    await expectCleanLooks(page, "an empty chat");
    await page.locator(".chip-button").click();
    await expect(page.getByLabel("Your key")).toBeVisible();
    await expectCleanLooks(page, "the choice of a model");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await expectCleanLooks(page, "the keys");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^You are/ }).click();
    await expect(page.getByLabel("Your name on this board")).toBeVisible();
    await expectCleanLooks(page, "the name");
    await page.keyboard.press("Escape");
    await board.card("T-2").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("form", { name: /^Edit .*\(T-2\)/ })).toBeVisible();
    await expectCleanLooks(page, "a card's form");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add card to Backlog" }).click();
    await expectCleanLooks(page, "a new card");
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

  test("beside a branch, in the past, offline, and refused", async ({ page, server }) => {
    test.slow();
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.mode("Let it try");
    await board.ask("Move T-3 to Done");
    await expect(page.getByTestId("still-board")).toBeVisible();
    await expectCleanLooks(page, "a branch");
    await page.reload();
    await board.open(server.page);
    await server.edit({ type: "move", cardId: "T-1", toColumn: "in-progress" }, "grace");
    await expect(board.cardIn("In Progress", "T-1")).toBeVisible();
    await page.keyboard.press("[");
    await expect(page.getByTestId("past-banner")).toBeVisible();
    await expectCleanLooks(page, "the past");
    await page.keyboard.press("Escape");
    await page.getByRole("switch", { name: "Connection" }).click();
    await board.drag("T-42", "Review");
    await expect(board.card("T-42")).toHaveAttribute("data-pending");
    await expectCleanLooks(page, "offline, with an edit that waits");
    await server.edit({ type: "move", cardId: "T-42", toColumn: "done" }, "grace");
    await page.getByRole("switch", { name: "Connection" }).click();
    await expect(page.getByTestId("refusal").first()).toBeVisible();
    await expectCleanLooks(page, "an edit that is refused");
  });
});
