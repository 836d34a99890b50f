// What happens on a thread, as frames. Each frame is encoded once and given to every subscriber:
//
//                                      +-> subscriber -> EventStream -> sink -> reader
//   Thread.onCommit    -> commitFrame  |     (position,    (backlog,    (socket
//   Thread.onRejection -> refusalFrame +->    catch-up)     heartbeat)   or body)
//                                      |
//                                      +-> subscriber -> ...
//
// Invariant: the feed subscribes to the thread only while it has subscribers itself.

import type { Thread } from "@opstate/core";
import type { Frame } from "../http/sink.ts";
import { commitFrame, refusalFrame } from "./frames.ts";

export interface FeedSubscriber {
  onCommit(version: number, frame: Frame): void;
  onRefusal(frame: Frame): void;
  /** The thread was closed or deleted. */
  onEnd(): void;
}

export interface ThreadFeed {
  /** Returns the function that unsubscribes. */
  subscribe(subscriber: FeedSubscriber): () => void;
  /** Ends every subscription. */
  end(): void;
}

export function createThreadFeed(thread: Thread): ThreadFeed {
  const subscribers = new Set<FeedSubscriber>();
  let unsubscribeAll: (() => void) | undefined;

  function subscribeToThread(): () => void {
    const unsubscribes = [
      thread.onCommit((commit) => {
        const frame = commitFrame(commit);
        for (const subscriber of subscribers) subscriber.onCommit(commit.version, frame);
      }),
      thread.onRejection((refusal) => {
        const frame = refusalFrame(refusal);
        for (const subscriber of subscribers) subscriber.onRefusal(frame);
      }),
    ];
    return () => unsubscribes.forEach((unsubscribe) => unsubscribe());
  }

  return {
    subscribe(subscriber) {
      subscribers.add(subscriber);
      unsubscribeAll ??= subscribeToThread();
      return () => {
        subscribers.delete(subscriber);
        if (subscribers.size > 0) return;
        unsubscribeAll?.();
        unsubscribeAll = undefined;
      };
    },
    end() {
      for (const subscriber of [...subscribers]) subscriber.onEnd();
    },
  };
}
