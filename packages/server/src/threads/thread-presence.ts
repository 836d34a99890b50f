// Who is here on a thread, and what they work on. In the memory of this process, never in the log.
//
//   show, hide -> participants -> (at most ten times a second) -> one frame -> every reader
//   other nodes ------^
//
// Invariants:
// - A frame lists all participants. So a reader that misses one knows all with the next.
// - A reader gets at most ten frames and about 64 KB a second. Changes between are one frame.
// - A change is sent even when it comes in the pause after a frame.

import type { Participant } from "@opstate/client/carriers";
import type { EventFrame } from "../http/event-frame.ts";
import { presenceFrame } from "./frames.ts";

/** Milliseconds between two frames. */
const SHORTEST_PAUSE = 100;

/** Bytes a second that one reader gets. */
const BYTES_PER_SECOND = 64 * 1024;

/** Bytes of one frame. Those who do not fit, who are here longest, are left out. */
const FRAME_LIMIT = 64 * 1024;

export class ThreadPresence {
  readonly #threadId: string;
  readonly #onFrame: (frame: EventFrame) => void;
  readonly #participants = new Map<string, Participant>();
  /** Who is there at other nodes, by node. */
  readonly #others = new Map<string, readonly Participant[]>();
  #onOwn: (() => void) | undefined;
  /** The newest frame; undefined when something changed since. */
  #frame: EventFrame | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #hasChanged = false;
  #hasEnded = false;

  constructor(threadId: string, onFrame: (frame: EventFrame) => void) {
    this.#threadId = threadId;
    this.#onFrame = onFrame;
  }

  /** Whether there are no participants. */
  isEmpty(): boolean {
    return this.#participants.size === 0 && this.#others.size === 0;
  }

  /** Those who are here in this process. */
  get own(): readonly Participant[] {
    return newestWithin([...this.#participants.values()], FRAME_LIMIT);
  }

  /** Calls back when somebody comes, goes or changes in this process. */
  onOwn(onOwn: () => void): void {
    this.#onOwn = onOwn;
  }

  /** Replaces who is there at another node. */
  showOf(node: string, participants: readonly Participant[]): void {
    if (this.#hasEnded || (participants.length === 0 && !this.#others.has(node))) return;
    if (participants.length === 0) this.#others.delete(node);
    else this.#others.set(node, participants);
    this.#publish();
  }

  /** All participants who are here now. */
  frame(): EventFrame {
    this.#frame ??= presenceFrame(this.#threadId, newestWithin(this.#everybody, FRAME_LIMIT));
    return this.#frame;
  }

  /** Replaces what the session showed before. */
  show(participant: Participant): void {
    if (this.#hasEnded) return;
    const before = this.#participants.get(participant.session);
    if (before && JSON.stringify(before) === JSON.stringify(participant)) return;
    this.#participants.set(participant.session, participant);
    this.#publish();
    this.#onOwn?.();
  }

  hide(session: string): void {
    if (!this.#participants.delete(session)) return;
    this.#publish();
    this.#onOwn?.();
  }

  /** No participant is left, and nothing more is published. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#pause);
    this.#hasChanged = false;
    const wasEmpty = this.#participants.size === 0;
    this.#participants.clear();
    this.#others.clear();
    if (!wasEmpty) this.#onOwn?.();
  }

  get #everybody(): readonly Participant[] {
    return [...[...this.#others.values()].flat(), ...this.#participants.values()];
  }

  #publish(): void {
    this.#frame = undefined;
    this.#hasChanged = true;
    if (this.#pause === undefined) this.#publishNow();
  }

  #publishNow(): void {
    this.#pause = undefined;
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    const frame = this.frame();
    const pause = Math.max(SHORTEST_PAUSE, (frame.bytes.length / BYTES_PER_SECOND) * 1_000);
    this.#pause = setTimeout(() => this.#publishNow(), pause);
    this.#pause.unref();
    this.#onFrame(frame);
  }
}

function newestWithin(participants: readonly Participant[], limit: number): readonly Participant[] {
  let size = 0;
  const kept = participants.toReversed().filter((participant) => {
    size += JSON.stringify(participant).length;
    return size <= limit;
  });
  return kept.toReversed();
}
