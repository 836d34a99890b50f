// An agent of the OpenAI Agents SDK on a thread: what an `Agent` and its runs need of it.
//
//   callModelInputFilter ── state, what others changed ──> model ── calls ──> tools ──> thread
//            ▲                                                                  │
//            └── what became of calls that a person rejected                    └─> verdict, news

import { HostCalls, HostContext, lastCommitOf } from "@opstate/agent";
import type { HostCallsOptions, HostContextOptions } from "@opstate/agent";
import { defined, type AnyDefinition } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import type { CallModelInputFilter, FunctionTool, Session, ToolToFinalOutputFunction } from "@openai/agents";
import { modelInput } from "./model-input.ts";
import { ShownItems } from "./shown-items.ts";
import { threadTools } from "./thread-tools.ts";

export interface ThreadAgentOptions<D extends AnyDefinition = AnyDefinition> extends HostCallsOptions<D> {
  /** Where the state is shown to the model, how much of it, and in which words. */
  readonly context?: Omit<HostContextOptions, "name">;
}

export interface ThreadAgent {
  /** For the agent: the operations that the actor may use, and two tools that read. */
  readonly tools: FunctionTool[];
  /** For the agent: ends the run of a model that repeats a refused call. */
  readonly toolUseBehavior: ToolToFinalOutputFunction;
  /**
   * For `run` or the `Runner`: shows the model the state and what others changed, and what became
   * of rejected calls. Nothing of it enters the run's history.
   */
  readonly callModelInputFilter: CallModelInputFilter;
  /** For `run`: the session, which keeps nothing of what a call shows. */
  session<Kept extends Session>(session: Kept): Kept;
}

/**
 * An agent's side of a thread, made for one run: its commits can be undone together. With an
 * `approver`, operations that need approval are interruptions of the run; without one they wait as
 * proposals. The `approver` must be the person who answers, with the right to approve: the thread
 * records the approval under their name. A run that goes on in another process has the same
 * `conversation`.
 *
 * Rejects with a TypeError when `approver` has no `conversation`.
 *
 * @example
 * ```ts
 * import { threadAgent } from "@opstate/openai-agents";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 *
 * const { tools } = await threadAgent({ thread, actor: { kind: "agent", id: "planner" } });
 * tools.map(({ name }) => name); // ["add", "counter_read", "counter_find"]
 * // const agent = new Agent({ name: "Planner", model, tools, toolUseBehavior });
 * // await run(agent, "Add two", { callModelInputFilter });
 * ```
 */
export async function threadAgent<D extends AnyDefinition>(options: ThreadAgentOptions<D>): Promise<ThreadAgent> {
  const { context, ...given } = options;
  const { runId = randomId(), since = await lastCommitOf(given.thread, given.actor), name } = given;
  const calls = new HostCalls({ ...given, runId, since });
  const words = new HostContext(calls.session, { ...context, ...defined({ name }) });
  const shown = new ShownItems(name ?? given.thread.definition.name);
  return {
    tools: threadTools(calls),
    toolUseBehavior: () =>
      calls.ended === undefined
        ? { isFinalOutput: false, isInterrupted: undefined }
        : { isFinalOutput: true, isInterrupted: undefined, finalOutput: calls.ended },
    callModelInputFilter: modelInput(calls, words, shown, { inSystem: context?.place === "system" }),
    session: (session) => shown.keptSession(session),
  };
}
