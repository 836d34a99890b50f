// The agent: a LangChain agent whose tools are the board's operations, one that builds a board from scratch and one that reads its history.
// It is compiled once and serves every thread; which thread a run is about comes with the run.

import { board } from "@opstate/kanban-domain";
import { operationTools, opstateMiddleware, replacementTool, threadOfRun } from "@opstate/langgraph";
import { createAgent } from "langchain";
import { LatestCheckpoints } from "./latest-checkpoints.ts";
import type { ChosenModel } from "./model.ts";
import { recentChanges } from "./recent-changes.ts";

const systemPrompt = `You look after a kanban board that people edit at the same time as you.
- Use the ids from the board that you are shown: cardId such as T-42, columnId such as in-progress. Never invent an id of something that exists.
- Make independent changes in parallel, in one step. Make changes that depend on each other in separate steps.
- Every tool result is the board's verdict. A refusal says why and what exists: correct the call once, or tell the user why it cannot be done. Never say that something was done when it was refused.
- When others changed the board while you worked, say so in your next message.
- Build a whole new board only when asked for one. Answer in a few plain sentences, without markdown.`;

export function createKanbanAgent({ model }: Pick<ChosenModel, "model">) {
  const thread = threadOfRun(board);
  const buildBoard = replacementTool(board, {
    thread,
    name: "buildBoard",
    description: "Replace the whole board by a new one: its columns from left to right, and their cards from top to bottom",
  });
  const tools = [...operationTools(board, { thread }), buildBoard, recentChanges];
  // The conversation lives as long as the server; the board itself is in the log.
  return createAgent({
    model,
    systemPrompt,
    tools,
    middleware: [opstateMiddleware(board, { thread })],
    checkpointer: new LatestCheckpoints(),
  });
}
