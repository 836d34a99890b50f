// Parses a large JSON text in slices: others are answered in between. A worker would be no help,
// since what it parsed has to be copied over, which takes as long as parsing it.
//
//   {"threadId":"t","messages":[ {...}, {...}, {...}, ... ]}
//   |                          |  |---|  |---| small values: JSON.parse, some at a time
//   |                          `- large: item by item
//   `- large: member by member
//
// Invariants:
// - It accepts what JSON.parse accepts, with the same result.
// - Nothing is nested deeper than the limit: that is known before anything is parsed.

import type { Pace } from "@opstate/core/thread";

/** Containers of fewer bytes are parsed at once. */
const SMALL = 32 * 1024;
/** Bytes between two looks at the clock. */
const STRIDE = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The text nests deeper than its limit. */
export class TooDeep extends Error {}

/**
 * Rejects with a SyntaxError or a TypeError when it is no JSON in UTF-8, with TooDeep, or as `pace`
 * does.
 */
export async function parseInSlices(bytes: Uint8Array, depth: number, pace: Pace): Promise<unknown> {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = new SlicedText(bytes, await largeContainers(bytes, depth, pace), pace);
  return text.parse(start);
}

/** Where the large containers end, by where they begin. */
async function largeContainers(bytes: Uint8Array, depth: number, pace: Pace): Promise<ReadonlyMap<number, number>> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let next = STRIDE;
  for (let index = 0; index < bytes.length; index += 1) {
    if (index >= next) {
      next = index + STRIDE;
      if (pace.isOver) await pace.next();
    }
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      open.push(index);
      if (open.length > depth) throw new TooDeep();
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      const start = open.pop();
      if (start !== undefined && index - start > SMALL) ends.set(start, index + 1);
    }
  }
  return ends;
}

class SlicedText {
  readonly #bytes: Uint8Array;
  readonly #large: ReadonlyMap<number, number>;
  readonly #pace: Pace;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(bytes: Uint8Array, large: ReadonlyMap<number, number>, pace: Pace) {
    this.#bytes = bytes;
    this.#large = large;
    this.#pace = pace;
  }

  async parse(from: number): Promise<unknown> {
    const start = this.#skipSpace(from);
    const end = this.#endOf(start);
    const value = await this.#value(start, end);
    if (this.#skipSpace(end) !== this.#bytes.length) throw new SyntaxError("There is more after the value.");
    return value;
  }

  #value(start: number, end: number): unknown {
    if (!this.#large.has(start)) return this.#small(start, end);
    return this.#bytes[start] === OPEN_ARRAY ? this.#array(start, end) : this.#object(start, end);
  }

  #small(start: number, end: number): unknown {
    return JSON.parse(this.#decoder.decode(this.#bytes.subarray(start, end)));
  }

  async #array(start: number, end: number): Promise<unknown[]> {
    const items: unknown[] = [];
    for (let at = start; at < end - 1;) {
      if (this.#pace.isOver) await this.#pace.next();
      const first = this.#skipSpace(at + 1);
      // A large container is not empty.
      const last = this.#endOf(first);
      items.push(await this.#value(first, last));
      at = this.#separator(last, CLOSE_ARRAY);
    }
    return items;
  }

  async #object(start: number, end: number): Promise<Record<string, unknown>> {
    const members: Record<string, unknown> = {};
    for (let at = start; at < end - 1;) {
      if (this.#pace.isOver) await this.#pace.next();
      const key = this.#skipSpace(at + 1);
      const keyEnd = this.#endOf(key);
      const name = this.#small(key, keyEnd);
      const colon = this.#skipSpace(keyEnd);
      if (typeof name !== "string" || this.#bytes[colon] !== COLON) throw new SyntaxError("A member has no name.");
      const first = this.#skipSpace(colon + 1);
      const last = this.#endOf(first);
      const value = await this.#value(first, last);
      // An own member, also when it is called "__proto__".
      Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
      at = this.#separator(last, CLOSE_OBJECT);
    }
    return members;
  }

  /** The index of the comma, or of the end of the container. */
  #separator(from: number, close: number): number {
    const at = this.#skipSpace(from);
    const byte = this.#bytes[at];
    if (byte === COMMA || byte === close) return at;
    throw new SyntaxError("A value is not followed by a comma.");
  }

  /** Where a value ends. What is within it is not looked at: JSON.parse does that. */
  #endOf(start: number): number {
    const bytes = this.#bytes;
    const large = this.#large.get(start);
    if (large !== undefined) return large;
    const byte = bytes[start];
    if (byte === QUOTE) return endOfString(bytes, start) + 1;
    let index = start;
    if (byte !== OPEN_ARRAY && byte !== OPEN_OBJECT) {
      while (index < bytes.length && !isEnd(bytes[index])) index += 1;
      return index;
    }
    for (let depth = 0; index < bytes.length; index += 1) {
      const inner = bytes[index];
      if (inner === QUOTE) index = endOfString(bytes, index);
      else if (inner === OPEN_ARRAY || inner === OPEN_OBJECT) depth += 1;
      else if ((inner === CLOSE_ARRAY || inner === CLOSE_OBJECT) && --depth === 0) return index + 1;
    }
    return bytes.length;
  }

  #skipSpace(from: number): number {
    let index = from;
    while (isSpace(this.#bytes[index])) index += 1;
    return index;
  }
}

/** The index of the closing quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let quote = bytes.indexOf(QUOTE, start + 1);
  while (quote >= 0 && isEscaped(bytes, quote)) quote = bytes.indexOf(QUOTE, quote + 1);
  return quote < 0 ? bytes.length : quote;
}

function isEscaped(bytes: Uint8Array, index: number): boolean {
  let backslashes = 0;
  while (bytes[index - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isSpace(byte);
}
