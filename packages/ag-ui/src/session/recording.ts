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
// - What `getState` gave stays as it was: a state, and the entries that led to it.

import type { Message } from "@ag-ui/core";
import type { Readable } from "@opstate/core";
import { createSource, type Source } from "@opstate/core/readable";
import type { ChatError, ChatState } from "../state/chat-state.ts";
import { endStream } from "../reducer/end-stream.ts";
import { appendMessage } from "../reducer/append-message.ts";
import { isState } from "./saved-chat.ts";

/**
 * One change of the conversation: messages that were sent, an event that arrived, or a stream that
 * broke. `at` is in milliseconds.
 */
export type RecordingEntry = { readonly at: number } & (
  | { readonly send: readonly Message[] }
  | { readonly event: unknown }
  | { readonly end: ChatError }
);

/** A conversation with the entries that led to it: both of one moment. */
export interface RecordedChat<S extends ChatState = ChatState> {
  readonly state: S;
  /** The index of the oldest state that is known: 0 until a full recording drops entries. */
  readonly first: number;
  /** How many entries there were, the dropped ones too: the index of `state`. */
  readonly length: number;
  /** Those from `first` to `length`. */
  readonly entries: readonly RecordingEntry[];
}

/**
 * The recording of a session. It changes with each entry, also with one that leaves the state as it
 * is.
 */
export type SessionRecording<S extends ChatState = ChatState> = Readable<RecordedChat<S>> &
  Omit<RecordedChat<S>, "state">;

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

/** Some entries in order, and the state before them. The list of entries only grows. */
interface Stride<S extends ChatState> {
  readonly from: S;
  readonly entries: RecordingEntry[];
}

export class Recording<S extends ChatState> implements SessionRecording<S> {
  readonly #reducer: SessionReducer<S>;
  readonly #limit: number;
  /** Has the newest moment while there are subscribers. */
  readonly #source: Source<RecordedChat<S>>;
  #followers = 0;
  #state: S;
  /** Made when it is read: most moments never are. */
  #moment: RecordedChat<S> | undefined;
  /** Another list when a stride begins or is dropped. */
  #strides: readonly Stride<S>[];
  #first = 0;
  #length = 0;

  constructor(
    reducer: SessionReducer<S>,
    initial: S,
    { limit = Infinity, onError }: { limit?: number; onError?: (error: unknown) => void } = {},
  ) {
    this.#reducer = reducer;
    this.#limit = limit;
    this.#strides = [{ from: initial, entries: [] }];
    this.#state = initial;
    this.#source = createSource(this.getState(), onError);
  }

  getState = (): RecordedChat<S> => (this.#moment ??= this.#recorded());

  getInitialState = (): RecordedChat<S> => this.#source.getInitialState();

  subscribe = (listener: (recorded: RecordedChat<S>, previous: RecordedChat<S>) => void): (() => void) => {
    if (this.#followers === 0) this.#source.set(this.getState())();
    this.#followers += 1;
    const unsubscribe = this.#source.subscribe(listener);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#followers -= 1;
      unsubscribe();
    };
  };

  get first(): number {
    return this.#first;
  }

  get length(): number {
    return this.#length;
  }

  get entries(): readonly RecordingEntry[] {
    return this.getState().entries;
  }

  /** Begins again at a state. The returned function calls the listeners. */
  restart(state: S, first = 0): () => void {
    this.#strides = [{ from: state, entries: [] }];
    this.#first = first;
    this.#length = first;
    return this.#changeTo(state);
  }

  /**
   * `before` is the conversation before the entry, `after` the one after it. The returned function
   * calls the listeners.
   */
  add(entry: RecordingEntry, before: S, after: S): () => void {
    const last = this.#strides.at(-1);
    if (last === undefined || last.entries.length >= STRIDE)
      this.#strides = [...this.#strides, { from: before, entries: [entry] }];
    else last.entries.push(entry);
    this.#length += 1;
    while (this.#length - this.#first > this.#limit && this.#strides.length > 1) {
      const [oldest, ...rest] = this.#strides;
      this.#strides = rest;
      this.#first += oldest?.entries.length ?? 0;
    }
    return this.#changeTo(after);
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

  /** The returned function calls the listeners. */
  #changeTo(state: S): () => void {
    this.#state = state;
    this.#moment = undefined;
    return this.#followers === 0 ? () => {} : this.#source.set(this.getState());
  }

  /** The list of entries is made when it is read. */
  #recorded(): RecordedChat<S> {
    const [state, strides, first, length] = [this.#state, this.#strides, this.#first, this.#length];
    let made: readonly RecordingEntry[] | undefined;
    return {
      state,
      first,
      length,
      get entries() {
        return (made ??= strides.flatMap(({ entries }) => entries).slice(0, length - first));
      },
    };
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
