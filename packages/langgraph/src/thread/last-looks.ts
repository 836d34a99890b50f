// What a sub-agent last saw, when its graph keeps nothing of it.
//
// An agent that a tool or a node calls has no checkpoints of its own: each call begins with an
// empty memory. The agent around it has a conversation (`thread_id`), so its looks are kept here,
// by conversation and by what it looked at.
//
// - They live as long as the process. A sub-agent with `checkpointer: true`, or a checkpointer of
//   its own, has a memory that outlives it, which comes first.
// - Without a `thread_id` nothing in a run's config is the same in two calls: LangGraph's
//   namespaces have the ids of tasks. So nothing is kept here.

import type { RunnableConfig } from "@langchain/core/runnables";
import type { Observation } from "./run-memory.ts";

/** The oldest are forgotten. */
const MAX_LOOKS = 1_000;

export class Looks<Look> {
  readonly #looks = new Map<string, Look>();

  /** Undefined outside of another agent's conversation. */
  get(config: RunnableConfig, what: string): Look | undefined {
    const key = keyOf(config, what);
    return key === undefined ? undefined : this.#looks.get(key);
  }

  set(config: RunnableConfig, what: string, look: Look): void {
    const key = keyOf(config, what);
    if (key === undefined) return;
    this.#looks.delete(key);
    this.#looks.set(key, look);
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > MAX_LOOKS && oldest !== undefined) this.#looks.delete(oldest);
  }
}

/** The look of a call that the model has answered to. */
export function answeredLook(observation: Observation): Observation {
  return { ...observation, from: observation.to, digest: "" };
}

function keyOf({ configurable }: RunnableConfig, what: string): string | undefined {
  const conversation: unknown = configurable?.["thread_id"];
  const namespace: unknown = configurable?.["checkpoint_ns"];
  const isNested = typeof namespace === "string" && namespace.includes("|");
  return isNested && typeof conversation === "string" ? JSON.stringify([conversation, what]) : undefined;
}
