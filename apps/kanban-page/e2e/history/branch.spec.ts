// "Let it try": the agent works on a branch; the board stays as it is until somebody merges, and it
// can be discarded.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test(
  "a branch is shown in a frame, with its changes in words, and merged in part and whole",
  { tag: "@smoke" },
  async ({ page, context, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    const other = new BoardPage(await context.newPage());
    await other.open(server.page);
    await test.step("the agent tries it", async () => {
      await board.mode("Let it try");
      await board.ask("Move T-1 to Done, move T-2 to Review, set priority of T-42 to 4");
    });
    const frame = page.getByTestId("branch-frame");
    await test.step("the branch is shown", async () => {
      await expect(frame).toHaveAttribute("data-shown", "branch");
      await expect(board.cardIn("Done", "T-1")).toBeVisible();
    });
    const beside = page.getByTestId("still-board");
    await test.step("the board is beside it, and what differs is marked on both", async () => {
      await expect(beside).toHaveAccessibleName("The board, read only");
      await expect(beside.locator("[data-still-card=T-1]")).toContainText("On the branch: Done");
      await expect(board.card("T-1")).toContainText("On the board: Backlog");
      await expect(beside.locator("[data-still-card=T-42]")).toContainText("On the branch: P4");
      await expect(board.card("T-3").and(page.locator("[data-differs]"))).toHaveCount(0);
      const [left, right] = [await beside.boundingBox(), await page.locator("[data-board]").boundingBox()];
      if (left === null || right === null) throw new Error("One of the two is not shown.");
      expect(left.y).toBe(right.y);
      expect(left.x + left.width).toBeLessThan(right.x);
    });
    await test.step("undo and versions belong to the board, which is not shown", async () => {
      await board.card("T-1").focus();
      await page.keyboard.press("z");
      await expect(board.spoken).toContainText("Show the board first");
      await expect(page.getByRole("slider")).toHaveCount(0);
    });
    await test.step("the branch's own log explains its cards", async () => {
      await board.card("T-1").getByRole("button", { name: "Why T-1?" }).click();
      const why = page.getByTestId("why");
      await expect(why).toContainText("(T-1): Backlog -> Done");
      await expect(why).toContainText("In a run of 3 changes");
      await expect(why.getByRole("button", { name: "Show in the timeline" })).toHaveCount(0);
      await page.keyboard.press("Escape");
    });
    await test.step("others see the board", async () => {
      await expect(other.cardIn("Backlog", "T-1")).toBeVisible();
      await frame.getByRole("button", { name: "Work on the board" }).click();
      await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
      await expect(beside).toHaveAccessibleName("The branch, read only");
    });

    const changes = page.getByRole("list", { name: "Changes on the branch" }).getByRole("listitem");
    await test.step("a part of it is merged", async () => {
      await expect(changes).toHaveCount(3);
      await expect(changes.first()).toContainText("(T-1): Backlog -> Done");
      await changes.filter({ hasText: "T-2" }).getByRole("checkbox").uncheck();
      await page.getByRole("button", { name: "Merge 2 of 3" }).click();
      await expect(other.cardIn("Done", "T-1")).toBeVisible();
      await expect(other.card("T-42")).toContainText("P4");
      await expect(other.cardIn("Backlog", "T-2")).toBeVisible();
      await expect(changes.first()).toContainText("Merged");
      await expect(beside.locator("[data-still-card=T-1]").and(page.locator("[data-differs]"))).toHaveCount(0);
      await expect(beside.locator("[data-still-card=T-2]")).toContainText("On the board: Backlog");
    });

    await test.step("a change that the board would refuse is marked before the merge", async () => {
      await server.edit({ type: "remove", cardId: "T-2" }, "grace");
      await expect(changes.filter({ hasText: "T-2" })).toContainText("The board would refuse it now");
    });
    await test.step("the rest is discarded", async () => {
      await page.getByRole("button", { name: "Discard the branch" }).click();
      await expect(frame).toHaveCount(0);
      await expect(board.cardIn("Done", "T-1")).toBeVisible();
    });
  },
);

test("a branch outlives a reload, goes on with the next request, and is gone when all of it is merged", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.mode("Let it try");
  await board.ask("Move T-1 to Done");
  await page.reload();
  const frame = page.getByTestId("branch-frame");
  await expect(frame).toHaveAttribute("data-shown", "board");
  await board.ask("Move T-2 to Done");
  await expect(frame).toHaveAttribute("data-shown", "branch");
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  await expect(board.cardIn("Done", "T-2")).toBeVisible();
  // A person may work on it, too.
  await board.drag("T-3", "Done");
  await page.getByRole("button", { name: "Merge all (3)" }).click();
  await expect(frame).toHaveCount(0);
  for (const cardId of ["T-1", "T-2", "T-3"]) await expect(board.cardIn("Done", cardId)).toBeVisible();
  await expect(page.getByTestId("feed")).toContainText(
    "Merge: Move 'Write the launch announcement' (T-1): Backlog -> Done",
  );
  // What was merged is the run's that did it: with it, it goes.
  await board.runs.first().getByRole("button", { name: "Undo this run" }).click();
  await expect(board.cardIn("Backlog", "T-2")).toBeVisible();
  for (const cardId of ["T-1", "T-3"]) await expect(board.cardIn("Done", cardId)).toBeVisible();
  await expect(board.spoken).toContainText("The run is taken back: 1 change");
});

test("a card that is added and refined on the branch is merged beside one that a person added meanwhile", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.mode("Let it try");
  await board.ask("Add a card 'Call the printer' to Backlog");
  await board.ask("Rename 'Call the printer' to 'Call two printers'");
  await server.edit({ type: "addCard", columnId: "backlog", title: "Ada's card" }, "ada");
  const changes = page.getByRole("list", { name: "Changes on the branch" }).getByRole("listitem");
  await expect(changes).toHaveCount(2);
  await expect(page.getByText("The board would refuse it now")).toHaveCount(0);
  await page.getByRole("button", { name: "Merge all (2)" }).click();
  // All of it is merged, so the branch is gone.
  await expect(page.getByTestId("branch-frame")).toHaveCount(0);
  await expect(board.titled("Ada's card")).toHaveCount(1);
  await expect(board.titled("Call two printers")).toHaveCount(1);
  await expect(board.titled("Call the printer")).toHaveCount(0);
});

test("a change that would touch another card on the board says which, and is not merged", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.mode("Let it try");
  await board.ask("Rename T-2 to 'Night colours'");
  await test.step("what is proposed on the branch is decided in the chat", async () => {
    // As a run does that began on the branch and goes on after "Ask me first" was chosen.
    const runs = /\/ag-ui\/kanban\?/;
    await page.route(runs, (route) => {
      const { forwardedProps, ...input } = route.request().postDataJSON() as { forwardedProps: object };
      return route.continue({ postData: { ...input, forwardedProps: { ...forwardedProps, askFirst: true } } });
    });
    await board.ask("Move T-3 to Review");
    await page.unroute(runs);
    await expect(board.calls.last()).toContainText("Proposed on the branch, waiting for you");
    const decision = board.conversation.getByRole("group", { name: /^Decide: Move .*\(T-3\)/ });
    await decision.getByRole("button", { name: "Decline" }).click();
    await decision.getByRole("button", { name: "Decline" }).click();
    await expect(board.calls.last()).toContainText("Declined by you");
  });
  await board.mode("Just do it");
  // The new board has a T-2 as well.
  await board.ask("Build a board for launching a website");
  await board.tab("Proposals").click();
  await page.getByRole("button", { name: "Accept all (1)" }).click();
  await page.getByRole("button", { name: "Work on the board" }).click();
  const title = "Sketch the page structure";
  await expect(board.card("T-2")).toContainText(title);
  const change = page.getByRole("list", { name: "Changes on the branch" }).getByRole("listitem");
  await expect(change).toContainText(`The board would refuse it now. On the board it would set "title" of "${title}"`);
  await expect(change).toContainText('instead of "Dark mode for the settings page"');
  await page.getByRole("button", { name: "Merge all (1)" }).click();
  await expect(board.spoken).toContainText("0 of 1 changes merged");
  await expect(board.card("T-2")).toContainText(title);
});
