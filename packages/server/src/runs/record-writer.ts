// Writes a record into a store: one call at a time, and what came meanwhile in one piece.

import type { RunEnd, RunHead, RunStore } from "./run-store.ts";
import type { RunStatus } from "./run-record.ts";

/** What fails is reported, and the run goes on. */
export class RecordWriter {
  readonly #store: RunStore;
  readonly #head: RunHead;
  readonly #onError: (error: unknown) => void;
  #after = 0;
  #waiting: string[] = [];
  #end: { readonly status: RunEnd; readonly at: string } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isScheduled = false;

  constructor(store: RunStore, head: RunHead, onError: (error: unknown) => void) {
    this.#store = store;
    this.#head = head;
    this.#onError = onError;
  }

  begin(): void {
    this.#then(() => this.#store.begin(this.#head));
  }

  append(after: number, events: readonly string[]): void {
    if (this.#waiting.length === 0) this.#after = after;
    this.#waiting.push(...events);
    this.#schedule();
  }

  end(status: RunStatus, at: string): void {
    if (status === "waiting" || status === "running") return;
    this.#end = { status, at };
    this.#schedule();
  }

  /** After what was written before: its end too. */
  deliver(): void {
    this.#then(async () => this.#store.deliver?.(this.#head));
  }

  /** Resolves when all is written. */
  idle(): Promise<void> {
    return this.#writing;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    this.#isScheduled = false;
    const [after, events, end] = [this.#after, this.#waiting, this.#end];
    this.#waiting = [];
    this.#end = undefined;
    if (events.length > 0) await this.#store.append(this.#head, after, events);
    if (end !== undefined) await this.#store.end(this.#head, end.status, end.at);
  }

  #then(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write).catch(this.#onError);
  }
}
