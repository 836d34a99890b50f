// "Next" five times shows all that the start page says: with hands, without, and by keyboard alone.

import { expect, test } from "./demo.ts";
import { StartPage } from "./start-page.ts";

test.describe.configure({ mode: "parallel", timeout: 600_000 });

test("with hands: each moment waits for the visitor, and says what came of it", async ({ page, demo }) => {
  const start = new StartPage(page);
  const { board } = start;
  await start.open(demo.url, { patient: true });

  await test.step("grab a card while it works", async () => {
    await start.next.click();
    await start.waits(/half way through and waits for you/);
    await board.drag("T-3", "Done");
    await start.ends(
      /The agent said: “Meanwhile, ada moved 'Keyboard shortcuts, with a list of them' \(T-3\) from Backlog to Done.*” Its run is done, and “Keyboard shortcuts, with a list of them” \(T-3\) is where you put it\./,
      "1 of 5 seen",
    );
    for (const cardId of ["T-42", "T-1"]) await expect(board.cardIn("In Progress", cardId)).toBeVisible();
    await expect(board.cardIn("Done", "T-3")).toBeVisible();
    await expect(board.conversation).toContainText(/Meanwhile, ada moved '.*' \(T-3\) from Backlog to Done/);
  });

  await test.step("take back its run, keep yours", async () => {
    await start.next.click();
    await start.ends(
      /The agent’s 2 changes are gone\. Yours stayed: “Keyboard shortcuts, with a list of them” \(T-3\)/,
      "2 of 5 seen",
    );
    for (const cardId of ["T-42", "T-1"]) await expect(board.cardIn("Backlog", cardId)).toBeVisible();
    await expect(board.cardIn("Done", "T-3")).toBeVisible();
  });

  await test.step("make it ask first", async () => {
    await start.next.click();
    await start.waits(/Nothing has changed yet/);
    await expect(page.getByRole("radio", { name: "Ask me first" })).toBeChecked();
    await expect(board.cardIn("Backlog", "T-42")).toBeVisible();
    await start
      .ghost("T-1")
      .getByRole("button", { name: /^Accept/ })
      .click();
    await expect(start.ghost("T-1")).toHaveCount(0);
    await start
      .ghost("T-42")
      .getByRole("button", { name: /^Decline/ })
      .click();
    await start.ends(/You decided on .*\(T-42\) and .*\(T-1\): 1 of 2 accepted/, "3 of 5 seen");
    await expect(board.cardIn("Backlog", "T-42")).toBeVisible();
    await expect(board.cardIn("In Progress", "T-1")).toBeVisible();
  });

  await test.step("pull the plug", async () => {
    await start.next.click();
    await start.waits(/This page is offline\. Move two cards/);
    await board.drag("T-42", "In Progress");
    await expect(board.card("T-42")).toHaveAttribute("data-pending");
    await board.drag("T-2", "In Progress");
    await start.waits(/loaded again, still offline, and your 2 edits are there/);
    await expect(page.getByRole("button", { name: "Offline model" })).toBeVisible();
    await expect(board.cardIn("In Progress", "T-42")).toHaveAttribute("data-pending");
    await start.connection.click();
    await start.ends(
      /1 of 2 edits accepted\. The other was refused, with the reason: “Not moved: .*T-42.*'Review'/,
      "4 of 5 seen",
    );
    await expect(board.cardIn("Review", "T-42")).toBeVisible();
    await expect(board.cardIn("In Progress", "T-2")).toBeVisible();
  });

  await test.step("let it try", async () => {
    await start.next.click();
    await start.waits(/What differs is marked, on the branch and on the board/);
    await expect(start.changes).toHaveCount(3);
    await expect(start.beside).toContainText("On the branch: In Progress");
    await expect(board.titled("On the board: Backlog").first()).toBeVisible();
    await start.changes.nth(2).getByRole("checkbox").uncheck();
    await page.getByRole("button", { name: "Merge 2 of 3" }).click();
    await start.ends(/2 of 3 changes are merged into the board/, "5 of 5 seen");
  });
  await expect(start.next).toHaveText("Again: grab a card while it works");
});

// In the short form `accessibility.spec.ts` goes the same way.
test("without hands: the page shows its own, and the same sentences come", { tag: "@long" }, async ({ page, demo }) => {
  const start = new StartPage(page);
  await start.open(demo.url);
  const play = async (hands: number, sentence: RegExp, progress: string) => {
    await start.next.click();
    for (let hand = 0; hand < hands; hand += 1) await start.showMe.click();
    await start.ends(sentence, progress);
  };
  await test.step("the first hand comes by itself", async () => {
    await start.next.click();
    await start.ends(/The agent said: “Meanwhile, ada moved '.*' \(T-2\)/, "1 of 5 seen");
  });
  await play(
    0,
    /The agent’s 2 changes are gone\. Yours stayed: “Dark mode for the settings page” \(T-2\)/,
    "2 of 5 seen",
  );
  await play(2, /1 of 2 accepted/, "3 of 5 seen");
  await play(2, /1 of 2 edits accepted\. The other was refused, with the reason: “Not moved/, "4 of 5 seen");
  await play(1, /1 of 3 changes are merged/, "5 of 5 seen");
});

test("by the keyboard alone", { tag: "@long" }, async ({ page, demo }) => {
  const start = new StartPage(page);
  await start.board.open(demo.url);
  const press = async (target: Parameters<StartPage["tabTo"]>[0], key = "Enter") => {
    await start.tabTo(target);
    await page.keyboard.press(key);
  };
  await press(page.getByRole("checkbox", { name: /^Wait for me/ }), "Space");

  await press(start.next);
  await start.waits(/waits for you/);
  await start.moveByKeys("T-3");
  await start.ends(/Meanwhile, ada moved '.*' \(T-3\) from Backlog to In Progress/, "1 of 5 seen");

  await press(start.next);
  await start.ends(/Yours stayed: .*\(T-3\)/, "2 of 5 seen");

  await press(start.next);
  await start.waits(/Nothing has changed yet/);
  await press(start.ghost("T-42").getByRole("button", { name: /^Accept/ }));
  await expect(start.ghost("T-42")).toHaveCount(0);
  await press(start.ghost("T-1").getByRole("button", { name: /^Decline/ }));
  await start.ends(/1 of 2 accepted/, "3 of 5 seen");

  await press(start.next);
  await start.waits(/Move two cards/);
  await start.moveByKeys("T-1");
  await start.moveByKeys("T-2");
  await start.waits(/loaded again/);
  await press(start.connection, "Space");
  await start.ends(/refused, with the reason/, "4 of 5 seen");

  await press(start.next);
  await start.waits(/What differs is marked/);
  await press(start.changes.nth(0).getByRole("checkbox"), "Space");
  await press(page.getByRole("button", { name: "Merge 2 of 3" }));
  await start.ends(/2 of 3 changes are merged/, "5 of 5 seen");
});

test("a new board forgets what was seen, and another visitor has a board of their own", async ({
  page,
  browser,
  demo,
}) => {
  const start = new StartPage(page);
  await start.open(demo.url, { patient: true });
  await start.board.drag("T-3", "Done");
  await start.board.saved();
  const context = await browser.newContext();
  const other = new StartPage(await context.newPage());
  await other.open(demo.url);
  await expect(other.board.cardIn("Backlog", "T-3")).toBeVisible();
  await context.close();
  await start.page.getByRole("button", { name: "Begin again" }).click();
  await expect(start.board.cardIn("Backlog", "T-3")).toBeVisible();
  await expect(page.getByTestId("progress")).toHaveText("0 of 5 seen");
});
