// One opened thread, shared by all requests of this server, and whether it is in use.
//
// Invariants:
// - A thread that is held is not idle. A subscription to its feed holds it.
// - A subscription to a feed that has ended gets `onEnd` at once.

import type { Thread } from "@opstate/core";
import { createThreadFeed, type ThreadFeed } from "./thread-feed.ts";

export interface ServedThread {
  readonly thread: Thread;
  readonly feed: ThreadFeed;
  /** Keeps the thread open until the returned function is called. */
  hold(): () => void;
}

export interface OpenedThread extends ServedThread {
  /** Marks the thread as used. */
  touch(): void;
  /** Whether the thread was neither held nor touched since the last call. */
  isIdle(): boolean;
}

export function createServedThread(thread: Thread): OpenedThread {
  const feed = createThreadFeed(thread);
  let holders = 0;
  let touched = true;
  let ended = false;

  function hold(): () => void {
    let held = true;
    holders += 1;
    return () => {
      if (!held) return;
      held = false;
      holders -= 1;
      touched = true;
    };
  }

  return {
    thread,
    hold,
    feed: {
      ...feed,
      subscribe(subscriber) {
        if (ended) {
          subscriber.onEnd();
          return () => {};
        }
        const release = hold();
        const unsubscribe = feed.subscribe(subscriber);
        return () => {
          unsubscribe();
          release();
        };
      },
      end() {
        ended = true;
        feed.end();
      },
    },
    touch() {
      touched = true;
    },
    isIdle() {
      const idle = holders === 0 && !touched;
      touched = false;
      return idle;
    },
  };
}
