// Follows one thread for one reader: a welcome, then a snapshot or the missed commits, then
// everything as it happens.
//
//   behind: log -> history page -> frames, a turn at a time
//        |  position === thread.version          ^
//        v                                       |  gap
//   live: ThreadFeed -> onCommit -> frame -------+
//                                 (no room: the reader is disconnected)
//
// Invariants:
// - The first frame names the actor that the server takes the reader for, and the thread.
// - After its snapshot or starting point, the versions have no gaps.
// - Missed commits are read from the log at the reader's speed. So a reader far behind costs no
//   memory.
// - A live reader without room for a commit is disconnected, and resumes from the log.
// - A reader that has a newer version than this process shows is sent no older one, unless the log
//   itself ends there, as when it was restored.
// - Who is here may be sent late, but the newest list is always sent.
// - The welcome says whether the reader may read only, and a change of it is sent at once.

import type { Actor, Commit } from "@opstate/core";
import type { EventFrame, JoinedFrames } from "../http/event-frame.ts";
import { rightsFrame, welcomeFrame } from "./frames.ts";
import type { ServedThread } from "./served-thread.ts";
import type { FeedSubscriber } from "./thread-feed.ts";

/** Who gets the frames. */
export interface FrameReader {
  /** Whether another frame may be queued. */
  hasRoom(): boolean;
  /** Resolves to true when there is room, or to false when the reader has left. */
  drained(): Promise<boolean>;
  send(frame: EventFrame): void;
  /** Several at once. Left out: each is sent alone. */
  sendJoined?(frames: JoinedFrames): void;
  /** For a reader that is too slow. */
  disconnect(): void;
}

export interface FollowerOptions {
  readonly served: ServedThread;
  readonly reader: FrameReader;
  readonly actor: Actor;
  /** The version that the reader has. Undefined, or above the log's end: a snapshot comes first. */
  readonly after: number | undefined;
  /** The reader may not write. */
  readonly isReadOnly?: boolean;
  /** Called when the follower needs `catchUp` again. */
  readonly onBehind: () => void;
  /** The thread was closed or deleted. Called once; nothing is sent afterwards. */
  readonly onEnd: () => void;
}

/** How many commits are read from the log at a time. */
const FIRST_PAGE = 50;
const LARGEST_PAGE = 200;

/** Bytes that one turn may send, beside its last frame. */
const TURN_SIZE = 64 * 1024;

export class ThreadFollower implements FeedSubscriber {
  readonly #options: FollowerOptions;
  #unsubscribe = () => {};
  #position: number | undefined;
  #wasWelcomed = false;
  #isReadOnly: boolean;
  #isLive = false;
  #owesPresence = false;
  #isClosed = false;
  #pageSize = FIRST_PAGE;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#isReadOnly = options.isReadOnly === true;
    this.#owesPresence = !options.served.presence.isEmpty();
    this.#unsubscribe = options.served.subscribe(this);
  }

  /** The version that the reader has. */
  get position(): number | undefined {
    return this.#position;
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Whether `catchUp` has something to do. */
  get isBehind(): boolean {
    return !this.#isClosed && (!this.#isLive || this.#owesPresence);
  }

  /** One turn: sends a part of what the reader misses. */
  async catchUp(): Promise<void> {
    const { served, reader, actor } = this.#options;
    await served.turn();
    if (this.#isClosed) return;
    if (!this.#wasWelcomed) reader.send(welcomeFrame(actor, served.thread, this.#isReadOnly));
    this.#wasWelcomed = true;
    if (!this.#isLive) await this.#sendMissed();
    if (this.#isClosed) return;
    // No await since the last check, so the next commit finds the follower live.
    this.#isLive = this.#position === served.thread.version;
    if (!this.#isLive || !this.#owesPresence || !reader.hasRoom()) return;
    this.#owesPresence = false;
    reader.send(served.presence.frame());
  }

  setReadOnly(isReadOnly: boolean): void {
    if (this.#isReadOnly === isReadOnly) return;
    this.#isReadOnly = isReadOnly;
    const { served, reader } = this.#options;
    if (this.#wasWelcomed && !this.#isClosed) reader.send(rightsFrame(served.thread.threadId, isReadOnly));
  }

  /** Sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
  }

  onCommit(version: number, frame: EventFrame): void {
    const { reader, onBehind } = this.#options;
    // A commit that the snapshot contains may still be announced.
    if (!this.#isLive || this.#position === undefined || version <= this.#position) return;
    if (version !== this.#position + 1) {
      // Another process compacted the commits between.
      this.#isLive = false;
      return onBehind();
    }
    if (!reader.hasRoom()) return reader.disconnect();
    this.#position = version;
    reader.send(frame);
  }

  onRefusal(frame: EventFrame): void {
    const { reader } = this.#options;
    if (this.#isLive && reader.hasRoom()) reader.send(frame);
  }

  onPresence(frame: EventFrame): void {
    const { reader, onBehind } = this.#options;
    if (this.#isLive && reader.hasRoom()) return reader.send(frame);
    this.#owesPresence = true;
    if (this.#isLive) onBehind();
  }

  onEnd(): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onEnd();
  }

  async #sendMissed(): Promise<void> {
    const { served, reader } = this.#options;
    const { thread, frames } = served;
    const after = this.#position;
    if (after !== undefined && after > thread.version) await served.readHead();
    if (after === thread.version || this.#isClosed) return;
    if (after !== undefined && frames.at(after + 1) !== undefined) {
      this.#sendSome(frames.from(after + 1));
      return;
    }
    const commits = after === undefined || after > thread.version ? [] : await this.#commitsAfter(after);
    if (this.#isClosed) return;
    if (after === undefined || commits[0]?.version !== after + 1) {
      reader.send(frames.snapshot());
      this.#position = thread.version;
      return;
    }
    const sent = this.#sendSome(frames.ofAll(commits));
    // What a turn read and did not send, the next one reads again. So it reads no more than fits.
    this.#pageSize = sent < commits.length ? Math.max(1, sent) : Math.min(2 * sent, LARGEST_PAGE);
  }

  /** The frames after the reader's position, as many as a turn may send. Returns how many. */
  #sendSome(frames: Iterable<EventFrame>): number {
    const { served, reader } = this.#options;
    if (!reader.hasRoom()) return 0;
    const fitting: EventFrame[] = [];
    let size = 0;
    for (const frame of frames) {
      fitting.push(frame);
      size += frame.bytes.length;
      if (size >= TURN_SIZE) break;
    }
    const [first, ...rest] = fitting;
    if (first === undefined) return 0;
    let sent = 0;
    if (reader.sendJoined !== undefined) {
      const joined = served.frames.joined([first, ...rest]);
      reader.sendJoined(joined);
      sent = joined.count;
    } else {
      for (const frame of fitting) {
        if (!reader.hasRoom()) break;
        reader.send(frame);
        sent += 1;
      }
    }
    this.#position = (this.#position ?? 0) + sent;
    return sent;
  }

  async #commitsAfter(after: number): Promise<readonly Commit[]> {
    const { served } = this.#options;
    const { clearings } = served.frames;
    try {
      const commits = await served.frames.missed(after, this.#pageSize);
      // All who waited for it would go on at once.
      await served.turn();
      // Something may have been erased meanwhile, which these still have.
      return clearings === served.frames.clearings ? commits : await this.#commitsAfter(after);
    } catch (error) {
      // The thread was closed in the meantime.
      if (this.#isClosed) return [];
      throw error;
    }
  }
}
