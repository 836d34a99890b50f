// The threads that one reader follows together: on one stream, or in one answer.
//
// Invariants:
// - What happens to one thread says nothing of another.
// - The credentials are read once each time that it is checked again. When they are another
//   actor's, or invalid, all ends.
// - Whether the reader may read is then checked for each thread.

import type { Actor } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";
import type { Access } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import type { AccessRecheck } from "../http/recheck-access.ts";
import type { LastingAccess, Rechecks } from "../http/rechecks.ts";
import { CatchUpTurns } from "../threads/catch-up-turns.ts";
import type { FrameReader } from "../threads/thread-follower.ts";
import type { Threads } from "../threads/threads.ts";
import { FollowedThread, type ThreadPosition } from "./followed-thread.ts";
import { inTurns } from "../http/in-turns.ts";
import { threadProblemFrame } from "./joint-frames.ts";

/** How many threads one reader may follow. */
const THREADS_LIMIT = 500;

/** Throws a Problem when there are too many. */
export function checkThreadCount(count: number): void {
  if (count <= THREADS_LIMIT) return;
  throw new Problem(
    "too_many_threads",
    `One reader can follow ${THREADS_LIMIT} threads, not ${count}. Unfollow some, or open another stream.`,
  );
}

/** Threads that a reader follows from now on, and those that it leaves. */
export interface ThreadChange {
  readonly follow?: ReadonlyMap<string, ThreadPosition>;
  readonly unfollow?: readonly string[];
}

export interface FollowedThreadsOptions {
  readonly actor: Actor;
  readonly reader: FrameReader;
  readonly threads: Threads;
  readonly rechecks: Rechecks;
  readonly lasting: Pick<LastingAccess, "actor" | "expiresAt" | "since">;
  /** Authenticates the reader's request again. */
  readonly identify: () => Promise<Access>;
  /** The problem of an error. An error that is the server's own is reported on the way. */
  readonly toProblem: (error: unknown) => Problem;
  /** The reader may go on no longer. */
  readonly onRefused: (problem: Problem) => void;
  /** Every thread has begun and is caught up, or has ended. */
  readonly onCaughtUp?: () => void;
  readonly onError: (error: unknown) => void;
}

export class FollowedThreads {
  readonly actor: Actor;
  readonly #options: FollowedThreadsOptions;
  readonly #followed = new Map<string, FollowedThread>();
  readonly #turns: CatchUpTurns<FollowedThread>;
  readonly #recheck: AccessRecheck;
  #beginning = 0;
  #isClosed = false;

  constructor(options: FollowedThreadsOptions) {
    const { actor, reader, rechecks, lasting, onRefused, onError } = options;
    this.actor = actor;
    this.#options = options;
    this.#turns = new CatchUpTurns({
      reader,
      onError: (followed, error) => this.#end(followed, error),
      onDone: () => this.#checkCaughtUp(),
    });
    this.#recheck = rechecks.begin({
      ...lasting,
      check: () => this.#checkAll(),
      shows: (threadId) => [...this.#followed.values()].some((followed) => followed.shows(threadId)),
      onRefused,
      onError,
    });
  }

  /**
   * Ends some threads, then follows others from their positions. One that is followed already
   * begins again. Throws a Problem, before anything is done, when there would be too many.
   */
  change({ follow = new Map(), unfollow = [] }: ThreadChange, access: Access): void {
    const next = new Set(this.#followed.keys());
    for (const threadId of unfollow) next.delete(threadId);
    for (const threadId of follow.keys()) next.add(threadId);
    checkThreadCount(next.size);
    for (const threadId of unfollow) this.#remove(this.#followed.get(threadId));
    const nextTurn = inTurns();
    for (const [threadId, position] of follow) {
      const earlier = this.#followed.get(threadId);
      earlier?.move(position);
      const followed = earlier ?? this.#add(threadId, position);
      const turn = nextTurn();
      void this.#begin(followed, () => turn.then(() => access));
    }
  }

  get(threadId: string): FollowedThread | undefined {
    return this.#followed.get(threadId);
  }

  /** Hides what the reader's sessions show, until `present`. */
  hide(): void {
    for (const followed of this.#followed.values()) followed.hide();
  }

  present(): void {
    for (const followed of this.#followed.values()) followed.present();
  }

  /** Asks now whether the reader may go on. */
  ask(): void {
    this.#recheck.ask();
  }

  /** Whether every thread has begun and is caught up, or has ended. */
  get isCaughtUp(): boolean {
    return this.#beginning === 0 && this.#turns.isDone;
  }

  /** Whether the rights in a thread are others than the reader knew when they came. */
  get hasNewRights(): boolean {
    return [...this.#followed.values()].some((followed) => followed.hasNewRights);
  }

  /** Sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#recheck.close();
    for (const followed of this.#followed.values()) this.#remove(followed);
  }

  #add(threadId: string, position: ThreadPosition): FollowedThread {
    const { actor, reader, threads, onError } = this.#options;
    const followed = new FollowedThread(threadId, position, {
      actor,
      reader,
      threads,
      identify: () => this.#identify(),
      onBehind: (behind) => this.#turns.add(behind),
      onEnd: (ended, error) => this.#end(ended, error),
      onUnknown: () => this.#recheck.askSoon(),
      onError,
    });
    this.#followed.set(threadId, followed);
    return followed;
  }

  async #begin(followed: FollowedThread, access: () => Promise<Access>): Promise<void> {
    this.#beginning += 1;
    await followed.begin(access);
    this.#beginning -= 1;
    this.#checkCaughtUp();
  }

  #checkCaughtUp(): void {
    if (this.isCaughtUp) this.#options.onCaughtUp?.();
  }

  async #checkAll(): Promise<Access> {
    const access = await this.#identify();
    const nextTurn = inTurns();
    // Each has its own outcome, and nothing waits for one that takes long.
    for (const followed of this.#followed.values()) void nextTurn().then(() => followed.recheck(access));
    return access;
  }

  async #identify(): Promise<Access> {
    const access = await this.#options.identify();
    if (sameActor(access.actor, this.actor)) return access;
    throw new Problem("unauthenticated", "The credentials belong to another actor now. Connect again.");
  }

  #end(followed: FollowedThread, error: unknown): void {
    const { reader, toProblem } = this.#options;
    if (this.#isClosed || this.#followed.get(followed.threadId) !== followed) return;
    this.#remove(followed);
    const problem = toProblem(error);
    if (reader.hasRoom()) reader.send(threadProblemFrame(followed.threadId, problem));
    else reader.disconnect();
  }

  #remove(followed: FollowedThread | undefined): void {
    if (!followed) return;
    followed.close();
    this.#turns.remove(followed);
    this.#followed.delete(followed.threadId);
  }
}
