// What happens on a thread, as frames. Each frame is encoded once and given to every subscriber:
//
//                                        +-> follower -> EventStream -> sink -> reader
//   Thread.onCommit    -> commitFrame    |   (position,  (backlog,     (socket
//   Thread.onRejection -> refusalFrame   +->  catch-up)   heartbeat)    or body)
//   ThreadPresence     -> presenceFrame  |
//                                        +-> follower -> ...
//
// Invariant: the feed subscribes to the thread only while it has subscribers itself.

import type { Thread } from "@opstate/core";
import { isRedact } from "@opstate/core/log";
import type { EventFrame } from "../http/event-frame.ts";
import { FrameRing } from "./frame-ring.ts";
import { refusalFrame } from "./frames.ts";

export interface FeedSubscriber {
  onCommit(version: number, frame: EventFrame): void;
  onRefusal(frame: EventFrame): void;
  /** Who is here has changed. */
  onPresence(frame: EventFrame): void;
  /** The thread was closed or deleted. */
  onEnd(): void;
}

export class ThreadFeed {
  readonly #thread: Thread;
  readonly #subscribers = new Set<FeedSubscriber>();
  #unsubscribeFromThread: (() => void) | undefined;

  readonly frames: FrameRing;

  constructor(thread: Thread) {
    this.#thread = thread;
    this.frames = new FrameRing(thread);
  }

  /** Returns the function that unsubscribes. */
  subscribe(subscriber: FeedSubscriber): () => void {
    this.#subscribers.add(subscriber);
    this.#unsubscribeFromThread ??= this.#subscribeToThread();
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size > 0) return;
      this.#unsubscribeFromThread?.();
      this.#unsubscribeFromThread = undefined;
      this.frames.clear();
    };
  }

  presence(frame: EventFrame): void {
    for (const subscriber of this.#subscribers) subscriber.onPresence(frame);
  }

  /** Ends every subscription. */
  end(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.onEnd();
  }

  #subscribeToThread(): () => void {
    const { threadId } = this.#thread;
    const unsubscribes = [
      this.#thread.onCommit((commit) => {
        // What the frames before say was erased.
        if (isRedact(commit.operation)) this.frames.clear();
        const frame = this.frames.of(commit);
        for (const subscriber of this.#subscribers) subscriber.onCommit(commit.version, frame);
      }),
      this.#thread.onRejection((refusal) => {
        const frame = refusalFrame(threadId, refusal);
        for (const subscriber of this.#subscribers) subscriber.onRefusal(frame);
      }),
    ];
    return () => unsubscribes.forEach((unsubscribe) => unsubscribe());
  }
}
