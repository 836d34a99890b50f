// One thread among those that a reader follows together. It begins, and ends, alone.
//
//   begin: rights, thread ──> following ──> ended, with a problem
//     ^                           │
//     └── closed, or created again┘
//
// Invariants:
// - Whoever may not read the thread gets a problem and nothing of it, at the start and from the
//   next heartbeat on.
// - A thread that was deleted and created again begins again: a welcome with its new incarnation,
//   and a snapshot.
// - What a session shows here is gone when the thread ends for it, or when its right to write does.

import type { PresenceValue } from "@opstate/client/carriers";
import type { Actor } from "@opstate/core";
import { type Access, isGranted, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { AccessRecheck } from "../http/recheck-access.ts";
import type { TurnTaker } from "../threads/catch-up-turns.ts";
import type { ServedThread } from "../threads/served-thread.ts";
import { type FrameReader, ThreadFollower } from "../threads/thread-follower.ts";
import { checkThreadId } from "../threads/thread-id.ts";
import type { Threads } from "../threads/threads.ts";

/** Where a reader continues: after `after`, or with a snapshot. */
export interface ThreadPosition {
  readonly after?: number | undefined;
  /** Versions of another incarnation mean nothing. */
  readonly incarnation?: string | undefined;
}

/** What the threads of one reader share. */
export interface FollowedHost {
  readonly actor: Actor;
  readonly reader: FrameReader;
  readonly threads: Threads;
  /** The reader's rights now. Rejects with a Problem when the credentials are another's. */
  readonly identify: () => Promise<Access>;
  readonly onBehind: (followed: FollowedThread) => void;
  /** The thread has ended for this reader. */
  readonly onEnd: (followed: FollowedThread, error: unknown) => void;
  readonly onError: (error: unknown) => void;
}

/** How many sessions of one reader may show something of one thread. */
const SESSIONS_LIMIT = 50;

export class FollowedThread implements TurnTaker {
  readonly threadId: string;
  readonly #host: FollowedHost;
  readonly #recheck: AccessRecheck;
  /** What the sessions of this reader show, by session. */
  readonly #shown = new Map<string, PresenceValue>();
  /** The incarnation of the thread that they show something of. */
  #shownIn: string | undefined;
  #position: ThreadPosition;
  #served: ServedThread | undefined;
  #follower: ThreadFollower | undefined;
  /** Of the last heartbeat. */
  #access: Promise<Access> | undefined;
  /** Counts the beginnings. An earlier one that is still under way does nothing more. */
  #beginning = 0;
  #isClosed = false;

  constructor(threadId: string, position: ThreadPosition, host: FollowedHost) {
    this.threadId = threadId;
    this.#position = position;
    this.#host = host;
    this.#recheck = new AccessRecheck({
      check: () => this.#check(),
      onRefused: (problem) => this.#onRefused(problem),
      onError: host.onError,
    });
  }

  get isBehind(): boolean {
    return this.#follower?.isBehind === true;
  }

  /** Stops following. The next `begin` does so from this position. */
  move(position: ThreadPosition): void {
    this.#leave();
    this.#position = position;
  }

  /** Resolves when the thread is followed or has ended. */
  async begin(access: () => Promise<Access>): Promise<void> {
    this.#beginning += 1;
    const beginning = this.#beginning;
    const isOver = () => this.#isClosed || this.#beginning !== beginning;
    try {
      checkThreadId(this.threadId);
      await requireRight(await access(), this.threadId, "read");
      const served = await this.#host.threads.get(this.threadId);
      if (!isOver()) this.#follow(served);
    } catch (error) {
      if (!isOver()) this.#host.onEnd(this, error);
    }
  }

  async catchUp(): Promise<void> {
    await this.#follower?.catchUp();
  }

  /** `access` is what the reader's credentials give now. */
  onHeartbeat(access: Promise<Access>): void {
    // Whoever waits for it gets the error.
    access.catch(() => {});
    this.#access = access;
    if (this.#follower) this.#recheck.onHeartbeat();
  }

  /**
   * Shows a value of one session; undefined: nothing any more. Throws a Problem when too many
   * sessions of this reader show something.
   */
  show(session: string, value: PresenceValue | undefined): void {
    if (value === undefined) this.#shown.delete(session);
    else if (this.#shown.has(session) || this.#shown.size < SESSIONS_LIMIT) this.#shown.set(session, value);
    else throw new Problem("invalid_body", `At most ${SESSIONS_LIMIT} tabs of one stream can show something here.`);
    this.#present(session);
  }

  /** Hides what all sessions show, until `present`. */
  hide(): void {
    for (const session of this.#shown.keys()) this.#served?.presence.hide(session);
  }

  /** Shows again what the sessions show. */
  present(): void {
    for (const session of this.#shown.keys()) this.#present(session);
  }

  /** Sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#leave();
  }

  #present(session: string): void {
    const value = this.#shown.get(session);
    if (value === undefined) this.#served?.presence.hide(session);
    else this.#served?.presence.show({ session, actor: this.#host.actor, ...value });
  }

  #follow(served: ServedThread): void {
    const { actor, reader, onBehind } = this.#host;
    const { incarnation } = served.thread;
    const { after, incarnation: known = incarnation } = this.#position;
    // What pointed into another thread points nowhere here.
    if (this.#shownIn !== undefined && this.#shownIn !== incarnation) this.#shown.clear();
    this.#shownIn = incarnation;
    this.#position = { incarnation };
    this.#served = served;
    this.#follower = new ThreadFollower({
      served,
      reader,
      actor,
      after: known === incarnation ? after : undefined,
      onBehind: () => onBehind(this),
      onEnd: () => this.#beginAgain(),
    });
    this.present();
    onBehind(this);
  }

  #beginAgain(): void {
    this.#leave();
    void this.begin(this.#host.identify);
  }

  /** Stops following, and keeps the position. */
  #leave(): void {
    this.hide();
    if (this.#follower) this.#position = { ...this.#position, after: this.#follower.position };
    this.#follower?.close();
    this.#follower = undefined;
    this.#served = undefined;
  }

  async #check(): Promise<void> {
    const served = this.#served;
    // That the credentials are no longer known, the reader's own check finds.
    const access = await this.#access?.catch(() => undefined);
    if (!served || !access) return;
    await requireRight(access, this.threadId, "read");
    const { thread } = await this.#host.threads.get(this.threadId);
    if (thread.incarnation !== served.thread.incarnation)
      throw new Problem("closing", "The thread was deleted and created again.");
    if (this.#shown.size === 0 || (await isGranted(access, this.threadId, "write"))) return;
    this.hide();
    this.#shown.clear();
  }

  #onRefused(problem: Problem): void {
    if (this.#isClosed) return;
    if (problem.code === "closing") this.#beginAgain();
    else this.#host.onEnd(this, problem);
  }
}
