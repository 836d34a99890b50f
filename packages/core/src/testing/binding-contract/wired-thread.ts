// A thread of a case, as a client of it sees it: a case can hold its messages in both directions,
// and it counts connections.

import type { Thread } from "../../thread/thread.ts";

export class WiredThread {
  /** What a client is given. */
  readonly thread: Thread;
  /** The versions after which missed commits were read, one for each connection that read them. */
  readonly catchUps: (number | undefined)[] = [];
  /** How many connections there were so far. */
  connects = 0;
  /** How many connections there are. */
  open = 0;
  readonly #waiting: (() => void)[] = [];
  #isHolding = false;

  constructor(inner: Thread) {
    this.thread = Object.assign(Object.create(inner) as Thread, {
      submit: (...given: Parameters<Thread["submit"]>) =>
        new Promise<void>((resolve) => this.#pass(resolve)).then(() => inner.submit(...given)),
      onCommit: (listener: Parameters<Thread["onCommit"]>[0]) => {
        this.connects += 1;
        this.open += 1;
        const end = inner.onCommit((commit) => this.#pass(() => listener(commit)));
        return () => {
          this.open -= 1;
          end();
        };
      },
      onRejection: (listener: Parameters<Thread["onRejection"]>[0]) =>
        inner.onRejection((refusal) => this.#pass(() => listener(refusal))),
      history: (...given: Parameters<Thread["history"]>) => {
        this.catchUps.push(given[0]?.after);
        return inner.history(...given);
      },
    });
  }

  /** Holds all messages, in both directions, until `release`. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  #pass(deliver: () => void): void {
    if (this.#isHolding) this.#waiting.push(deliver);
    else deliver();
  }
}
