// The newest commits of a thread as frames, encoded once for all who read them: those who are live,
// and those who catch up. Many of these miss the same: it is read once, and put together once.
//
// Invariant: it is a cache. A frame that is not in it is made from the log, with the same bytes.

import type { Commit, Thread } from "@opstate/core";
import { type EventFrame, JoinedFrames } from "../http/event-frame.ts";
import { commitFrame, snapshotFrame } from "./frames.ts";

/** Bytes, beside the newest frame. */
const SIZE = 1024 * 1024;
/** Stretches of frames that are kept put together. */
const STRETCHES = 8;

export class FrameRing {
  readonly #thread: Thread;
  /** Oldest first, as they were made. */
  readonly #frames = new Map<number, EventFrame>();
  #size = 0;
  #clearings = 0;
  /** By their first frame, the one that was used last at the end. */
  readonly #stretches = new Map<EventFrame, JoinedFrames>();
  /** What is being read from the log. */
  readonly #reading = new Map<string, Promise<readonly Commit[]>>();
  #snapshot: { readonly version: number; readonly frame: EventFrame } | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  at(version: number): EventFrame | undefined {
    return this.#frames.get(version);
  }

  /** Those from a version on that are here. */
  *from(version: number): Generator<EventFrame> {
    for (let frame = this.at(version); frame !== undefined; frame = this.at(version)) {
      yield frame;
      version += 1;
    }
  }

  /** Of commits that follow one another, each made when it is wanted. */
  *ofAll(commits: Iterable<Commit>): Generator<EventFrame> {
    for (const commit of commits) yield this.of(commit);
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

  /** The commits after a version, at most `limit`: one reading for all who want them at once. */
  missed(after: number, limit: number): Promise<readonly Commit[]> {
    const key = `${after} ${limit}`;
    const known = this.#reading.get(key);
    if (known !== undefined) return known;
    const reading = this.#read(after, limit).finally(() => {
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    });
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(after: number, limit: number): Promise<readonly Commit[]> {
    const entries = await this.#thread.history({ after, limit });
    return entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
  }

  /** Frames that follow one another as one: all of them, or the first ones that are so already. */
  joined(frames: readonly [EventFrame, ...EventFrame[]]): JoinedFrames {
    const [first] = frames;
    const known = this.#stretches.get(first);
    this.#stretches.delete(first);
    const isEnough = known !== undefined && known.count <= frames.length && 2 * known.count > frames.length;
    const joined = isEnough ? known : new JoinedFrames(frames);
    this.#stretches.set(first, joined);
    const [oldest] = this.#stretches.keys();
    if (oldest !== undefined && this.#stretches.size > STRETCHES) this.#stretches.delete(oldest);
    return joined;
  }

  /** That of the present version. */
  snapshot(): EventFrame {
    const { version } = this.#thread;
    if (this.#snapshot?.version !== version) this.#snapshot = { version, frame: snapshotFrame(this.#thread) };
    return this.#snapshot.frame;
  }

  /** How often it was cleared: what was read before the last time may have what was erased. */
  get clearings(): number {
    return this.#clearings;
  }

  clear(): void {
    this.#clearings += 1;
    this.#frames.clear();
    this.#stretches.clear();
    this.#reading.clear();
    this.#size = 0;
    this.#snapshot = undefined;
  }
}
