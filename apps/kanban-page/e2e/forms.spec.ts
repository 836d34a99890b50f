// Forms in place: cards, columns and the person's name.

import type { Locator, Page } from "playwright/test";
import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

/** The title field of an open card form. */
const titleField = (page: Page): Locator => page.getByRole("textbox", { name: "Title", exact: true });

test("cards are added in place, one after the other", { tag: "@smoke" }, async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const title = titleField(page);
  await page.keyboard.press("n");
  await expect(title).toBeFocused();
  await page.getByRole("form", { name: "New card in Backlog" }).getByText("P1").click();
  await title.fill("Buy\nmilk");
  await title.press("Enter");
  const card = board.column("Backlog").locator("[data-card-id]").filter({ hasText: "Buy milk" });
  await expect(card).toBeVisible();
  await expect(card).toContainText("P1");
  // The form is ready for the next card.
  await expect(title).toBeFocused();
  await expect(title).toHaveValue("");
  await title.press("Escape");
  await expect(page.getByRole("button", { name: "Add card to Backlog" })).toBeFocused();
});

test("a card is edited in place by keyboard", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const title = titleField(page);
  await board.card("T-2").focus();
  await page.keyboard.press("Enter");
  await expect(title).toBeFocused();
  await expect(title).toHaveValue("Dark mode for the settings page");
  await page.keyboard.type(" and the help");
  await page.keyboard.press("Enter");
  await expect(board.card("T-2")).toContainText("Dark mode for the settings page and the help");
  await expect(board.card("T-2")).toBeFocused();
  await expect(board.entry(2)).toContainText("and the help");
});

test("Escape leaves a card unchanged", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.card("T-2").focus();
  await page.keyboard.press("Enter");
  await expect(titleField(page)).toBeFocused();
  await page.keyboard.type(", never");
  await page.keyboard.press("Escape");
  await expect(titleField(page)).toHaveCount(0);
  await expect(board.card("T-2")).toBeFocused();
  await expect(board.card("T-2")).not.toContainText("never");
});

test("a card is removed in place", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.card("T-2").dblclick();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(board.card("T-2")).toHaveCount(0);
  await expect(board.entry(2)).toContainText("(T-2)");
});

test("columns are added, renamed and removed in place", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await page.getByRole("button", { name: "Add column" }).click();
  const title = page.getByRole("textbox", { name: "Title of the column" });
  await expect(title).toBeFocused();
  await title.fill("Backlog");
  await expect(page.getByRole("form", { name: "New column" })).toContainText("already");
  await expect(page.getByRole("button", { name: "Add column" })).toBeDisabled();
  await title.fill("Later");
  await title.press("Enter");
  await expect(board.column("Later")).toBeVisible();

  await board.column("Later").getByRole("button", { name: "Later", exact: true }).click();
  const renamed = page.getByRole("textbox", { name: "New title of Later" });
  await expect(renamed).toBeFocused();
  await page.keyboard.type("Some day");
  await page.keyboard.press("Escape");
  await expect(board.column("Later")).toBeVisible();
  await board.column("Later").getByRole("button", { name: "Later", exact: true }).click();
  await page.keyboard.type("Some day");
  await page.keyboard.press("Enter");
  await expect(board.column("Some day")).toBeVisible();

  await board.column("Some day").getByRole("button", { name: "Remove column" }).click();
  await expect(board.column("Some day")).toHaveCount(0);
});

test("another name is another person", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await page.getByRole("button", { name: "You are ada" }).click();
  const name = page.getByRole("textbox", { name: "Your name on this board" });
  await expect(name).toBeFocused();
  await name.fill("grace!");
  await name.press("Enter");
  await expect(page.getByText("A name has 1 to 32 letters")).toBeVisible();
  await name.fill("grace");
  await name.press("Enter");
  await expect(page.getByRole("button", { name: "You are grace" })).toBeVisible();
  await board.drag("T-1", "Done");
  await expect(board.entry(2)).toContainText("grace (you)");
  // A click elsewhere leaves it as it is.
  await page.getByRole("button", { name: "You are grace" }).click();
  await expect(name).toHaveValue("grace");
  await page.getByRole("heading", { name: "Backlog" }).click({ position: { x: 1, y: 1 } });
  await expect(name).toHaveCount(0);
});
