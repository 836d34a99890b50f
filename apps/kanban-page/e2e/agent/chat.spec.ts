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
