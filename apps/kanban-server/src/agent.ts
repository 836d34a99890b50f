// The agent: a LangChain agent. Its tools are the board's operations, one that builds a new board,
// one that undoes its last run, one that reads the history, and two that read a board which is too
// large to be shown.
//
// - A destructive step needs a person's approval, whatever the model says.
// - The agent is compiled once and serves every thread. Each run brings its thread.

import type { RunnableConfig } from "@langchain/core/runnables";
import { AGENT_PROMPT, board, TOOL_WORDS } from "@opstate/kanban-domain";
import { operationTools, opstateMiddleware, readTools, replacementTool, threadOfRun } from "@opstate/langgraph";
import { graphAgent } from "@opstate/langgraph/ag-ui";
import { createAgent } from "langchain";
import { destructiveStepMiddleware, stepNeedsApproval } from "./destructive-steps.ts";
import { LatestCheckpoints } from "./latest-checkpoints.ts";
import type { ChosenModel } from "./model.ts";
import { offerReplies } from "./offer-replies.ts";
import { recentChanges } from "./recent-changes.ts";
import { takeBack } from "./take-back.ts";
import { waitForHand } from "./wait-for-hand.ts";

export function createKanbanAgent({ model }: Pick<ChosenModel, "model">, checkpointer = new LatestCheckpoints()) {
  const thread = threadOfRun(board);
  const ask = { ask: askOf, approval: "propose" } as const;
  const buildBoard = replacementTool(board, {
    ...ask,
    thread,
    name: "buildBoard",
    description: TOOL_WORDS.buildBoard,
  });
  const changes = [...operationTools(board, { ...ask, thread }), buildBoard];
  const tools = [...changes, takeBack, recentChanges, offerReplies, ...readTools(board, { thread })];
  // It has the conversations; the board itself is in the log.
  return createAgent({
    model,
    systemPrompt: AGENT_PROMPT,
    tools,
    middleware: [waitForHand, opstateMiddleware(board, { thread }), destructiveStepMiddleware(changes)],
    checkpointer,
  });
}

/**
 * The agent for AG-UI clients. With `forwardedProps: { askFirst: true }` it proposes every change;
 * with `waitForHand: true` it waits for a person's change after its first one.
 */
export function kanbanRun(agent: ReturnType<typeof createKanbanAgent>) {
  return graphAgent(agent, {
    configurable: ({ input: { forwardedProps } }) => ({
      askFirst: isSet(forwardedProps, "askFirst"),
      waitForHand: isSet(forwardedProps, "waitForHand"),
    }),
  });
}

function askOf(config: RunnableConfig): "always" | "needed" {
  return config.configurable?.["askFirst"] === true || stepNeedsApproval(config) ? "always" : "needed";
}

function isSet(props: unknown, name: string): boolean {
  return typeof props === "object" && props !== null && Reflect.get(props, name) === true;
}
