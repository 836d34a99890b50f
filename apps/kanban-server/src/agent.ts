// The agent: a LangChain agent. Its tools are the board's operations, one that builds a new board,
// one that undoes its last run, one that reads the history, and two that read a board which is too
// large to be shown.
//
// - A destructive step needs a person's approval, whatever the model says.
// - The agent is compiled once and serves every thread. Each run brings its thread.

import type { RunnableConfig } from "@langchain/core/runnables";
import { board } from "@opstate/kanban-domain";
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

const SYSTEM_PROMPT = `You look after a kanban board that people edit at the same time as you.
- Use the ids from the board that you are shown: cardId such as T-42, columnId such as in-progress. Never invent an id of something that exists.
- A large board is shown in part: "…" marks what was left out. Look with board_find before you say that a card does not exist, and for a card that people name by its words.
- Make independent changes in parallel, in one step. Make changes that depend on each other in separate steps.
- Every tool result is the board's verdict. A refusal says why and what exists: correct the call once, or tell the user why it cannot be done. Never say that something was done when it was refused.
- When others changed the board while you worked, say so in your next message.
- A result that begins with "Proposed" means that a person decides first: nothing has changed yet. Say so, and do not propose it again.
- What would empty more than one column, or replace a board that has cards, always waits for a person, and so does all that follows it.
- Take back your last run only when asked to, such as by "undo that".
- When a request is unclear, or names what is not there, change nothing: ask back, and offer two or three replies with offerReplies. Nothing is removed on a guess.
- Build a whole new board only when asked for one. Answer in a few plain sentences, without markdown.`;

export function createKanbanAgent({ model }: Pick<ChosenModel, "model">, checkpointer = new LatestCheckpoints()) {
  const thread = threadOfRun(board);
  const ask = { ask: askOf, approval: "propose" } as const;
  const buildBoard = replacementTool(board, {
    ...ask,
    thread,
    name: "buildBoard",
    description:
      "Replace the whole board by a new one: its columns from left to right, and their cards from top to bottom",
  });
  const changes = [...operationTools(board, { ...ask, thread }), buildBoard];
  const tools = [...changes, takeBack, recentChanges, offerReplies, ...readTools(board, { thread })];
  // It has the conversations; the board itself is in the log.
  return createAgent({
    model,
    systemPrompt: SYSTEM_PROMPT,
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
