// Destructive steps of the agent need a person's approval, with any model: a run that empties more
// than one column, and a replacement of a board that has cards.
//
// - Each step is tried on the board before its tools run, with all its calls together. Tried alone,
//   each call would empty only one column.
// - A destructive step becomes proposals. So do all later steps of the run, because they were meant
//   for a board that does not exist yet.
// - On a branch nothing needs approval, because a person merges it.

import { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { getCurrentTaskInput, StateSchema } from "@langchain/langgraph";
import { board, effectsAfter, NO_EFFECTS } from "@opstate/kanban-domain";
import { type OperationTool, threadOfRun } from "@opstate/langgraph";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod";

const RunEffectsSchema = z.object({ emptied: z.array(z.string()), needsApproval: z.boolean() });
const TaskInput = z.object({ _runEffects: RunEffectsSchema });
const threadOf = threadOfRun(board);

export function destructiveStepMiddleware(tools: readonly OperationTool[]): AgentMiddleware {
  return createMiddleware({
    name: "destructiveSteps",
    stateSchema: new StateSchema({ _runEffects: RunEffectsSchema.optional() }),
    beforeAgent: () => ({ _runEffects: NO_EFFECTS }),
    afterModel({ messages, _runEffects = NO_EFFECTS }, runtime) {
      const thread = threadOf(runtime);
      if (thread.parent !== undefined) return undefined;
      const last = messages.at(-1);
      const calls = AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
      const updates = calls.flatMap(({ name, args }) => tools.find((tool) => tool.name === name)?.updateOf(args) ?? []);
      return { _runEffects: effectsAfter(_runEffects, thread.getState(), updates) };
    },
  });
}

/** Whether the running tool's step needs a person's approval. */
export function stepNeedsApproval(config: RunnableConfig): boolean {
  return TaskInput.safeParse(getCurrentTaskInput(config)).data?._runEffects.needsApproval === true;
}
