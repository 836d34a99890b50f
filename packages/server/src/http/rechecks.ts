// Everything that lasts on a server and is checked again: streams, lists that wait, runs.
//
// Invariants:
// - What was opened while others were checked is checked too: its rights may be those from before.
// - Hundreds of checks are spread over turns of the event loop.

import type { Actor } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";
import { inTurns } from "./in-turns.ts";
import { AccessRecheck, type RecheckOptions } from "./recheck-access.ts";

/** Whose rights have changed: the actor's, on the thread and its branches. Left out: all. */
export interface Revoked {
  readonly actor?: Actor;
  readonly threadId?: string;
}

export interface LastingAccess extends Omit<RecheckOptions, "interval" | "onClose"> {
  readonly actor: Actor;
  /** Whether it shows this thread, or a branch of it. */
  readonly shows: (threadId: string) => boolean;
  /** The `revision` at which its access was found out. */
  readonly since: number;
}

export class Rechecks {
  readonly #interval: number;
  readonly #onFirst: () => void;
  readonly #onLast: () => void;
  readonly #members = new Map<AccessRecheck, Pick<LastingAccess, "actor" | "shows">>();
  #revision = 0;

  /** `onFirst` is called when the first member begins, `onLast` when the last one has ended. */
  constructor(interval: number, { onFirst = () => {}, onLast = () => {} } = {}) {
    this.#interval = interval;
    this.#onFirst = onFirst;
    this.#onLast = onLast;
  }

  /** How often `ask` was called. */
  get revision(): number {
    return this.#revision;
  }

  /** To be closed when it ends. */
  begin(lasting: LastingAccess): AccessRecheck {
    const recheck: AccessRecheck = new AccessRecheck({
      ...lasting,
      interval: this.#interval,
      onClose: () => {
        this.#members.delete(recheck);
        if (this.#members.size === 0) this.#onLast();
      },
    });
    this.#members.set(recheck, lasting);
    if (this.#members.size === 1) this.#onFirst();
    if (lasting.since !== this.#revision) recheck.ask();
    return recheck;
  }

  /** Checks the members again whose rights may have changed. */
  ask({ actor, threadId }: Revoked): void {
    this.#revision += 1;
    const nextTurn = inTurns();
    for (const [recheck, member] of this.#members) {
      if (actor !== undefined && !sameActor(actor, member.actor)) continue;
      if (threadId !== undefined && !member.shows(threadId)) continue;
      void nextTurn().then(() => recheck.ask());
    }
  }
}

/** Whether the thread is the one of that id, or a branch of it. */
export function isOrBranchOf(
  thread: { readonly threadId: string; readonly parent?: { readonly threadId: string } | undefined },
  threadId: string,
): boolean {
  return thread.threadId === threadId || thread.parent?.threadId === threadId;
}
