// The log of a simulated world: it fails, or is slow, when it is told to, and what was not written
// is gone when its writer dies. A slow read finds what was there when it was made, and says so
// later.
//
// Invariant: a thread's writes reach the store in the order in which the plan lets them through;
// the store itself is the memory log.

import { type Log, memoryLog } from "@opstate/core";
import type { Fate } from "./plan.ts";

interface Held {
  readonly writer: object;
  go(): void;
}

export class Disk {
  readonly store = memoryLog();
  /** What the next write does instead of succeeding: fail, or succeed and say that it failed. */
  failing: "no" | "before" | "after" = "no";
  /** Writes wait until they are let through. */
  holding = false;
  /** Reads are made, and their answers wait until they are let through. */
  slow = false;
  /** Something was written since somebody last asked. */
  dirty = true;
  /** Called before commits are forgotten: what the world has not read yet, it reads now. */
  beforeCompaction: () => Promise<void> = async () => undefined;
  #held: Held[] = [];
  #answers: Held[] = [];
  readonly #watchers = new Map<(head: number, incarnation?: string) => void, object>();
  /** The newest head that each writer was told of. */
  readonly #told = new WeakMap<object, { readonly version: number; readonly incarnation: string }>();

  /** The log as one authority sees it. `writer` stands for that authority's process. */
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
        if (fails === "after") throw new Error("stored, but who knows");
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
      watch: (_, onHead) => {
        this.#watchers.set(onHead, writer);
        return () => void this.#watchers.delete(onHead);
      },
    };
  }

  /** Nothing waits to be let through. */
  get quiet(): boolean {
    return !this.holding && !this.slow && this.#held.length === 0 && this.#answers.length === 0;
  }

  /** Lets every write and answer through. */
  release(): void {
    this.holding = false;
    for (const held of this.#held.splice(0)) held.go();
    this.answer();
  }

  /** Lets every answer through. */
  answer(): void {
    this.slow = false;
    for (const held of this.#answers.splice(0)) held.go();
  }

  /** The newest head that a writer was told of. */
  toldOf(writer: object): { readonly version: number; readonly incarnation: string } | undefined {
    return this.#told.get(writer);
  }

  /** A process is gone: what it had under way is lost, done, or done at the next release. */
  died(writer: object, fate: Fate): void {
    for (const [onHead, of] of this.#watchers) if (of === writer) this.#watchers.delete(onHead);
    const its = this.#held.filter((held) => held.writer === writer);
    if (fate !== "late") this.#held = this.#held.filter((held) => held.writer !== writer);
    if (fate === "done") for (const held of its) held.go();
    this.#answers = this.#answers.filter((held) => held.writer !== writer);
  }

  /** Tells every authority how far the log is, and of which thread that has the name. */
  async ring(threadId: string): Promise<void> {
    const { version, incarnation } = (await this.store.info(threadId)) ?? { version: 0, incarnation: "" };
    for (const [onHead, writer] of [...this.#watchers]) {
      this.#told.set(writer, { version, incarnation });
      onHead(version, incarnation);
    }
  }
}
