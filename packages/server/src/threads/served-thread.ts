// One opened thread as everybody here shares it, and whether anybody uses it.
//
// Invariant: while somebody holds the thread, a member of its feed included, it is not idle; who
// joins the feed after its end hears so.

import type { Thread } from "@opstate/core";
import { createThreadFeed, type ThreadFeed } from "./thread-feed.ts";

export interface ServedThread {
  readonly thread: Thread;
  readonly feed: ThreadFeed;
  /** Keeps the thread open until the returned function is called. */
  hold(): () => void;
}

export interface OpenedThread extends ServedThread {
  /** Somebody asked for it. */
  touch(): void;
  /** Whether nobody held it, nor asked for it since the last call. */
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
      join(member) {
        if (ended) {
          member.onEnd();
          return () => {};
        }
        const release = hold();
        const leave = feed.join(member);
        return () => {
          leave();
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
