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

  const slider = page.getByRole("slider", { name: "Version of the board" });
  await expect(slider).toHaveValue("3");
  await test.step("one version back by key, where nothing can be changed", async () => {
    await page.keyboard.press("[");
    await expect(banner).toContainText("Version 2 of 3");
    await expect(banner).toContainText("grace");
    // It is spoken once: the banner itself is no live region.
    await expect(board.spoken).toContainText("Version 2 of 3, read only.");
    await expect(page.getByRole("status").filter({ hasText: "Version 2 of 3" })).toHaveCount(1);
    await expect(past("Done")).toBeVisible();
    await expect(page.locator("[data-card-id]")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Add card" })).toHaveCount(0);
  });

  await test.step("further back with the slider", async () => {
    await expect(slider).toHaveValue("2");
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

  await test.step("an old version is restored as one edit, by button and by key, and that is undone", async () => {
    await page.keyboard.press("[");
    await page.keyboard.press("[");
    await expect(past("Done")).toBeVisible();
    await page.getByRole("button", { name: /Restore this version/ }).click();
    await expect(banner).toHaveCount(0);
    await expect(board.cardIn("Done", "T-1")).toBeVisible();
    await expect(board.cardIn("Backlog", "T-2")).toBeVisible();
    await expect(board.spoken).toContainText("The board is again as it was at version 2; accepted.");
    await expect(page.getByTestId("feed")).toContainText("Restore version 2");
    await page.keyboard.press("z");
    await expect(board.cardIn("Review", "T-1")).toBeVisible();
    await expect(board.cardIn("Done", "T-2")).toBeVisible();

    await slider.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await expect(past("Backlog")).toBeVisible();
    await page.keyboard.press("r");
    await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
  });
});

test("what does not fit is a group that says how many, and opens when it is chosen", async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  for (let turn = 0; turn < 40; turn += 1)
    await server.edit({ type: "editCard", cardId: "T-1", priority: 1 + (turn % 4) }, "grace");
  const board = new BoardPage(page);
  await board.open(server.page);
  const slider = page.getByRole("slider", { name: "Version of the board" });
  const [ticks, older, newer] = [".version-tick", "[data-group=older]", "[data-group=newer]"].map((part) =>
    page.locator(part),
  );
  if (!ticks || !older || !newer) throw new Error("three parts");
  await expect(slider).toHaveAttribute("aria-valuetext", /^Now, version 41/);
  await expect(ticks).not.toHaveCount(0);
  const shown = await ticks.count();
  expect(shown).toBeGreaterThan(5);
  await expect(older).toHaveText(String(41 - shown));
  const [first, second] = [await ticks.nth(0).boundingBox(), await ticks.nth(1).boundingBox()];
  expect(Math.abs((first?.x ?? 0) - (second?.x ?? 0))).toBeGreaterThanOrEqual(10);

  await test.step("not by another button, which may bring a menu and is not let go then", async () => {
    await slider.hover();
    await page.mouse.down({ button: "right" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(newer).toBeVisible();
    await page.mouse.up({ button: "right" });
    await page.keyboard.press("Escape");
    await expect(newer).toHaveCount(0);
  });
  await test.step("by a press, once it is let go", async () => {
    const group = await older.boundingBox();
    if (!group) throw new Error("there is no group");
    await page.mouse.move(group.x + group.width / 2, group.y + group.height / 2);
    await page.mouse.down();
    await expect(slider).toHaveAttribute("aria-valuetext", new RegExp(`^Version ${41 - shown} of 41`));
    await expect(newer).toHaveCount(0);
    // The thumb stays beside the group, wherever in it the hand is.
    await page.mouse.move(group.x - 8, group.y + group.height / 2);
    await expect(slider).toHaveValue(String(41 - shown));
    await page.mouse.up();
    await expect(newer).toBeVisible();
    await expect(page.getByTestId("past-banner")).toContainText(`Version ${41 - shown} of 41`);
  });
  await test.step("and key by key, to the newest", async () => {
    for (let version = 41 - shown + 1; version < 41; version += 1) {
      await page.keyboard.press("]");
      await expect(slider).toHaveAttribute("aria-valuetext", new RegExp(`^Version ${version} of 41`));
    }
    await page.keyboard.press("]");
    await expect(page.getByTestId("past-banner")).toHaveCount(0);
    await expect(newer).toHaveCount(0);
  });
  await test.step("the key that restores one shows the board, where another pane is in front", async () => {
    const pane = (name: string) => page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });
    await page.keyboard.press("[");
    await expect(page.getByRole("button", { name: /Restore this version/ })).toBeEnabled();
    await pane("Log").click();
    await page.keyboard.press("r");
    await expect(pane("Board")).toHaveAttribute("aria-current", "page");
    await expect(board.spoken).toContainText("The board is again as it was at version 40; accepted.");
  });
});
