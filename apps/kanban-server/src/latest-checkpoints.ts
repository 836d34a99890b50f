// The conversations' checkpoints, in memory: the newest one of each conversation, for the most
// recently active conversations.
//
// A checkpoint holds the whole board, and each step of a run makes one. Dropping old ones costs
// little: a client sends its conversation with each run, and the board is in the log.

import type { RunnableConfig } from "@langchain/core/runnables";
import { MemorySaver } from "@langchain/langgraph";

type Put = Parameters<MemorySaver["put"]>;

export class LatestCheckpoints extends MemorySaver {
  readonly #limit: number;
  /** Conversations, the least recently active first. */
  readonly #active = new Set<string>();

  constructor(limit = 100) {
    super();
    this.#limit = limit;
  }

  override async put(...[config, checkpoint, metadata]: Put): Promise<RunnableConfig> {
    const stored = await super.put(config, checkpoint, metadata);
    const { thread_id: threadId, checkpoint_ns: namespace = "" } = config.configurable ?? {};
    if (typeof threadId !== "string" || typeof namespace !== "string") return stored;
    for (const key of Object.keys(this.writes)) {
      const [ofThread, ofNamespace, id]: unknown[] = JSON.parse(key);
      if (ofThread === threadId && ofNamespace === namespace && id !== checkpoint.id) delete this.writes[key];
    }
    const checkpoints = this.storage[threadId]?.[namespace] ?? {};
    for (const id of Object.keys(checkpoints)) if (id !== checkpoint.id) delete checkpoints[id];
    await this.#retain(threadId);
    return stored;
  }

  async #retain(threadId: string): Promise<void> {
    this.#active.delete(threadId);
    this.#active.add(threadId);
    for (const oldest of this.#active) {
      if (this.#active.size <= this.#limit) return;
      this.#active.delete(oldest);
      await this.deleteThread(oldest);
    }
  }
}
