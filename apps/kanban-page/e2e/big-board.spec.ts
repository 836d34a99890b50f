// The board of ten thousand cards works like the small one.

import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test(
  "ten thousand cards are a few elements, and move by mouse and by keyboard",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await test.step("few of the cards are elements", async () => {
      await page.getByRole("link", { name: "10,000 cards" }).click();
      await expect(board.column("Ideas").getByTestId("card-count")).toHaveText("3,000");
      await expect(board.card("T-1")).toBeVisible();
      expect(await page.locator("[data-card-id]").count()).toBeLessThan(200);
    });

    await test.step("by keyboard", async () => {
      await board.card("T-1").focus();
      for (let step = 0; step < 40; step += 1) await page.keyboard.press("ArrowDown");
      await expect(board.card("T-41")).toBeFocused();
      await expect(board.card("T-41")).toBeInViewport();
      await expect(board.card("T-1")).toHaveCount(0);
      await page.keyboard.press("Space");
      await page.keyboard.press("ArrowRight");
      await expect(board.spoken).toContainText("Backlog, position 41 of 3001");
      await page.keyboard.press("Space");
      await expect(board.spoken).toContainText("; accepted.");
      await expect(board.cardIn("Backlog", "T-41")).toBeInViewport();
      await expect(board.card("T-41")).toBeFocused();
      await expect(board.column("Ideas").getByTestId("card-count")).toHaveText("2,999");
    });

    await test.step("by mouse, scrolled far down: the card lands among the visible ones", async () => {
      await board
        .column("Ideas")
        .getByRole("list")
        .evaluate((list) => list.scrollTo(0, 60_000));
      await expect(board.card("T-42")).toHaveCount(0);
      const target = board.column("Ideas").locator("[data-card-id]").nth(12);
      const index = Number(await target.getAttribute("data-index"));
      expect(index).toBeGreaterThan(500);
      const from = await board.cardIn("Backlog", "T-41").boundingBox();
      const to = await target.boundingBox();
      if (!from || !to) throw new Error("the cards are not shown");
      await page.mouse.move(from.x + 60, from.y + 20);
      await page.mouse.down();
      await page.mouse.move(to.x + 60, to.y + 4, { steps: 10 });
      await page.mouse.up();
      await expect(board.cardIn("Ideas", "T-41")).toBeInViewport();
      const { state } = (await server.get("/threads/big")) as { state: { columns: { cards: { cardId: string }[] }[] } };
      expect(state.columns[0]?.cards[index]?.cardId).toBe("T-41");
    });
  },
);
