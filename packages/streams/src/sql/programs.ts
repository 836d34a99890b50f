// What a store does on a database, as programs: create, append, read, delete, and sweeping.
//
// Invariants:
// - A write is one transaction: messages, the producer's state and the head are stored together.
// - A stream is locked before it is judged, a fork before its source.
// - `changed` gets the ids of streams that are to be announced once the transaction is durable.
//
// (Long because each program is a list of statements.)

import { randomId } from "@opstate/core/thread";
import { READ_DEFAULTS } from "../store/guarded-store.ts";
import { fitsSource, isAsked, judgeFork } from "../store/fork.ts";
import { Page, type StreamRecord } from "../store/records.ts";
import { FORK_DEPTH, inheritedBy, segmentsOf } from "../store/segments.ts";
import { infoOf, judgeAppend, newState, presenceOf, renewedExpiry, type ProducerState } from "../store/state.ts";
import type { Appended, Created, Deleted, Found, NewStream, Read, StreamAppend, StreamRange } from "../store/store.ts";
import { Collision, type Program, type Row, type Step } from "./program.ts";
import { json, STREAM_COLUMNS, storedStream, type StoredStream, valuesOf } from "./rows.ts";

export interface Dialect {
  /** After a SELECT: no other transaction changes the row until the transaction ends. */
  readonly lock: string;
  /** The same, for rows that may be left out. */
  readonly lockFree: string;
  /** Lets one creation of an owner go at a time, where several may. */
  readonly lockOwner?: (owner: string) => Step;
}

/** A program that writes. */
export interface Change {
  readonly now: number;
  readonly changed: Set<string>;
}

interface ProgramRead {
  readonly read: Read;
  /** The stream is to be kept until then. */
  readonly renew?: number;
}

/** Expired streams that one creation removes, and records that one slice of a sweep removes. */
const EXPIRED_AT_ONCE = 20;
const RECORDS_AT_ONCE = 500;

export class Programs {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  *create(id: string, stream: NewStream, change: Change): Program<Created> {
    const { now, changed } = change;
    yield* this.#takeExpired(change);
    const there = yield* this.#findLocked(id, change);
    if (there?.state.isGone === true) return { status: "gone" };
    if (there)
      return isAsked(there.state, stream) ? { status: "exists", info: infoOf(there.state) } : { status: "differs" };

    const { owner, limits = {} } = stream;
    const source = stream.source && (yield* this.#findLocked(stream.source.id, change));
    let start = 0;
    if (stream.source) {
      if (source === undefined) return { status: "no_source" };
      if (source.state.isGone) return { status: "source_gone" };
      const { tail, contentType } = source.state;
      if (!fitsSource(source.state, stream)) return { status: "source_differs", contentType };
      const fork = judgeFork(source.state, stream, yield* appendEnd(source, stream.source.position ?? tail));
      if (!fork) return { status: "no_position", tail };
      start = fork.start;
    }
    const inherited = source ? inheritedBy(source, start) : [];
    if (inherited.length > FORK_DEPTH) return { status: "too_deep", depth: FORK_DEPTH };
    const { streams = Infinity, bytes = Infinity } = limits;
    if (owner !== undefined && streams !== Infinity) {
      const count = yield* this.#countOf(owner, streams, now);
      if (count >= streams) return { status: "too_many_streams", streams };
    }
    const made = newState(stream, { incarnation: randomId(), now, source: source?.state, start });
    if (made.state.bytes > bytes) return { status: "too_large", bytes };

    const values = valuesOf({ id, sourceKey: source?.key, inherited, state: made.state });
    const marks = values.map((_, index) => `$${index + 1}`).join(", ");
    const [inserted] = yield {
      text: `INSERT INTO streams (${STREAM_COLUMNS}) VALUES (${marks}) ON CONFLICT (id) DO NOTHING RETURNING key`,
      values,
    };
    // Another node was first.
    if (!inserted) throw new Collision();
    yield* insertRecords(Number(inserted["key"]), made.records);
    if (source) yield { text: "UPDATE streams SET forks = forks + 1 WHERE key = $1", values: [source.key] };
    changed.add(id);
    return { status: "created", info: infoOf(made.state) };
  }

  *info(id: string, now: number): Program<Found> {
    const stream = yield* find(id);
    const status = presenceOf(stream?.state, now);
    return stream && status === "found"
      ? { status, info: infoOf(stream.state) }
      : { status: status as "unknown" | "gone" };
  }

  *append(id: string, append: StreamAppend, { now, changed }: Change): Program<Appended> {
    const stream = yield* find(id, this.#dialect.lock);
    const stamp = append.producer;
    let producer: ProducerState | undefined;
    if (stream && stamp) {
      const [known] = yield {
        text: "SELECT epoch, seq FROM producers WHERE stream = $1 AND id = $2",
        values: [stream.key, stamp.id],
      };
      producer = known && { epoch: Number(known["epoch"]), seq: Number(known["seq"]) };
    }
    const { outcome, change } = judgeAppend(stream?.state, producer, append, now);
    if (stream === undefined || change === undefined) return outcome;
    const { state } = change;
    yield {
      text: "UPDATE streams SET tail = $2, bytes = $3, closed = $4, closed_by = $5, expires_at = $6, seq = $7, producers = $8 WHERE key = $1",
      values: [
        stream.key,
        state.tail,
        state.bytes,
        state.isClosed ? 1 : 0,
        json(state.closedBy),
        state.expiresAt ?? null,
        state.seq ?? null,
        state.producers,
      ],
    };
    if (stamp && change.producer) {
      yield {
        text: "INSERT INTO producers (stream, id, epoch, seq) VALUES ($1, $2, $3, $4) ON CONFLICT (stream, id) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq",
        values: [stream.key, stamp.id, stamp.epoch, stamp.seq],
      };
    }
    yield* insertRecords(stream.key, change.records);
    changed.add(id);
    return outcome;
  }

  *read(id: string, range: StreamRange, now: number): Program<ProgramRead> {
    const stream = yield* find(id);
    const presence = presenceOf(stream?.state, now);
    if (stream === undefined || presence !== "found")
      return { read: { status: presence === "gone" ? "gone" : "unknown" } };
    const { tail } = stream.state;
    const { position, limit, bytes } = { ...READ_DEFAULTS, ...range };
    const from = position === "tail" ? tail : position;
    if (from > tail) return { read: { status: "beyond", tail } };
    const page = new Page(from, { limit, bytes });
    for (const { key, until } of segmentsOf(stream, from, tail)) {
      const isFull = yield* fill(page, key, until, bytes);
      if (isFull) break;
      // It was deleted between two statements.
      if (page.next < until) throw new Collision();
    }
    const renew = renewedExpiry(stream.state, now);
    return {
      read: { status: "found", info: infoOf(stream.state), messages: page.messages, from, next: page.next },
      ...(renew !== undefined && { renew }),
    };
  }

  *renew(id: string, expiresAt: number): Program<void> {
    yield {
      text: "UPDATE streams SET expires_at = $2 WHERE id = $1 AND ttl IS NOT NULL AND expires_at < $3",
      values: [id, expiresAt, expiresAt],
    };
  }

  *delete(id: string, change: Change): Program<Deleted> {
    const stream = yield* this.#findLocked(id, change);
    if (stream === undefined) return { status: "unknown" };
    if (stream.state.isGone) return { status: "gone" };
    return { status: "deleted", retained: yield* this.#remove(stream, change) };
  }

  /** Removes some of what is not needed any more. False: there was nothing. */
  *sweep(): Program<boolean> {
    const [dead] = yield {
      text: `SELECT key FROM streams WHERE id IS NULL ORDER BY key LIMIT 1 ${this.#dialect.lockFree}`,
      values: [],
    };
    if (!dead) return false;
    const { key } = dead;
    const rows = yield {
      text: "SELECT until FROM records WHERE stream = $1 ORDER BY until LIMIT $2",
      values: [key, RECORDS_AT_ONCE],
    };
    const last = rows.at(-1);
    if (last) yield { text: "DELETE FROM records WHERE stream = $1 AND until <= $2", values: [key, last["until"]] };
    else {
      yield { text: "DELETE FROM producers WHERE stream = $1", values: [key] };
      yield { text: "DELETE FROM streams WHERE key = $1", values: [key] };
    }
    return true;
  }

  /** What shows whether watched streams have changed. */
  *heads(ids: readonly string[]): Program<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const id of ids) {
      const [row] = yield { text: "SELECT incarnation, tail, closed, gone FROM streams WHERE id = $1", values: [id] };
      found.set(id, JSON.stringify(row && [row["incarnation"], row["tail"], row["closed"], row["gone"]]) ?? "");
    }
    return found;
  }

  /** The stream that has the id, unless it has expired and no fork needs it. */
  *#findLocked(id: string, change: Change): Program<StoredStream | undefined> {
    const stream = yield* find(id, this.#dialect.lock);
    if (stream === undefined || stream.state.isGone || presenceOf(stream.state, change.now) === "found") return stream;
    const isRetained = yield* this.#remove(stream, change);
    return isRetained ? { ...stream, state: { ...stream.state, isGone: true } } : undefined;
  }

  /** Removes the stream. Returns whether it is kept for its forks. */
  *#remove(stream: StoredStream, change: Change): Program<boolean> {
    change.changed.add(stream.id);
    if (stream.state.forks > 0) {
      yield { text: "UPDATE streams SET gone = 1 WHERE key = $1", values: [stream.key] };
      return true;
    }
    yield { text: "UPDATE streams SET id = NULL, gone = 1 WHERE key = $1", values: [stream.key] };
    if (stream.sourceKey === undefined) return false;
    const [row] = yield {
      text: "UPDATE streams SET forks = forks - 1 WHERE key = $1 RETURNING *",
      values: [stream.sourceKey],
    };
    const source = row && storedStream(row);
    if (source?.state.isGone === true && source.state.forks === 0) yield* this.#remove(source, change);
    return false;
  }

  *#takeExpired(change: Change): Program<void> {
    const rows = yield {
      text: `SELECT * FROM streams WHERE expires_at <= $1 AND gone = 0 ORDER BY expires_at LIMIT $2 ${this.#dialect.lockFree}`,
      values: [change.now, EXPIRED_AT_ONCE],
    };
    for (const row of rows) {
      // One before it may have removed it, too.
      const stream = storedStream(row);
      const [still] = yield { text: "SELECT * FROM streams WHERE key = $1 AND gone = 0", values: [stream.key] };
      if (still) yield* this.#remove(storedStream(still), change);
    }
  }

  *#countOf(owner: string, most: number, now: number): Program<number> {
    const lock = this.#dialect.lockOwner?.(owner);
    if (lock) yield lock;
    const [row] = yield {
      text: "SELECT count(*) AS n FROM (SELECT 1 FROM streams WHERE owner = $1 AND gone = 0 AND (expires_at IS NULL OR expires_at > $2) LIMIT $3) AS owned",
      values: [owner, now, most],
    };
    return Number(row?.["n"] ?? 0);
  }
}

function* find(id: string, lock = ""): Program<StoredStream | undefined> {
  const [row] = yield { text: `SELECT * FROM streams WHERE id = $1 ${lock}`, values: [id] };
  return row && storedStream(row);
}

/** Where the append ends that a position lies in. */
function* appendEnd(stream: StoredStream, position: number): Program<number | undefined> {
  const [segment] = segmentsOf(stream, position, stream.state.tail);
  if (!segment) return undefined;
  const [row] = yield {
    text: "SELECT append_until FROM records WHERE stream = $1 AND until > $2 ORDER BY until LIMIT 1",
    values: [segment.key, position],
  };
  return row && Number(row["append_until"]);
}

function* insertRecords(stream: number, records: readonly StreamRecord[]): Program<void> {
  if (records.length === 0) return;
  yield {
    table: "records",
    rows: records.map(({ position, end, appendEnd: last, data }) => [stream, position, end, last, data.length, data]),
  };
}

/** Whether the page is full. Sizes are read first, so that no more is read than the page takes. */
function* fill(page: Page, stream: number, until: number, bytes: number): Program<boolean> {
  while (page.next < until) {
    if (page.room < 1) return true;
    const sizes: readonly Row[] = yield {
      text: "SELECT until, size FROM records WHERE stream = $1 AND until > $2 AND position < $3 ORDER BY until LIMIT $4",
      values: [stream, page.next, until, Math.min(page.room, 1_000)],
    };
    let size = 0;
    let last: Row | undefined;
    for (const row of sizes) {
      size += Number(row["size"]);
      if (last && size > bytes) break;
      last = row;
    }
    if (!last) return false;
    const rows: readonly Row[] = yield {
      text: "SELECT position, until, append_until, data FROM records WHERE stream = $1 AND until > $2 AND until <= $3 ORDER BY until",
      values: [stream, page.next, last["until"]],
    };
    if (rows.length === 0) return false;
    for (const row of rows) {
      const record = {
        position: Number(row["position"]),
        end: Number(row["until"]),
        appendEnd: Number(row["append_until"]),
        data: row["data"] as Uint8Array,
      };
      if (!page.add(record, until)) return true;
    }
  }
  return false;
}
