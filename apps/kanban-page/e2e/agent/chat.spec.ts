// The conversation: answers are announced, a run can be stopped, and the agent's mode is kept.

import { BoardPage } from "../support/board-page.ts";
import { expect, test } from "../support/server.ts";

test(
  "an answer is said when it is complete, and the conversation and the choice outlive a reload",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.mode("Ask me first");
    await board.ask("Move T-1 to Done");
    const answer = (await board.lastAnswer.textContent()) ?? "";
    expect(answer).toContain("I propose 1 change");
    await expect(board.spoken).toHaveText(answer);
    await page.reload();
    await expect(board.lastAnswer).toHaveText(answer);
    await expect(board.calls).toHaveAttribute("data-verdict", "proposed");
    await expect(page.getByRole("radio", { name: "Ask me first" })).toBeChecked();
  },
);

test(
  "proposals are decided at their calls, which say what became of them, after a reload too",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.mode("Ask me first");
    await board.ask("Move T-1 to Done, remove T-15, move T-3 to Review, move T-2 to Done");
    const verdicts = board.calls.locator(".call-verdict");
    await expect(verdicts).toHaveText(Array.from({ length: 4 }, () => "Proposed, waiting for you"));

    await test.step("accepted by a key: the focus stays at the call", async () => {
      await board.decide("(T-1)", "Accept").press("Enter");
      await expect(board.cardIn("Done", "T-1")).toBeVisible();
      await expect(verdicts.first()).toHaveText("Accepted by you");
      await expect(board.spoken).toHaveText("1 proposal accepted.");
      await expect(board.calls.first().locator("summary")).toBeFocused();
    });

    await test.step("declined with a word, on second thoughts", async () => {
      await board.decide("(T-15)", "Decline").click();
      await page.keyboard.press("Escape");
      await expect(board.decide("(T-15)", "Decline")).toBeFocused();
      await page.keyboard.press("Enter");
      await page.keyboard.type("We still need it");
      await page.keyboard.press("Enter");
      await expect(verdicts.nth(1)).toHaveText("Declined by you");
    });

    await test.step("done differently", async () => {
      await board.decide("(T-3)", "Edit").click();
      await board.conversation.getByRole("combobox", { name: "To the column" }).selectOption("In Progress");
      await board.conversation.getByRole("button", { name: "Do it like this" }).click();
      await expect(board.cardIn("In Progress", "T-3")).toBeVisible();
      await expect(verdicts.nth(2)).toHaveText("Done differently by you");
    });

    await test.step("no longer possible", async () => {
      await server.edit({ type: "remove", cardId: "T-2" }, "grace");
      await expect(verdicts.nth(3)).toHaveText("No longer possible");
      await expect(board.decide("(T-2)", "Accept")).toHaveCount(0);
    });

    await page.reload();
    await expect(verdicts).toHaveText([
      "Accepted by you",
      "Declined by you",
      "Done differently by you",
      "No longer possible",
    ]);
    await expect(board.calls).toContainText([
      "Move 'Write the launch announcement' (T-1): Backlog -> Done",
      "Remove 'Keep edits made while offline' (T-15) from In Progress",
      "Move 'Keyboard shortcuts, with a list of them' (T-3): Backlog -> Review",
      "Move 'Dark mode for the settings page' (T-2): Backlog -> Done",
    ]);
  },
);

test.describe("while the answer comes slowly", () => {
  test.use({ chunkDelay: 2_000 });

  test("a run is stopped in the middle of a call, and the field is free for the next question", async ({
    page,
    server,
  }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.say("Move T-1 to Done");
    await expect(board.calls).toHaveAttribute("data-verdict", "running");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(board.calls).toHaveAttribute("data-verdict", "stopped");
    await expect(board.conversation.getByRole("alert")).toHaveCount(0);
    await page.getByRole("textbox", { name: "Message to the agent" }).fill("Then leave it");
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  });
});

test("a question of the agent has answers to click, which go when one is chosen", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask("delte T-38");
  const answers = page.getByRole("list", { name: "Answers" }).getByRole("button");
  await expect(answers).toHaveText(["delete 'Ask ten customers about pricing' (T-38)", "Leave it"]);
  await expect(board.card("T-38")).toBeVisible();
  await answers.first().click();
  await expect(board.card("T-38")).toBeHidden();
  await expect(answers).toHaveCount(0);
});

test("the name of the model outlives a reload without a connection", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const model = page.getByRole("button", { name: "Offline model" });
  await expect(model).toBeVisible();
  await page.getByRole("switch", { name: "Connection" }).click();
  await expect(page.getByTestId("status")).toContainText("Offline");
  await page.reload();
  await expect(model).toBeVisible();
});

test("a message that did not reach the agent is sent again by a button", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const connection = page.getByRole("switch", { name: "Connection" });
  await connection.click();
  await board.say("Move T-1 to Done");
  const problem = board.conversation.getByRole("alert");
  await expect(problem).toContainText("The agent cannot be reached. Your message is kept");
  await connection.click();
  await expect(page.getByTestId("status")).toContainText("Live");
  await problem.getByRole("button", { name: "Send again" }).click();
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  await board.answered();
  await expect(problem).toHaveCount(0);
});
