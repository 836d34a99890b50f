// What happens on a thread, as frames. Each frame is encoded once and given to every subscriber:
//
//                                        +-> follower -> EventStream -> sink -> reader
//   Thread.onCommit    -> commitFrame    |   (position,  (backlog,     (socket
//   Thread.onRejection -> refusalFrame   +->  catch-up)   heartbeat)    or body)
//   ThreadPresence     -> presenceFrame  |
//                                        +-> follower -> ...
//
// Invariants:
// - The feed subscribes to the thread only while it has subscribers itself.
// - Each subscriber gets what happens in its order. Thousands get it in slices: what happens
//   meanwhile waits.
// - Who subscribes in the middle may get what it has already: a version says so.

import type { Thread } from "@opstate/core";
import { isRedact } from "@opstate/core/log";
import { eventLoop, Pace } from "@opstate/core/thread";
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

/** Subscribers between two looks at the clock. */
const SLICE = 64;

export class ThreadFeed {
  readonly #thread: Thread;
  readonly #subscribers = new Set<FeedSubscriber>();
  readonly #waiting: ((subscriber: FeedSubscriber) => void)[] = [];
  #isDelivering = false;
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
    this.#deliver((subscriber) => subscriber.onPresence(frame));
  }

  /** Ends every subscription. */
  end(): void {
    this.#waiting.length = 0;
    for (const subscriber of [...this.#subscribers]) subscriber.onEnd();
  }

  #deliver(one: (subscriber: FeedSubscriber) => void): void {
    this.#waiting.push(one);
    if (!this.#isDelivering) void this.#deliverAll();
  }

  /** At once, to as many as 8 ms are enough for. */
  async #deliverAll(): Promise<void> {
    this.#isDelivering = true;
    const pace = new Pace(eventLoop);
    let delivered = 0;
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift())
      for (const subscriber of this.#subscribers) {
        one(subscriber);
        delivered += 1;
        if (delivered % SLICE === 0 && pace.isOver) await pace.next();
      }
    this.#isDelivering = false;
  }

  #subscribeToThread(): () => void {
    const { threadId } = this.#thread;
    const unsubscribes = [
      this.#thread.onCommit((commit) => {
        // What the frames before say was erased.
        if (isRedact(commit.operation)) this.frames.clear();
        const frame = this.frames.of(commit);
        this.#deliver((subscriber) => subscriber.onCommit(commit.version, frame));
      }),
      this.#thread.onRejection((refusal) => {
        const frame = refusalFrame(threadId, refusal);
        this.#deliver((subscriber) => subscriber.onRefusal(frame));
      }),
    ];
    return () => unsubscribes.forEach((unsubscribe) => unsubscribe());
  }
}
