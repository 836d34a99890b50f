// The conversations' checkpoints, in memory and in a file if there is one: the newest one of each
// conversation, for the most recently active conversations.
//
// A checkpoint holds the whole board, and each step of a run makes one. Dropping old ones costs
// little: a client sends its conversation with each run, and the board is in the log.

import type { RunnableConfig } from "@langchain/core/runnables";
import { MemorySaver } from "@langchain/langgraph";
import type { CheckpointFile } from "./checkpoint-file.ts";

type Put = Parameters<MemorySaver["put"]>;
type PutWrites = Parameters<MemorySaver["putWrites"]>;

export class LatestCheckpoints extends MemorySaver {
  readonly #limit: number;
  /** Conversations, the least recently active first. */
  readonly #active = new Set<string>();

  readonly #file: CheckpointFile | undefined;

  constructor(limit = 100, file?: CheckpointFile) {
    super();
    this.#limit = limit;
    this.#file = file;
    for (const [threadId, { checkpoints, writes }] of file?.read() ?? []) {
      this.storage[threadId] = checkpoints;
      Object.assign(this.writes, writes);
      this.#active.add(threadId);
    }
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
    this.#write(threadId);
    return stored;
  }

  override async putWrites(...[config, ...given]: PutWrites): Promise<void> {
    await super.putWrites(config, ...given);
    this.#write(config.configurable?.["thread_id"]);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await super.deleteThread(threadId);
    this.#file?.delete(threadId);
  }

  #write(threadId: unknown): void {
    if (this.#file === undefined || typeof threadId !== "string") return;
    const writes = Object.entries(this.writes).filter(([key]) => (JSON.parse(key) as unknown[])[0] === threadId);
    const checkpoints = this.storage[threadId] ?? {};
    this.#file.write(threadId, { checkpoints, writes: Object.fromEntries(writes) });
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
