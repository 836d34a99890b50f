// What a store keeps of a stream beside its messages, and what each write makes of it. Every store
// calls these functions inside its own transaction, so all of them judge alike.
//
//   state + append + now ──> judgeAppend ──> outcome, and what to store
//
// Invariant: nothing here reads a clock, waits or stores.

import { defined } from "@opstate/core";
import { essenceOf } from "./content-type.ts";
import { isGreater, judgeProducer } from "./producer.ts";
import { bytesIn, recordsOf, type StreamRecord } from "./records.ts";
import type { Appended, NewStream, ProducerStamp, StreamAppend, StreamInfo } from "./store.ts";

export interface StreamState {
  readonly incarnation: string;
  readonly contentType: string;
  readonly tail: number;
  /** Of its own messages. */
  readonly bytes: number;
  readonly isClosed: boolean;
  /** The append that closed it. */
  readonly closedBy?: ProducerStamp;
  readonly ttl?: number;
  /** Milliseconds since 1970. With a time to live, it moves with each read and write. */
  readonly expiresAt?: number;
  /** The last `seq`. */
  readonly seq?: string;
  readonly owner?: string;
  /** As it was requested, and where its own messages begin. */
  readonly source?: { readonly id: string; readonly position?: number; readonly skip: number; readonly start: number };
  /** Streams that have units of it. */
  readonly forks: number;
  /** Deleted or expired, and kept for its forks. */
  readonly isGone: boolean;
  /** How many producers have written. */
  readonly producers: number;
}

/** What a producer has written last. */
export interface ProducerState {
  readonly epoch: number;
  readonly seq: number;
}

export function infoOf({ incarnation, contentType, tail, isClosed, ttl, expiresAt }: StreamState): StreamInfo {
  return {
    incarnation,
    contentType,
    tail,
    isClosed,
    ...defined({ ttl }),
    ...(ttl === undefined && expiresAt !== undefined && { expiresAt }),
  };
}

/** Whether there is such a stream, for a caller who names its id. */
export function presenceOf(state: StreamState | undefined, now: number): "found" | "unknown" | "gone" {
  if (state === undefined) return "unknown";
  if (state.isGone) return "gone";
  if (now < (state.expiresAt ?? Infinity)) return "found";
  return state.forks > 0 ? "gone" : "unknown";
}

/** When a time to live that begins now ends. */
function expiryAt(ttl: number, now: number): number {
  return now + ttl * 1_000;
}

/** Of a time to live, the part in which it need not be stored anew: it ends so much later. */
const SLACK = 0.05;

/**
 * When a stream that is read or written now expires: `undefined` when what is stored is near
 * enough. So not every read writes. It never expires early, and at most a twentieth of its time
 * late.
 */
export function renewedExpiry({ ttl, expiresAt = 0 }: StreamState, now: number): number | undefined {
  if (ttl === undefined || expiresAt >= expiryAt(ttl, now)) return undefined;
  return expiryAt(ttl * (1 + SLACK), now);
}

/** The state of a new stream that is no fork, or whose source begins it at `start`. */
export function newState(
  stream: NewStream,
  of: {
    readonly incarnation: string;
    readonly now: number;
    readonly source: StreamState | undefined;
    readonly start: number;
  },
): { readonly state: StreamState; readonly records: readonly StreamRecord[] } {
  const { source, start } = of;
  const { messages = [], isClosed = false, owner } = stream;
  const contentType = stream.contentType ?? source?.contentType ?? "application/octet-stream";
  const records = recordsOf(messages, { contentType, tail: start });
  const ownExpiry = stream.ttl !== undefined || stream.expiresAt !== undefined;
  const ttl = ownExpiry ? stream.ttl : source?.ttl;
  const expiresAt =
    ttl !== undefined ? expiryAt(ttl * (1 + SLACK), of.now) : ownExpiry ? stream.expiresAt : source?.expiresAt;
  const { position } = stream.source ?? {};
  const state: StreamState = {
    incarnation: of.incarnation,
    contentType,
    tail: records.at(-1)?.end ?? start,
    bytes: bytesIn(messages),
    isClosed,
    ...defined({ ttl, expiresAt, owner }),
    ...(stream.source && {
      source: {
        id: stream.source.id,
        ...defined({ position }),
        skip: stream.source.skip ?? 0,
        start,
      },
    }),
    forks: 0,
    isGone: false,
    producers: 0,
  };
  return { state, records };
}

/** What an append changes. */
export interface AppendChange {
  readonly state: StreamState;
  readonly records: readonly StreamRecord[];
  /** Of the append's producer. */
  readonly producer?: ProducerState;
}

export interface JudgedAppend {
  readonly outcome: Appended;
  readonly change?: AppendChange;
}

/** `producer`: what the store knows of the append's producer. */
export function judgeAppend(
  state: StreamState | undefined,
  producer: ProducerState | undefined,
  append: StreamAppend,
  now: number,
): JudgedAppend {
  const presence = presenceOf(state, now);
  if (state === undefined || presence !== "found")
    return { outcome: { status: presence === "gone" ? "gone" : "unknown" } };
  const { messages = [], close = false, seq, producer: stamp, limits = {} } = append;
  const { tail } = state;

  if (state.isClosed) {
    if (stamp === undefined) {
      return messages.length === 0 && close
        ? { outcome: { status: "duplicate", tail, isClosed: true } }
        : { outcome: { status: "closed", tail } };
    }
    const { closedBy } = state;
    const isSame = closedBy?.id === stamp.id && closedBy.epoch === stamp.epoch && closedBy.seq === stamp.seq;
    if (isSame) return { outcome: { status: "duplicate", tail, isClosed: true, producer: closedBy } };
    if (producer !== undefined && stamp.epoch < producer.epoch)
      return { outcome: { status: "fenced", epoch: producer.epoch } };
    return { outcome: { status: "closed", tail } };
  }

  const { contentType = state.contentType } = append;
  if (messages.length > 0 && essenceOf(contentType) !== essenceOf(state.contentType))
    return { outcome: { status: "content_differs", contentType: state.contentType } };

  // Before `seq`: an append that is sent again has a `seq` that is used.
  if (stamp !== undefined) {
    const refused = judgeProducer(state, producer, stamp, limits.producers);
    if (refused) return { outcome: refused };
  }
  if (seq !== undefined && state.seq !== undefined && !isGreater(seq, state.seq))
    return { outcome: { status: "seq_taken", last: state.seq } };

  const bytes = state.bytes + bytesIn(messages);
  if (messages.length > 0 && bytes > (limits.bytes ?? Infinity))
    return { outcome: { status: "too_large", bytes: limits.bytes ?? 0 } };

  const records = recordsOf(messages, state);
  const expiresAt = renewedExpiry(state, now) ?? state.expiresAt;
  const next: StreamState = {
    ...state,
    tail: records.at(-1)?.end ?? tail,
    bytes,
    isClosed: close,
    ...(close && stamp && { closedBy: stamp }),
    ...defined({ seq, expiresAt }),
    producers: state.producers + (stamp !== undefined && producer === undefined ? 1 : 0),
  };
  return {
    outcome: { status: "appended", tail: next.tail, isClosed: close, ...defined({ producer: stamp }) },
    change: { state: next, records, ...(stamp && { producer: { epoch: stamp.epoch, seq: stamp.seq } }) },
  };
}
