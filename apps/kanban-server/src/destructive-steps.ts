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
import { type Board, board, findColumn } from "@opstate/kanban-domain";
import { type OperationTool, threadOfRun } from "@opstate/langgraph";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod";

/** What a run did so far. */
export interface RunEffects {
  /** The columns that the run emptied. */
  readonly emptied: string[];
  /** Whether its calls need a person's approval from now on. */
  readonly needsApproval: boolean;
}

const ACTOR = { kind: "agent", id: "agent" } as const;
const RunEffectsSchema = z.object({ emptied: z.array(z.string()), needsApproval: z.boolean() });
const TaskInput = z.object({ _runEffects: RunEffectsSchema });
const threadOf = threadOfRun(board);
const noEffects = (): RunEffects => ({ emptied: [], needsApproval: false });

export function destructiveStepMiddleware(tools: readonly OperationTool[]): AgentMiddleware {
  return createMiddleware({
    name: "destructiveSteps",
    stateSchema: new StateSchema({ _runEffects: RunEffectsSchema.optional() }),
    beforeAgent: () => ({ _runEffects: noEffects() }),
    afterModel({ messages, _runEffects = noEffects() }, runtime) {
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

/** The effects of a run after these updates as its next step. */
export function effectsAfter(
  effects: RunEffects,
  before: Board | null,
  updates: readonly { readonly type: string }[],
): RunEffects {
  let after = before;
  let replaces = false;
  for (const update of updates) {
    const { accepted, state } = board.transition(after, update, { actor: ACTOR });
    if (accepted && update.type === "$replace" && (hasCards(before) || hasCards(after))) replaces = true;
    after = state;
  }
  const isEmpty = (columnId: string) => ((after && findColumn(after, columnId))?.cards.length ?? 0) === 0;
  const filled = (before?.columns ?? []).filter(({ cards }) => cards.length > 0).map(({ columnId }) => columnId);
  const emptied = [...new Set([...effects.emptied, ...filled])].filter(isEmpty);
  return effects.needsApproval || replaces || emptied.length > 1
    ? { emptied: effects.emptied, needsApproval: true }
    : { emptied, needsApproval: false };
}

const hasCards = (state: Board | null): boolean => state?.columns.some(({ cards }) => cards.length > 0) ?? false;
