// The log of a simulated world. It fails or is slow when the plan says so, and what was not written
// is lost when its writer dies. A slow read has the commits of the time when it was made.
//
// Invariant: writes come to the store in the order in which the plan releases them. The store
// itself is the memory log.

import { type Log, memoryLog } from "@opstate/core";
import type { WriteOutcome } from "../plan.ts";

/** Of a thread that is gone. */
const NO_HEAD = { parent: undefined, version: 0, incarnation: "" };

interface Held {
  readonly writer: object;
  go(): void;
}

export class Disk {
  readonly store = memoryLog();
  /** What the next write does: succeed, fail, or succeed and report a failure. */
  failing: "no" | "before" | "after" = "no";
  /** Writes wait until `release`. */
  holding = false;
  /** Reads are made at once, and their answers wait until `release`. */
  slow = false;
  /** Something was written since this was last set to false. */
  dirty = true;
  /** Called before commits are removed, so that the world can read them first. */
  beforeCompaction: () => Promise<void> = async () => undefined;
  #held: Held[] = [];
  #answers: Held[] = [];
  readonly #watchers = new Map<
    (head: number, incarnation?: string) => void,
    { readonly threadId: string; readonly writer: object }
  >();
  /** The newest head of a thread that was announced to each writer; not that of a branch. */
  readonly #announced = new WeakMap<object, { readonly version: number; readonly incarnation: string }>();

  /** The log for one authority. `writer` identifies the process of that authority. */
  logOf(writer: object): Log {
    const { store } = this;
    return {
      ...store,
      append: async (...call) => {
        const fails = this.failing;
        this.failing = "no";
        if (fails === "before") throw new Error("not stored");
        if (this.holding) await new Promise<void>((resolve) => this.#held.push({ writer, go: resolve }));
        const result = await store.append(...call);
        this.dirty = true;
        if (fails === "after") throw new Error("stored, but reported as failed");
        return result;
      },
      read: async (...call) => {
        const found = await store.read(...call);
        if (this.slow) await new Promise<void>((resolve) => this.#answers.push({ writer, go: resolve }));
        return found;
      },
      compact: async (...call) => {
        await this.beforeCompaction();
        return store.compact(...call);
      },
      watch: (threadId, onHead) => {
        this.#watchers.set(onHead, { threadId, writer });
        return () => void this.#watchers.delete(onHead);
      },
    };
  }

  /** Nothing waits. */
  get quiet(): boolean {
    return !this.holding && !this.slow && this.#held.length === 0 && this.#answers.length === 0;
  }

  /** Releases every write and answer. */
  release(): void {
    this.holding = false;
    for (const held of this.#held.splice(0)) held.go();
    this.answer();
  }

  /** Releases every answer. */
  answer(): void {
    this.slow = false;
    for (const held of this.#answers.splice(0)) held.go();
  }

  /** The newest head that was announced to a writer. */
  announcedTo(writer: object): { readonly version: number; readonly incarnation: string } | undefined {
    return this.#announced.get(writer);
  }

  /** A process dies: its waiting writes are lost, done, or done at the next release. */
  died(writer: object, outcome: WriteOutcome): void {
    for (const [onHead, of] of this.#watchers) if (of.writer === writer) this.#watchers.delete(onHead);
    const its = this.#held.filter((held) => held.writer === writer);
    if (outcome !== "late") this.#held = this.#held.filter((held) => held.writer !== writer);
    if (outcome === "done") for (const held of its) held.go();
    this.#answers = this.#answers.filter((held) => held.writer !== writer);
  }

  /** Announces the head, and the incarnation of a thread, to every authority that has it open. */
  async ring(threadId: string): Promise<void> {
    const { parent, version, incarnation } = (await this.store.info(threadId)) ?? NO_HEAD;
    for (const [onHead, { threadId: watched, writer }] of [...this.#watchers]) {
      if (watched !== threadId) continue;
      if (parent === undefined) this.#announced.set(writer, { version, incarnation });
      onHead(version, incarnation);
    }
  }
}
