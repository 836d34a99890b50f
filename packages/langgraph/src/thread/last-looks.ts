// What a sub-agent last saw, when its graph keeps nothing of it.
//
// An agent that a tool or a node calls has no checkpoints of its own: each call begins with an
// empty memory. So its looks are kept here, by what it looked at, and by the conversation of the
// agent around it (`thread_id`). Without a `thread_id` that is one run of the outermost graph.
//
// - They live as long as the process, or as the run. A sub-agent with `checkpointer: true`, or a
//   checkpointer of its own, has a memory that outlives it, which comes first.

import type { RunnableConfig } from "@langchain/core/runnables";
import { isInsideGraph, outermostRun } from "./inside-graph.ts";
import type { Observation } from "./run-memory.ts";

/** The oldest are forgotten. */
const MAX_LOOKS = 1_000;

export class Looks<Look> {
  readonly #byConversation = new Map<string, Look>();
  readonly #byRun = new WeakMap<object, Map<string, Look>>();

  /** Undefined outside of another agent's conversation. */
  get(config: RunnableConfig, what: string): Look | undefined {
    return this.#looksOf(config)?.get(keyOf(config, what));
  }

  set(config: RunnableConfig, what: string, look: Look): void {
    const looks = this.#looksOf(config);
    if (looks === undefined) return;
    const key = keyOf(config, what);
    looks.delete(key);
    looks.set(key, look);
    const [oldest] = looks.keys();
    if (looks.size > MAX_LOOKS && oldest !== undefined) looks.delete(oldest);
  }

  #looksOf(config: RunnableConfig): Map<string, Look> | undefined {
    if (!isInsideGraph(config)) return undefined;
    if (conversationOf(config) !== undefined) return this.#byConversation;
    const run = outermostRun(config);
    if (run === undefined) return undefined;
    const looks = this.#byRun.get(run) ?? new Map<string, Look>();
    this.#byRun.set(run, looks);
    return looks;
  }
}

/** The look of a call that the model has answered to. */
export function answeredLook(observation: Observation): Observation {
  return { ...observation, from: observation.to, digest: "" };
}

function conversationOf({ configurable }: RunnableConfig): string | undefined {
  const conversation: unknown = configurable?.["thread_id"];
  return typeof conversation === "string" ? conversation : undefined;
}

function keyOf(config: RunnableConfig, what: string): string {
  return JSON.stringify([conversationOf(config), what]);
}
