// In which order appends come: those of one producer, and those with a `seq`.

import type { ProducerState, StreamState } from "./state.ts";
import type { Appended, ProducerStamp } from "./store.ts";

/** Why an append of this producer is not stored; undefined when it is its next one. */
export function judgeProducer(
  { tail, isClosed, producers }: Pick<StreamState, "tail" | "isClosed" | "producers">,
  known: ProducerState | undefined,
  { id, epoch, seq }: ProducerStamp,
  limit = Infinity,
): Appended | undefined {
  if (known === undefined) {
    if (seq !== 0) return { status: "gap", expected: 0 };
    return producers >= limit ? { status: "too_many_producers", producers: limit } : undefined;
  }
  if (epoch < known.epoch) return { status: "fenced", epoch: known.epoch };
  if (epoch > known.epoch) return seq === 0 ? undefined : { status: "epoch_begins_at_0" };
  if (seq <= known.seq) return { status: "duplicate", tail, isClosed, producer: { id, epoch, seq: known.seq } };
  return seq === known.seq + 1 ? undefined : { status: "gap", expected: known.seq + 1 };
}

/**
 * Whether a `seq` comes after the last one, byte by byte: UTF-16 orders characters beyond U+FFFF
 * otherwise.
 */
export function isGreater(left: string, right: string): boolean {
  const [a, b] = [ENCODER.encode(left), ENCODER.encode(right)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  if (at === -1) return false;
  return at >= b.length || (a[at] ?? 0) > (b[at] ?? 0);
}

const ENCODER = new TextEncoder();
