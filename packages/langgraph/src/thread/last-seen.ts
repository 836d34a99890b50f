// What a sub-agent last saw, when its graph keeps nothing of it.
//
// An agent that a tool or a node calls has no checkpoints of its own: each call begins with an
// empty memory. So what it saw is kept here, by what it was of, and by the conversation of the
// agent around it (`thread_id`). Without a `thread_id` that is one run of the outermost graph.
//
// - It lives as long as the process, or as the run. A sub-agent with `checkpointer: true`, or a
//   checkpointer of its own, has a memory that outlives it, which comes first.

import type { RunnableConfig } from "@langchain/core/runnables";
import { isInsideGraph, outermostRun } from "./inside-graph.ts";
import type { Observation } from "./run-memory.ts";

/** The oldest are forgotten. */
const MAX_SEEN = 1_000;

export class LastSeen<Seen> {
  readonly #byConversation = new Map<string, Seen>();
  readonly #byRun = new WeakMap<object, Map<string, Seen>>();

  /** Undefined outside of another agent's conversation. */
  get(config: RunnableConfig, what: string): Seen | undefined {
    return this.#seenIn(config)?.get(keyOf(config, what));
  }

  set(config: RunnableConfig, what: string, seen: Seen): void {
    const all = this.#seenIn(config);
    if (all === undefined) return;
    const key = keyOf(config, what);
    all.delete(key);
    all.set(key, seen);
    const [oldest] = all.keys();
    if (all.size > MAX_SEEN && oldest !== undefined) all.delete(oldest);
  }

  #seenIn(config: RunnableConfig): Map<string, Seen> | undefined {
    if (!isInsideGraph(config)) return undefined;
    if (conversationOf(config) !== undefined) return this.#byConversation;
    const run = outermostRun(config);
    if (run === undefined) return undefined;
    const all = this.#byRun.get(run) ?? new Map<string, Seen>();
    this.#byRun.set(run, all);
    return all;
  }
}

/** What is left of an observation that the model has answered. */
export function answeredObservation(observation: Observation): Observation {
  return { ...observation, from: observation.to, digest: "" };
}

function conversationOf({ configurable }: RunnableConfig): string | undefined {
  const conversation: unknown = configurable?.["thread_id"];
  return typeof conversation === "string" ? conversation : undefined;
}

function keyOf(config: RunnableConfig, what: string): string {
  return JSON.stringify([conversationOf(config), what]);
}
