// How messages lie in a store: as records, each with the positions that it covers.
//
// Invariants:
// - A record of a JSON stream is one message. Others are pieces of at most 64 KiB, so that a page
//   and a write have a size.
// - `appendEnd` is the tail after the append that the record came with.

import { isJson } from "./content-type.ts";

export interface StreamRecord {
  readonly position: number;
  readonly end: number;
  readonly appendEnd: number;
  readonly data: Uint8Array;
}

const PIECE = 64 * 1024;

export function bytesIn(messages: readonly Uint8Array[]): number {
  return messages.reduce((sum, { length }) => sum + length, 0);
}

/** The records of one append. */
export function recordsOf(
  messages: readonly Uint8Array[],
  { contentType, tail }: { readonly contentType: string; readonly tail: number },
): readonly StreamRecord[] {
  if (isJson(contentType)) {
    const appendEnd = tail + messages.length;
    return messages.map((data, at) => ({ position: tail + at, end: tail + at + 1, appendEnd, data }));
  }
  const appendEnd = tail + bytesIn(messages);
  const records: StreamRecord[] = [];
  let position = tail;
  for (const message of messages) {
    for (let from = 0; from < message.length; from += PIECE) {
      const data = message.subarray(from, from + PIECE);
      records.push({ position, end: position + data.length, appendEnd, data });
      position += data.length;
    }
  }
  return records;
}

/** The part of a record between two positions. Only a record of bytes is longer than one unit. */
function between({ position, end, data }: StreamRecord, from: number, until: number): Uint8Array {
  return data.subarray(Math.max(0, from - position), end > until ? until - position : data.length);
}

/** Fills a page with records, in their order. */
export class Page {
  readonly messages: Uint8Array[] = [];
  /** Where the page ends so far. */
  next: number;
  #bytes = 0;
  readonly #limits: { readonly limit: number; readonly bytes: number };

  constructor(from: number, limits: { readonly limit: number; readonly bytes: number }) {
    this.next = from;
    this.#limits = limits;
  }

  /** How many more messages it could take. */
  get room(): number {
    return this.#limits.limit - this.messages.length;
  }

  /** What lies between the page's end and `until`. False when the page is full. */
  add(record: StreamRecord, until: number): boolean {
    if (record.end <= this.next || record.position >= until) return true;
    const data = between(record, this.next, until);
    this.#bytes += data.length;
    if (this.messages.length > 0 && (this.room < 1 || this.#bytes > this.#limits.bytes)) return false;
    this.messages.push(data);
    this.next = Math.min(record.end, until);
    return true;
  }
}
