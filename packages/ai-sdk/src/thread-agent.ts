// An agent of the AI SDK on a thread: what `generateText`, `streamText` and agents need of it.
//
//   prepareStep ── state, what others changed ──> model ── tool calls ──> tools ──> thread
//       ▲                                                                   │
//       └── what became of calls that a person declined                     └─> verdict, and news

import { HostCalls, HostContext, lastCommitOf } from "@opstate/agent";
import type { HostCallsOptions, HostContextOptions } from "@opstate/agent";
import { defined, type AnyDefinition } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import { preparedStep, type PrepareStep } from "./prepared-step.ts";
import { threadTools, type ThreadTools } from "./thread-tools.ts";

export interface ThreadAgentOptions<D extends AnyDefinition = AnyDefinition> extends HostCallsOptions<D> {
  /** Where the state is shown to the model, how much of it, and in which words. */
  readonly context?: Omit<HostContextOptions, "name">;
  /** After so many steps a run ends. Default 20. */
  readonly maxSteps?: number;
}

/** Whether a run ends after its last step. */
export type StopWhen = (options: { readonly steps: readonly unknown[] }) => boolean;

/** For `generateText`, `streamText` and `new ToolLoopAgent`: spread it, or pass part by part. */
export interface ThreadAgent {
  readonly tools: ThreadTools;
  /** Shows the model the state and what others changed, and what became of declined calls. */
  readonly prepareStep: PrepareStep;
  readonly stopWhen: StopWhen;
}

const DEFAULT_STEPS = 20;

/**
 * An agent's side of a thread, made for one request: a run of commits that can be undone together.
 * With an `approver`, operations that need approval request it by the SDK's own means; without one
 * they wait as proposals. The `approver` must be the person whose request it is, with the right to
 * approve: the thread records the approval under their name.
 *
 * Rejects with a TypeError when `approver` has no `conversation`.
 *
 * @example
 * ```ts
 * import { threadAgent } from "@opstate/ai-sdk";
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
 * const agent = await threadAgent({ thread, actor: { kind: "agent", id: "planner" } });
 * Object.keys(agent.tools); // ["add", "counter_read", "counter_find"]
 * // generateText({ model, prompt: "Add two", ...agent })
 * ```
 */
export async function threadAgent<D extends AnyDefinition>(options: ThreadAgentOptions<D>): Promise<ThreadAgent> {
  const { context, maxSteps = DEFAULT_STEPS, ...given } = options;
  const { runId = randomId(), since = await lastCommitOf(given.thread, given.actor), name } = given;
  const calls = new HostCalls({ ...given, runId, since });
  const words = new HostContext(calls.session, { ...context, ...defined({ name }) });
  return {
    tools: threadTools(calls),
    prepareStep: preparedStep(calls, words, { inSystem: context?.place === "system" }),
    stopWhen: ({ steps }) => steps.length >= maxSteps || calls.ended !== undefined,
  };
}
