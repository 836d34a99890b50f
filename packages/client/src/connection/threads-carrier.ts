// A carrier to threads in this process: for servers, tests, stories and a page without a server.

import { type Actor, type Thread, threadTransport } from "@opstate/core";
import type { Submission, TransportConnection } from "@opstate/core/transport";
import { asError } from "../as-error.ts";
import type { Carrier, CarrierListener } from "../carrier.ts";

export type FindThread = (threadId: string) => Thread | undefined | Promise<Thread | undefined>;

/**
 * A thread that is found at once is followed at once: its snapshot comes before `follow` returns.
 */
export function threadsCarrier(find: FindThread, actor: Actor): Carrier {
  return {
    open(listener) {
      const followed = new Map<string, FollowedThread>();
      let isOpen = true;
      return {
        follow(threadId) {
          if (!isOpen) return;
          followed.get(threadId)?.close();
          const next = new FollowedThread(threadId, actor, listener);
          followed.set(threadId, next);
          listener.onActor(actor);
          next.begin(find);
        },
        unfollow(threadId) {
          followed.get(threadId)?.close();
          followed.delete(threadId);
        },
        send: (threadId, submission) => followed.get(threadId)?.send(submission),
        show: () => undefined,
        retry(threadId) {
          for (const [id, each] of followed) if (threadId === undefined || threadId === id) each.retry(find);
        },
        close() {
          isOpen = false;
          for (const each of followed.values()) each.close();
          followed.clear();
        },
      };
    },
  };
}

class FollowedThread {
  readonly #threadId: string;
  readonly #actor: Actor;
  readonly #listener: CarrierListener;
  #isClosed = false;
  #isWaiting = false;
  #connection: TransportConnection | undefined;
  /** What is sent while the connection begins, such as by a listener of "online". */
  #early: Submission[] = [];

  constructor(threadId: string, actor: Actor, listener: CarrierListener) {
    this.#threadId = threadId;
    this.#actor = actor;
    this.#listener = listener;
  }

  begin(find: FindThread): void {
    this.#isWaiting = false;
    try {
      const found = find(this.#threadId);
      if (found instanceof Promise) {
        found.then(
          (thread) => this.#connect(thread),
          (error: unknown) => this.#fail(error),
        );
      } else this.#connect(found);
    } catch (error) {
      this.#fail(error);
    }
  }

  send(submission: Submission): void {
    if (this.#connection === undefined) this.#early.push(submission);
    else this.#connection.send(submission);
  }

  retry(find: FindThread): void {
    if (this.#isWaiting) this.begin(find);
    else this.#connection?.retry?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  #connect(thread: Thread | undefined): void {
    if (this.#isClosed) return;
    if (thread === undefined) return this.#fail(new Error(`There is no thread "${this.#threadId}" here.`), "not_found");
    const { after, incarnation } = this.#listener.position(this.#threadId);
    const connection = threadTransport(thread, { actor: this.#actor }).connect({
      // Versions of another incarnation mean nothing.
      after: incarnation === undefined || incarnation === thread.incarnation ? after : undefined,
      onMessage: (message) => {
        if (!this.#isClosed) this.#listener.onMessage(this.#threadId, message);
      },
      onStatus: (status, error) => {
        if (!this.#isClosed) this.#listener.onStatus(this.#threadId, status, error);
      },
    });
    this.#connection = connection;
    // A message may have led to another connection.
    if (this.#isClosed) return connection.close();
    for (const submission of this.#early.splice(0)) connection.send(submission);
  }

  #fail(error: unknown, status: "not_found" | "offline" = "offline"): void {
    if (this.#isClosed) return;
    this.#isWaiting = true;
    this.#early = [];
    this.#listener.onStatus(this.#threadId, status, asError(error));
  }
}
