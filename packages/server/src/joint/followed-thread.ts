// One thread among those that a reader follows together. It begins, and ends, alone.
//
//   begin: rights, thread ──> following ──> ended, with a problem
//     ^                           │
//     └── closed, or created again┘
//
// Invariants:
// - A reader who may not read the thread gets a problem and nothing of it, at the start and
//   whenever it is checked again.
// - A thread that was deleted and created again begins again: a welcome with its new incarnation,
//   and a snapshot.
// - The reader is notified when they may not write, in the welcome and when that changes.
// - What a session shows here is gone when the thread ends for it, or when its right to write does.

import type { PresenceValue } from "@opstate/client/carriers";
import type { Actor } from "@opstate/core";
import { type Access, isGranted, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { AccessCheck } from "../http/recheck-access.ts";
import { isOrBranchOf } from "../http/rechecks.ts";
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
  /** The reader was notified that they may read only. */
  readonly readOnly?: boolean | undefined;
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
  /** Whether the reader may still read it could not be found out. */
  readonly onUnknown: () => void;
  readonly onError: (error: unknown) => void;
}

/** How many sessions of one reader may show something of one thread. */
const SESSIONS_LIMIT = 50;

export class FollowedThread implements TurnTaker {
  readonly threadId: string;
  readonly #host: FollowedHost;
  /** What the sessions of this reader show, by session. */
  readonly #shown = new Map<string, PresenceValue>();
  /** The incarnation of the thread that they show something of. */
  #shownIn: string | undefined;
  #position: ThreadPosition;
  #served: ServedThread | undefined;
  #follower: ThreadFollower | undefined;
  #accessCheck: AccessCheck<void> | undefined;
  /** It was checked again before it was followed, so the rights that it began by may be older. */
  #owesCheck = false;
  /** What the reader's credentials gave last. */
  #access: Access | undefined;
  /** When it began. */
  #mayWrite = true;
  readonly #wasReadOnly: boolean;
  /** Counts the beginnings. An earlier one that is still under way does nothing more. */
  #beginning = 0;
  #isClosed = false;

  constructor(threadId: string, position: ThreadPosition, host: FollowedHost) {
    this.threadId = threadId;
    this.#position = position;
    this.#wasReadOnly = position.readOnly === true;
    this.#host = host;
  }

  /** Whether the right to write is another than the reader knew when they came. */
  get hasNewRights(): boolean {
    return this.#follower !== undefined && this.#follower.isReadOnly !== this.#wasReadOnly;
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
      const found = await access();
      const [mayWrite] = await Promise.all([
        isGranted(found, this.threadId, "write"),
        requireRight(found, this.threadId, "read"),
      ]);
      const served = await this.#host.threads.get(this.threadId);
      if (isOver()) return;
      this.#mayWrite = mayWrite;
      this.#follow(served);
    } catch (error) {
      if (!isOver()) this.#host.onEnd(this, error);
    }
  }

  async catchUp(): Promise<void> {
    await this.#follower?.catchUp();
  }

  /** Whether it is, or may be, this thread or a branch of it. */
  shows(threadId: string): boolean {
    return this.#served === undefined || isOrBranchOf(this.#served.thread, threadId);
  }

  /** Asks again. `access` is what the reader's credentials give now. */
  async recheck(access: Access): Promise<void> {
    this.#access = access;
    this.#owesCheck = this.#accessCheck === undefined;
    if ((await this.#accessCheck?.run()) === "unknown") this.#host.onUnknown();
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
      isReadOnly: !this.#mayWrite,
      onBehind: () => onBehind(this),
      onEnd: () => this.#beginAgain(),
    });
    this.#accessCheck = new AccessCheck({
      check: () => this.#check(served),
      onRefused: (problem) => this.#onRefused(problem),
      onError: this.#host.onError,
    });
    this.present();
    onBehind(this);
    if (this.#owesCheck && this.#access) void this.recheck(this.#access);
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
    this.#accessCheck?.close();
    this.#accessCheck = undefined;
    this.#follower = undefined;
    this.#served = undefined;
  }

  async #check(served: ServedThread): Promise<void> {
    const access = this.#access;
    if (access === undefined) return;
    await requireRight(access, this.threadId, "read");
    const { thread } = await this.#host.threads.get(this.threadId);
    if (thread.incarnation !== served.thread.incarnation)
      throw new Problem("closing", "The thread was deleted and created again.");
    const mayWrite = await isGranted(access, this.threadId, "write");
    this.#follower?.setReadOnly(!mayWrite);
    if (mayWrite) return;
    this.hide();
    this.#shown.clear();
  }

  #onRefused(problem: Problem): void {
    if (this.#isClosed) return;
    if (problem.code === "closing") this.#beginAgain();
    else this.#host.onEnd(this, problem);
  }
}
