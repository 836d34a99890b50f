// The entries of a session in order, and the state after each of them.
//
// The text form is JSON Lines (.jsonl), a head and then a line for each entry:
//
//   { "format": "opstate.recording", "version": 1, "threadId", "first", "initial" }
//   { "at": <ms>, "send": [messages] }
//   { "at": <ms>, "event": <AG-UI event> }
//   { "at": <ms>, "end": { kind, message, code? } }
//
// Invariants:
// - The state after an entry equals the state that the session had.
// - A full recording drops its oldest entries, and then starts later.

import type { Message } from "@ag-ui/core";
import type { ChatError, ChatState } from "../state/chat-state.ts";
import { endStream } from "../reducer/end-stream.ts";
import { appendMessage } from "../reducer/append-message.ts";

/**
 * One change of the conversation: messages that were sent, an event that arrived, or a stream that
 * broke. `at` is in milliseconds.
 */
export type RecordingEntry = { readonly at: number } & (
  | { readonly send: readonly Message[] }
  | { readonly event: unknown }
  | { readonly end: ChatError }
);

/** The reducer of a session. It must not change the event. */
export type SessionReducer<S extends ChatState> = (state: S, event: unknown) => S;

/** A state is kept for every so many entries, so that no replay is longer. */
const STRIDE = 500;

/** The state after one more entry. */
export function applyEntry<S extends ChatState>(reducer: SessionReducer<S>, state: S, entry: RecordingEntry): S {
  if ("event" in entry) return reducer(state, entry.event);
  if ("end" in entry) return endStream(state, entry.end);
  const { error: _, ...sent } = entry.send.reduce(appendMessage<S>, state);
  // `error` is optional in every state, so the rest is still an S.
  return { ...sent, phase: "running" } as unknown as S;
}

export class Recording<S extends ChatState> {
  readonly #reducer: SessionReducer<S>;
  readonly #limit: number;
  /** The entries in strides, each with the state before it. */
  readonly #strides: { readonly from: S; readonly entries: RecordingEntry[] }[];
  #first: number;
  #length: number;

  constructor(
    reducer: SessionReducer<S>,
    initial: S,
    { limit = Infinity, first = 0 }: { limit?: number; first?: number } = {},
  ) {
    this.#reducer = reducer;
    this.#limit = limit;
    this.#strides = [{ from: initial, entries: [] }];
    this.#first = first;
    this.#length = first;
  }

  /** The index of the oldest known state: 0 until a full recording drops entries. */
  get first(): number {
    return this.#first;
  }

  /** The number of entries, with the dropped ones. It is the index of the newest state. */
  get length(): number {
    return this.#length;
  }

  get entries(): readonly RecordingEntry[] {
    return this.#strides.flatMap(({ entries }) => entries);
  }

  /** `state` is the conversation before the entry. */
  add(entry: RecordingEntry, state: S): void {
    let last = this.#strides.at(-1);
    if (last === undefined || last.entries.length >= STRIDE) this.#strides.push((last = { from: state, entries: [] }));
    last.entries.push(entry);
    this.#length += 1;
    while (this.#length - this.#first > this.#limit && this.#strides.length > 1)
      this.#first += this.#strides.shift()?.entries.length ?? 0;
  }

  /** The state after the first `index` entries. Throws a RangeError when it is not known. */
  replayTo(index: number): S {
    if (!Number.isSafeInteger(index) || index < this.#first || index > this.#length)
      throw new RangeError(`The recording knows the states ${this.#first} to ${this.#length}, not ${index}.`);
    let at = this.#first;
    for (const { from, entries } of this.#strides) {
      if (index <= at + entries.length)
        return entries.slice(0, index - at).reduce((state, entry) => applyEntry(this.#reducer, state, entry), from);
      at += entries.length;
    }
    throw new RangeError(`The recording has no state ${index}.`);
  }

  /** JSON Lines in the form that this file's header shows. */
  toJsonLines(threadId: string): string {
    const head = {
      format: "opstate.recording",
      version: 1,
      threadId,
      first: this.#first,
      initial: this.replayTo(this.#first),
    };
    return [head, ...this.entries].map((line) => `${JSON.stringify(line)}\n`).join("");
  }
}

/**
 * The entries and the head of a text that `toJsonLines` made. Throws a TypeError that names the
 * first bad line.
 */
export function parseJsonLines(text: string): {
  readonly threadId: string;
  readonly first: number;
  readonly initial: ChatState;
  readonly entries: readonly RecordingEntry[];
} {
  const [head = {}, ...entries] = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parseLine);
  const { format, version, threadId, first, initial } = head;
  if (
    format !== "opstate.recording" ||
    version !== 1 ||
    typeof threadId !== "string" ||
    !Number.isSafeInteger(first) ||
    !isState(initial)
  )
    throw new TypeError(
      'Line 1 is not the head of a recording: { "format": "opstate.recording", "version": 1, "threadId", "first", "initial" }.',
    );
  entries.forEach((entry, index) => {
    if (typeof entry["at"] !== "number" || !["send", "event", "end"].some((member) => Object.hasOwn(entry, member)))
      throw new TypeError(`Line ${index + 2} is not an entry of a recording: { "at", "send" | "event" | "end" }.`);
  });
  // Checked as far as replaying needs it: the reducer checks the events.
  return { threadId, first: Number(first), initial, entries: entries as unknown as readonly RecordingEntry[] };
}

function parseLine(line: string, index: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new TypeError(`Line ${index + 1} of the recording is not JSON.`);
  }
  if (typeof value !== "object" || value === null)
    throw new TypeError(`Line ${index + 1} of the recording is not an object.`);
  return { ...value };
}

function isState(value: unknown): value is ChatState {
  return typeof value === "object" && value !== null && "messages" in value && Array.isArray(value.messages);
}
