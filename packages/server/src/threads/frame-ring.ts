// The newest commits of a thread as frames, encoded once for all who read them: those who are live,
// and those who catch up.
//
// Invariant: it is a cache. A frame that is not in it is made from the log, with the same bytes.

import type { Commit, Thread } from "@opstate/core";
import type { EventFrame } from "../http/event-frame.ts";
import { commitFrame, snapshotFrame } from "./frames.ts";

/** Bytes, beside the newest frame. */
const SIZE = 1024 * 1024;

export class FrameRing {
  readonly #thread: Thread;
  /** Oldest first, as they were made. */
  readonly #frames = new Map<number, EventFrame>();
  #size = 0;
  #snapshot: { readonly version: number; readonly frame: EventFrame } | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  at(version: number): EventFrame | undefined {
    return this.#frames.get(version);
  }

  of(commit: Commit): EventFrame {
    const known = this.#frames.get(commit.version);
    if (known !== undefined) return known;
    const frame = commitFrame(this.#thread.threadId, commit);
    this.#frames.set(commit.version, frame);
    this.#size += frame.bytes.length;
    for (const [version, oldest] of this.#frames) {
      if (this.#size <= SIZE || oldest === frame) break;
      this.#frames.delete(version);
      this.#size -= oldest.bytes.length;
    }
    return frame;
  }

  /** That of the present version. */
  snapshot(): EventFrame {
    const { version } = this.#thread;
    if (this.#snapshot?.version !== version) this.#snapshot = { version, frame: snapshotFrame(this.#thread) };
    return this.#snapshot.frame;
  }

  clear(): void {
    this.#frames.clear();
    this.#size = 0;
    this.#snapshot = undefined;
  }
}
