// A server that is started with other code than the one before it: what happened stays what
// happened, and a mistake in the code changes nothing without a word.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

const RELEASE = {
  NODE_ENV: "production",
  NODE_OPTIONS: `--import=${new URL("../support/next-release.ts", import.meta.url).href}`,
};

test.use({ kills: true });

test("code that moves cards elsewhere leaves those that were moved", { tag: "@long" }, async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const done = () =>
    board
      .column("Done")
      .locator("[data-card-id]")
      .evaluateAll((cards) => cards.map((card) => card.getAttribute("data-card-id")));
  await board.ask("Rename T-42 to 'Undo for everyone'");
  await board.ask("Move T-1 to Done, then move T-2 to Done");
  await expect.poll(done).toEqual(["T-8", "T-11", "T-19", "T-1", "T-2"]);

  await server.kill();
  await server.start(RELEASE);
  await board.saved();
  await test.step("a run before the moves is undone, and they are not done anew", async () => {
    await board.runs.last().getByRole("button", { name: "Undo this run" }).click();
    await expect(board.card("T-42")).toContainText("Let people undo an agent's whole run");
    expect(await done()).toEqual(["T-8", "T-11", "T-19", "T-1", "T-2"]);
  });
  await test.step("what is moved now is moved by the new code", async () => {
    await board.ask("Move T-3 to Done");
    await expect.poll(done).toEqual(["T-3", "T-8", "T-11", "T-19", "T-1", "T-2"]);
  });
  await test.step("a reload shows the same", async () => {
    await page.reload();
    await board.saved();
    await expect.poll(done).toEqual(["T-3", "T-8", "T-11", "T-19", "T-1", "T-2"]);
  });
});

test.describe("in production", () => {
  test.use({ env: RELEASE });

  test(
    "a write in a callback is refused with words, and nothing changes",
    { tag: "@long" },
    async ({ page, server }) => {
      const board = new BoardPage(page);
      await board.open(server.page);
      await board.card("T-2").focus();
      await page.keyboard.press("Enter");
      const title = page.getByRole("textbox", { name: "Title", exact: true });
      await title.fill("Night colours");
      await title.press("Enter");
      await expect(page.getByTestId("refusal")).toContainText("for...of");
      await expect(board.card("T-2")).toContainText("Dark mode for the settings page");
      const before = await server.get("/threads/demo");
      expect(before).toMatchObject({ version: 1 });
      expect(JSON.stringify(before)).not.toContain("Night colours");
      await server.kill();
      await server.start();
      expect(await server.get("/threads/demo")).toEqual(before);
    },
  );
});
