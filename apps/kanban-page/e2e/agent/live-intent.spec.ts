// What the agent is about to do, while the model still writes it.

import { BoardPage } from "../support/board-page.ts";
import { ScriptedAgent } from "../support/scripted-agent.ts";
import { expect, test } from "../support/server.ts";

test(
  "a card is there while its title is still written, and turns into the card, or says why not",
  { tag: "@smoke" },
  async ({ page, server }) => {
    const agent = await ScriptedAgent.on(page);
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.say("Add a card for the docs");
    const run = await agent.started();
    const ahead = board.column("Backlog").locator("[data-ahead]");
    const titled = board.column("Backlog").locator("[data-card-id]").filter({ hasText: "Write the docs" });

    await test.step("it grows as the model writes", async () => {
      await agent.send(
        { type: "TOOL_CALL_START", toolCallId: "call_1", toolCallName: "addCard" },
        { type: "TOOL_CALL_ARGS", toolCallId: "call_1", delta: '{"columnId":"backlog","title":"Write' },
      );
      await expect(ahead).toHaveText(/^Write\s*Writing/);
      await agent.send({ type: "TOOL_CALL_ARGS", toolCallId: "call_1", delta: " the docs" });
      await expect(ahead).toContainText("Write the docs");
      await expect(ahead).toHaveAttribute("data-ahead", "writing");
      await agent.send(
        { type: "TOOL_CALL_ARGS", toolCallId: "call_1", delta: '"}' },
        { type: "TOOL_CALL_END", toolCallId: "call_1" },
      );
      await expect(ahead).toHaveAttribute("data-ahead", "soon");
      // It is not in the log.
      await expect(titled).toHaveCount(0);
    });

    await test.step("it turns into the card", async () => {
      const operation = { type: "addCard", columnId: "backlog", title: "Write the docs" };
      await server.edit({ operation, toolCallId: "call_1", runId: run.runId }, "e2e");
      await expect(titled).toHaveCount(1);
      await expect(ahead).toHaveCount(0);
    });

    await test.step("a refused one says why, until it is dismissed", async () => {
      await agent.send(
        {
          type: "TOOL_CALL_RESULT",
          messageId: "m1",
          toolCallId: "call_1",
          content: "Accepted: board needed no change; it is at version 1.",
        },
        { type: "TOOL_CALL_START", toolCallId: "call_2", toolCallName: "addCard" },
        { type: "TOOL_CALL_ARGS", toolCallId: "call_2", delta: '{"columnId":"backlog","title":"One more"' },
      );
      await expect(ahead).toContainText("One more");
      await agent.send(
        { type: "TOOL_CALL_ARGS", toolCallId: "call_2", delta: "}" },
        { type: "TOOL_CALL_END", toolCallId: "call_2" },
        {
          type: "TOOL_CALL_RESULT",
          messageId: "m2",
          toolCallId: "call_2",
          content: "Refused (board_full): Not added: it is full.",
        },
      );
      await expect(ahead).toHaveAttribute("data-ahead", "refused");
      await expect(ahead).toContainText("Not added: it is full.");
      await agent.finish(run);
      await ahead.getByRole("button", { name: "Dismiss: One more" }).click();
      await expect(ahead).toHaveCount(0);
    });
  },
);
