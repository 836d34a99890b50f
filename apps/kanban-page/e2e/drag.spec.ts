// A card is moved by keyboard and by finger as it is by mouse (`board.spec.ts` has that one), and a
// column by its head.

import type { Locator } from "playwright/test";
import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test("a card is moved with the keyboard, and the move is spoken", { tag: "@smoke" }, async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const spoken = page.getByRole("status", { name: "Announcements" });
  await board.card("T-1").focus();
  await page.keyboard.press("Space");
  await expect(spoken).toContainText("(T-1) lifted");
  // The place is shown while the board scrolls, too.
  await expect(page.locator("[data-columns-move]")).toBeVisible();
  await page.locator("[data-board]").dispatchEvent("scroll");
  await expect(page.locator(".drop-line")).toBeVisible();
  await page.keyboard.press("Space");
  await expect(spoken).toContainText(/Not moved: .*\(T-1\) stays where it was\./);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect(board.cardIn("In Progress", "T-1")).toBeVisible();
  await expect(spoken).toContainText(/\(T-1\) moved to In Progress.*; accepted\./);
});

test(
  "a column is moved by its head, and with the keyboard from its title",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await expect(board.columnTitles).toHaveText(["Backlog", "In Progress", "Review", "Done"]);
    const title = board.column("Review").getByRole("button", { name: "Review", exact: true });

    await test.step("by its head", async () => {
      await board.dragColumn("Review", "Backlog");
      await expect(board.columnTitles).toHaveText(["Review", "Backlog", "In Progress", "Done"]);
      await expect(board.cardIn("Review", "T-23")).toBeVisible();
      await expect(board.spoken).toContainText("Review moved to position 1 of 4; accepted.");
    });

    await test.step("with the keyboard", async () => {
      await title.focus();
      await page.keyboard.press("Space");
      await expect(board.spoken).toContainText("Review lifted, position 1 of 4.");
      for (const at of [2, 3, 4]) {
        await page.keyboard.press("ArrowRight");
        await expect(board.spoken).toContainText(`Position ${at} of 4.`);
      }
      await page.keyboard.press("Space");
      await expect(board.columnTitles).toHaveText(["Backlog", "In Progress", "Done", "Review"]);
      await expect(title).toBeFocused();
      // Its verdict is spoken when it comes, over what was spoken before.
      await expect(board.spoken).toContainText("Review moved to position 4 of 4; accepted.");
    });

    await test.step("not at all on Escape; a press that does not move renames", async () => {
      await page.keyboard.press("Space");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Escape");
      await expect(board.spoken).toContainText("Not moved: Review stays where it was.");
      await expect(page.locator("[data-lifted]")).toHaveCount(0);
      // A press that does not move renames, as before.
      await title.click();
      await expect(page.getByRole("textbox", { name: "New title of Review" })).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(board.columnTitles.last()).toHaveText("Review");
    });

    await test.step("before the column that was chosen, wherever that is meanwhile", async () => {
      await title.focus();
      await page.keyboard.press("Space");
      await page.keyboard.press("ArrowLeft");
      await expect(board.spoken).toContainText("Position 3 of 4.");
      await server.edit({ type: "move", fromColumn: "backlog", toColumn: "done", position: 3 }, "grace");
      await expect(board.columnTitles).toHaveText(["In Progress", "Done", "Review", "Backlog"]);
      await page.keyboard.press("Space");
      await expect(board.columnTitles).toHaveText(["In Progress", "Review", "Done", "Backlog"]);
    });
  },
);

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("a finger that rests on a card, or on the head of a column, moves it", async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    const finger = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x: number, y: number) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
    const move = async (thing: Locator, onto: Locator) => {
      const from = await thing.boundingBox();
      const to = await onto.boundingBox();
      if (!from || !to) throw new Error("the board is not shown");
      await touch("touchStart", from.x + 40, from.y + 20);
      await expect(page.locator("[data-lifted]")).toHaveCount(1);
      for (const step of [0.3, 0.6, 1])
        await touch(
          "touchMove",
          from.x + 40 + (to.x + to.width / 2 - from.x - 40) * step,
          from.y + 20 + (to.y + 24 - from.y - 20) * step,
        );
      await touch("touchEnd", 0, 0);
    };
    await move(board.card("T-1"), board.column("In Progress").getByRole("list"));
    await expect(board.cardIn("In Progress", "T-1")).toBeVisible();

    await expect(page.locator("[data-columns-move]")).toBeVisible();
    await move(board.column("Review").locator("[data-column-head]"), board.column("Backlog"));
    await expect(board.columnTitles).toHaveText(["Backlog", "Review", "In Progress", "Done"]);
  });
});
