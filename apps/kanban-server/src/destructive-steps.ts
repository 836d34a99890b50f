// What the agent does not do without a person's yes, whatever it was asked and whichever model it
// thinks with: empty more than one column in one run, or put another board in the place of one that
// has cards.
//
// Each step is tried on the board before its tools run, all its calls together: one by one each
// would seem to empty one column only. A step that would do too much waits as proposals, and so
// does what follows it in the run: it was meant for a board that is not there yet. On a branch
// nothing waits: a person merges it.

import { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { getCurrentTaskInput, StateSchema } from "@langchain/langgraph";
import { type Board, board, findColumn } from "@opstate/kanban-domain";
import { type OperationTool, threadOfRun } from "@opstate/langgraph";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod";

/** What a run did so far, as far as it matters here. */
export interface RunEffects {
  /** The columns that it emptied at once. */
  readonly emptied: string[];
  /** Whether its calls wait for a person's yes from now on. */
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

/** Whether the step that the running tool belongs to waits for a person's yes. */
export function stepNeedsApproval(config: RunnableConfig): boolean {
  return TaskInput.safeParse(getCurrentTaskInput(config)).data?._runEffects.needsApproval === true;
}

/** The care that a run needs once these updates are its next step. */
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
