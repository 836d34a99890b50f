// "@opstate/core/run-queue": runs of agents on one thread, one after the other. For hosts of
// agents: `@opstate/langgraph` and `@opstate/server` queue with it.
//
// Invariants:
// - Turns on one key begin in the order in which they were requested.
// - Turns on different keys do not wait for each other.
// - A turn begins when every earlier one on its key has ended, however that one ended.
// - A key without a queue is removed.

/**
 * A queue for each key (a thread's id, say), in this process.
 *
 * @example
 * ```ts
 * import { RunQueue } from "@opstate/core/run-queue";
 *
 * const queue = new RunQueue();
 * const order: string[] = [];
 * await Promise.all([
 *   queue.run("thread", async () => { order.push("first"); }),
 *   queue.run("thread", async () => { order.push("second"); }),
 * ]);
 * order; // ["first", "second"]
 * ```
 */
export class RunQueue {
  /** The last turn on each key; it never rejects. */
  readonly #last = new Map<string, Promise<void>>();
  readonly #lengths = new Map<string, number>();

  /** How many turns on a key were requested and have not ended. */
  length(key: string): number {
    return this.#lengths.get(key) ?? 0;
  }

  /** Waits for a turn on `key`. The next turn begins when the returned function is called. */
  async turn(key: string): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise: ended, resolve } = deferred();
    this.#last.set(key, ended);
    this.#lengths.set(key, this.length(key) + 1);
    await before;
    let isOver = false;
    return () => {
      const left = this.length(key) - 1;
      if (!isOver && left > 0) this.#lengths.set(key, left);
      else if (!isOver) this.#lengths.delete(key);
      isOver = true;
      if (this.#last.get(key) === ended) this.#last.delete(key);
      resolve();
    };
  }

  /** Calls `run` when its turn on `key` has come; resolves or rejects as `run` does. */
  async run<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    const end = await this.turn(key);
    try {
      return await run();
    } finally {
      end();
    }
  }

  /** Resolves when every turn that was requested so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
