// A row of the table `streams`, and what it says. Its `id` is null once the stream is deleted and
// no fork needs it: its records are then removed in slices.

import type { Inherited } from "../store/segments.ts";
import type { StreamState } from "../store/state.ts";
import type { ProducerStamp } from "../store/store.ts";
import type { Row } from "./program.ts";

export interface StoredStream {
  readonly key: number;
  readonly id: string;
  readonly sourceKey: number | undefined;
  readonly inherited: readonly Inherited<number>[];
  readonly state: StreamState;
}

export const STREAM_COLUMNS =
  "id, incarnation, content_type, tail, bytes, closed, closed_by, ttl, expires_at, seq, owner, source, source_key, inherited, forks, gone, producers";

export function storedStream(row: Row): StoredStream {
  const closedBy = document<ProducerStamp>(row["closed_by"]);
  const source = document<NonNullable<StreamState["source"]>>(row["source"]);
  const [ttl, expiresAt] = [number(row["ttl"]), number(row["expires_at"])];
  const [seq, owner] = [text(row["seq"]), text(row["owner"])];
  return {
    key: Number(row["key"]),
    id: String(row["id"]),
    sourceKey: number(row["source_key"]),
    inherited: document<readonly Inherited<number>[]>(row["inherited"]) ?? [],
    state: {
      incarnation: String(row["incarnation"]),
      contentType: String(row["content_type"]),
      tail: Number(row["tail"]),
      bytes: Number(row["bytes"]),
      isClosed: Number(row["closed"]) === 1,
      ...(closedBy && { closedBy }),
      ...(ttl !== undefined && { ttl }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(seq !== undefined && { seq }),
      ...(owner !== undefined && { owner }),
      ...(source && { source }),
      forks: Number(row["forks"]),
      isGone: Number(row["gone"]) === 1,
      producers: Number(row["producers"]),
    },
  };
}

/** In the order of `STREAM_COLUMNS`. */
export function valuesOf(stream: Omit<StoredStream, "key">): readonly unknown[] {
  const { state } = stream;
  return [
    stream.id,
    state.incarnation,
    state.contentType,
    state.tail,
    state.bytes,
    state.isClosed ? 1 : 0,
    json(state.closedBy),
    state.ttl ?? null,
    state.expiresAt ?? null,
    state.seq ?? null,
    state.owner ?? null,
    json(state.source),
    stream.sourceKey ?? null,
    stream.inherited.length === 0 ? null : json(stream.inherited),
    state.forks,
    state.isGone ? 1 : 0,
    state.producers,
  ];
}

export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function document<T>(value: unknown): T | undefined {
  return typeof value === "string" ? (JSON.parse(value) as T) : undefined;
}

function number(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
