// The readers who follow streams: how many each actor has, and which are checked again.

import type { Actor } from "@opstate/core";
import { actorKey } from "@opstate/core/log";
import { LiveAccess, type LiveAccessOptions } from "./live-access.ts";
import { Problem } from "./problem.ts";

/** Whose rights have changed. Left out: all. */
export interface RevokedStreams {
  readonly actor?: Actor;
  readonly streamId?: string;
}

export class LiveReaders {
  readonly #readers = new Set<LiveAccess>();
  readonly #counts = new Map<string, number>();
  readonly #most: number;

  /** `most`: of one actor. */
  constructor(most: number) {
    this.#most = most;
  }

  /** To be closed when the reader leaves. Throws a Problem when the actor has too many. */
  begin(options: Omit<LiveAccessOptions, "onClose">): LiveAccess {
    const owner = actorKey(options.access.actor);
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#most)
      throw new Problem(
        "too_many_readers",
        `At most ${this.#most} requests may follow streams at once. End some first.`,
      );
    const live = new LiveAccess({
      ...options,
      onClose: (closed) => {
        this.#readers.delete(closed);
        const left = (this.#counts.get(owner) ?? 1) - 1;
        if (left === 0) this.#counts.delete(owner);
        else this.#counts.set(owner, left);
      },
    });
    this.#counts.set(owner, count + 1);
    this.#readers.add(live);
    return live;
  }

  /** Checks the readers again whose rights may have changed. */
  async ask({ actor, streamId }: RevokedStreams): Promise<void> {
    const concerned = [...this.#readers].filter(
      (live) =>
        (actor === undefined || actorKey(actor) === actorKey(live.actor)) &&
        (streamId === undefined || streamId === live.streamId),
    );
    await Promise.all(concerned.map((live) => live.ask()));
  }

  close(): void {
    for (const live of this.#readers) live.close(new Problem("closing", "The server is closing."));
  }
}
