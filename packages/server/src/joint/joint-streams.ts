// The open streams of many threads, by their names.
//
// Invariants:
// - A stream belongs to this process and to the actor who opened it. For all others it does not
//   exist.
// - What the sessions of a stream show is gone when the stream ends, and when its reader has not
//   answered two heartbeats: a connection that broke silently may look open for minutes.

import type { Actor } from "@opstate/core";
import { randomId, sameActor } from "@opstate/core/thread";
import { Problem } from "../http/problem.ts";
import type { FollowedThreads } from "./followed-threads.ts";
import type { StreamNames } from "./joint-frames.ts";

/** Heartbeats that a reader may leave unanswered while it shows something. */
const SILENT_LIMIT = 2;

export class JointStream implements StreamNames {
  readonly stream: string;
  /** Others see it, so it must not show the name of the stream. */
  readonly session = `p-${randomId()}`;
  readonly followed: FollowedThreads;
  #unanswered = 0;

  constructor(stream: string, followed: FollowedThreads) {
    this.stream = stream;
    this.followed = followed;
  }

  onHeartbeat(): void {
    this.#unanswered += 1;
    if (this.#unanswered > SILENT_LIMIT) this.followed.hide();
  }

  /** The reader is there. */
  answer(): void {
    if (this.#unanswered > SILENT_LIMIT) this.followed.present();
    this.#unanswered = 0;
  }
}

export class JointStreams {
  readonly #streams = new Map<string, JointStream>();
  readonly #node: string | undefined;

  /** `node`: the id of this server among others, which finds its streams by their names. */
  constructor(node?: string) {
    this.#node = node;
  }

  add(followed: FollowedThreads): JointStream {
    const name = this.#node === undefined ? `s-${randomId()}` : `s-${this.#node}-${randomId()}`;
    const stream = new JointStream(name, followed);
    this.#streams.set(name, stream);
    return stream;
  }

  /** The node that a stream of this name is at. */
  static nodeOf(name: string): string | undefined {
    return /^s-([^-]+)-[^-]+$/.exec(name)?.[1];
  }

  remove({ stream }: JointStream): void {
    this.#streams.delete(stream);
  }

  /** Undefined when the actor has no such stream here. */
  find(name: string, actor: Actor): JointStream | undefined {
    const found = this.#streams.get(name);
    return found && sameActor(found.followed.actor, actor) ? found : undefined;
  }

  /** Throws a Problem when the actor has no such stream here. */
  get(name: string, actor: Actor): JointStream {
    const found = this.find(name, actor);
    if (found) return found;
    throw new Problem(
      "unknown_stream",
      "This process has no such stream of yours: it ended, or it is another process's. Open a new one with all threads.",
    );
  }
}
