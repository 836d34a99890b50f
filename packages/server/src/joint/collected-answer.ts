// An answer that is a list of messages, for readers whose hosts have no streams.
//
//   collecting ──(all caught up)──> waiting ──(news, or the time is over)──> done
//        └── news, or no time ─────────────────────────────────────────────────^
//
// Invariants:
// - Who the reader is, and the welcome of a thread, are in every list. They are no news.
// - A list ends with the frame that exceeds 256 KB. What follows comes with the next request.

import type { EventFrame } from "../http/event-frame.ts";
import type { FrameReader } from "../threads/thread-follower.ts";

/** Bytes. */
const SIZE_LIMIT = 256 * 1024;

const NO_NEWS = new Set(["hello", "welcome"]);
/** Who was here already is no news, and who comes and goes later is; so it is with rights. */
const FIRST_NO_NEWS = new Set(["presence", "rights"]);
const ENCODER = new TextEncoder();
const [OPEN, COMMA, CLOSE] = [ENCODER.encode("["), ENCODER.encode(","), ENCODER.encode("]")];

export class CollectedAnswer implements FrameReader {
  #parts: Uint8Array[] = [];
  #size = 0;
  #hasNews = false;
  #isCaughtUp = false;
  #isDone = false;
  #onDone = () => {};

  hasRoom(): boolean {
    return !this.#isDone && this.#size < SIZE_LIMIT;
  }

  async drained(): Promise<boolean> {
    if (!this.hasRoom()) this.finish();
    return this.hasRoom();
  }

  send(frame: EventFrame): void {
    if (this.#isDone) return;
    this.#parts.push(this.#parts.length === 0 ? OPEN : COMMA, frame.json);
    this.#size += frame.json.length;
    if (!NO_NEWS.has(frame.event) && (!FIRST_NO_NEWS.has(frame.event) || this.#isCaughtUp)) this.#hasNews = true;
    if (this.#hasNews && this.#isCaughtUp) this.finish();
  }

  disconnect(): void {
    this.finish();
  }

  /** Every thread is caught up: from now on any news finishes the list. */
  caughtUp(): void {
    this.#isCaughtUp = true;
    if (this.#hasNews) this.finish();
  }

  finish(): void {
    this.#isDone = true;
    this.#onDone();
  }

  /** Resolves to the list, as JSON, when it is finished. */
  async json(): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.#isDone) await new Promise<void>((resolve) => (this.#onDone = resolve));
    return concat([...(this.#parts.length === 0 ? [OPEN] : this.#parts), CLOSE]);
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
