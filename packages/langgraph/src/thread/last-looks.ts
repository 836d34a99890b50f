// What a sub-agent last saw of a thread, when its graph keeps nothing of it.
//
// An agent that a tool or a node calls has no checkpoints of its own: each call begins with an
// empty memory. The agent around it has a conversation (`thread_id`), so its looks are kept here,
// by conversation and thread.
//
// - They live as long as the process. A sub-agent with `checkpointer: true`, or a checkpointer of
//   its own, has a memory that outlives it, which comes first.
// - Without a `thread_id` nothing says which conversation a call belongs to, and nothing is kept.

import type { RunnableConfig } from "@langchain/core/runnables";
import type { Observation } from "./run-memory.ts";

/** The oldest are forgotten. */
const MAX_LOOKS = 1_000;

export class LastLooks {
  readonly #looks = new Map<string, Observation>();

  /** Undefined outside of another agent's conversation. */
  get(config: RunnableConfig, threadId: string): Observation | undefined {
    const key = keyOf(config, threadId);
    return key === undefined ? undefined : this.#looks.get(key);
  }

  /** The model has answered to what it was shown. */
  set(config: RunnableConfig, observation: Observation): void {
    const key = keyOf(config, observation.threadId);
    if (key === undefined) return;
    this.#looks.delete(key);
    this.#looks.set(key, { ...observation, from: observation.to, digest: "" });
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > MAX_LOOKS && oldest !== undefined) this.#looks.delete(oldest);
  }
}

function keyOf({ configurable }: RunnableConfig, threadId: string): string | undefined {
  const conversation: unknown = configurable?.["thread_id"];
  const namespace: unknown = configurable?.["checkpoint_ns"];
  const isNested = typeof namespace === "string" && namespace.includes("|");
  return isNested && typeof conversation === "string" ? JSON.stringify([conversation, threadId]) : undefined;
}
