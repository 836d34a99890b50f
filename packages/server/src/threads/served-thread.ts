// One opened thread, shared by all requests of this server: who is here, and whether it is in use.
//
// Invariants:
// - A thread that is held is not idle. A subscription holds it.
// - A subscription to a thread that has ended gets `onEnd` at once.

import type { Thread } from "@opstate/core";
import type { FrameRing } from "./frame-ring.ts";
import { SharedTurns } from "./shared-turns.ts";
import { type FeedSubscriber, ThreadFeed } from "./thread-feed.ts";
import { ThreadPresence } from "./thread-presence.ts";

export class ServedThread {
  readonly thread: Thread;
  /** The same, with writes that stay in this process, also where another one owns it. */
  readonly local: Thread;
  /** The thread shows afterwards what the log holds. Rejects when it cannot be read so far. */
  readonly readHead: () => Promise<void>;
  readonly presence: ThreadPresence;
  readonly #feed: ThreadFeed;
  #holders = 0;
  #wasUsed = true;
  #hasEnded = false;

  readonly #turns: SharedTurns;

  /** `turns`: of all work for readers in this process. */
  constructor(thread: Thread, turns = new SharedTurns(), local = thread, readHead = () => Promise.resolve()) {
    this.thread = thread;
    this.local = local;
    this.readHead = readHead;
    this.#turns = turns;
    this.#feed = new ThreadFeed(thread);
    this.presence = new ThreadPresence(thread.threadId, (frame) => this.#feed.presence(frame));
  }

  /** The frames of its newest commits. */
  get frames(): FrameRing {
    return this.#feed.frames;
  }

  /** Resolves when work for a reader may begin. */
  turn(): Promise<void> {
    return this.#turns.next();
  }

  /** Keeps the thread open until the returned function is called. */
  hold(): () => void {
    let isHeld = true;
    this.#holders += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      this.#wasUsed = true;
    };
  }

  /** Returns the function that unsubscribes. */
  subscribe(subscriber: FeedSubscriber): () => void {
    if (this.#hasEnded) {
      subscriber.onEnd();
      return () => {};
    }
    const release = this.hold();
    const unsubscribe = this.#feed.subscribe(subscriber);
    return () => {
      unsubscribe();
      release();
    };
  }

  /** Ends every subscription. */
  end(): void {
    this.#hasEnded = true;
    // Presence ends first, so readers do not see the others leave one by one.
    this.presence.end();
    this.#feed.end();
  }

  /** Marks the thread as used. */
  touch(): void {
    this.#wasUsed = true;
  }

  /** Whether the thread was neither held nor touched since the last call. */
  isIdle(): boolean {
    const isIdle = this.#holders === 0 && !this.#wasUsed;
    this.#wasUsed = false;
    return isIdle;
  }
}
