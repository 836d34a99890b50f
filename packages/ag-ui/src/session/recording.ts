// What happened in a session, in order, and the state after any of it.
//
// The text form is JSON Lines (.jsonl): a first line { "format": "opstate.recording", "version": 1,
// "threadId", "first", "initial" }, then one line for each entry: { "at": <ms>, "send": [messages]
// }, { "at", "event": <AG-UI event> } or { "at", "end": { kind, message, code? } }.
//
// Invariants: the state after an entry is what the session's was; a recording that is full forgets
// its oldest entries and begins later.

import type { Message } from "@ag-ui/core";
import type { ChatError, ChatState } from "../state/chat-state.ts";
import { endStream } from "../reducer/end-stream.ts";
import { appendMessage } from "../reducer/append-message.ts";

/**
 * One thing that changed the conversation: messages that were sent, an event that came, or a stream
 * that broke.
 */
export type RecordingEntry = { readonly at: number } & (
  | { readonly send: readonly Message[] }
  | { readonly event: unknown }
  | { readonly end: ChatError }
);

/** The fold of a session. */
export type SessionReducer<S extends ChatState> = (state: S, event: unknown) => S;

/** Entries between two states that are kept, so that no replay is longer than that. */
const STRIDE = 500;

/** What an entry makes of a conversation. */
export function applyEntry<S extends ChatState>(reducer: SessionReducer<S>, state: S, entry: RecordingEntry): S {
  if ("event" in entry) return reducer(state, entry.event);
  if ("end" in entry) return endStream(state, entry.end);
  const { error: _, ...sent } = entry.send.reduce(appendMessage<S>, state);
  // Without its error it is what it was: no state needs one.
  return { ...sent, phase: "running" } as unknown as S;
}

export class Recording<S extends ChatState> {
  readonly #reducer: SessionReducer<S>;
  readonly #limit: number;
  /** Entries in strides, each with the state that it begins from. */
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

  /** The index of the oldest state that is known: 0 until a full recording forgot something. */
  get first(): number {
    return this.#first;
  }

  /** How many entries there were; also the index of the newest state. */
  get length(): number {
    return this.#length;
  }

  get entries(): readonly RecordingEntry[] {
    return this.#strides.flatMap(({ entries }) => entries);
  }

  /** `state` is what the conversation was before the entry. */
  add(entry: RecordingEntry, state: S): void {
    let last = this.#strides.at(-1);
    if (last === undefined || last.entries.length >= STRIDE) this.#strides.push((last = { from: state, entries: [] }));
    last.entries.push(entry);
    this.#length += 1;
    while (this.#length - this.#first > this.#limit && this.#strides.length > 1)
      this.#first += this.#strides.shift()?.entries.length ?? 0;
  }

  /** The state after the first `index` entries. Throws a RangeError when that is not known. */
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

  /** JSON Lines, as the header of this file says. */
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
 * line which is none of its.
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
  // Checked as far as replaying needs it: what is inside an event is the reducer's to judge.
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
