// The slider and the keys show the board at any version, read only, while the present goes on.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test("the board at any version, and back to now", { tag: "@smoke" }, async ({ page, server }) => {
  await server.edit({ type: "move", cardId: "T-1", toColumn: "done" }, "grace");
  await server.edit({ type: "move", cardId: "T-1", toColumn: "review" }, "grace");
  const board = new BoardPage(page);
  await board.open(server.page);
  await expect(board.cardIn("Review", "T-1")).toBeVisible();
  const banner = page.getByTestId("past-banner");
  const past = (column: string) => board.column(column).locator("[data-still-card=T-1]");

  await test.step("one version back by key, where nothing can be changed", async () => {
    await page.keyboard.press("[");
    await expect(banner).toContainText("Version 2 of 3");
    await expect(banner).toContainText("grace");
    await expect(past("Done")).toBeVisible();
    await expect(page.locator("[data-card-id]")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Add card" })).toHaveCount(0);
  });

  const slider = page.getByRole("slider", { name: "Version of the board" });
  await test.step("further back with the slider", async () => {
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(banner).toContainText("Version 1 of 3");
    await expect(past("Backlog")).toBeVisible();
    await expect(slider).toHaveAttribute("aria-valuetext", /Version 1 of 3/);
  });

  await test.step("the present goes on behind it", async () => {
    await server.edit({ type: "move", cardId: "T-2", toColumn: "done" }, "grace");
    await expect(banner).toContainText("Version 1 of 4");
    await page.keyboard.press("]");
    await expect(banner).toContainText("Version 2 of 4");
  });
  await test.step("back to now by key", async () => {
    await page.keyboard.press("Escape");
    await expect(banner).toHaveCount(0);
    await expect(board.cardIn("Review", "T-1")).toBeVisible();
    await expect(board.cardIn("Done", "T-2")).toBeVisible();
  });

  await test.step("there and back by button", async () => {
    await page.getByRole("button", { name: "v1: show the board at this version" }).click();
    await expect(banner).toContainText("Version 1 of 4");
    await page.getByRole("button", { name: /Back to now/ }).click();
    await expect(banner).toHaveCount(0);
  });
});
