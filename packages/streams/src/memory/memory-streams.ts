// Streams in the memory of this process: for tests, and where a restart may forget.
//
// Invariant: a stream whose id was freed is kept as long as a fork has units of it, and no
// longer.

import { randomId } from "@opstate/core/thread";
import { READ_DEFAULTS, guardedStore } from "../store/guarded-store.ts";
import { Page, type StreamRecord } from "../store/records.ts";
import { fitsSource, isAsked, judgeFork } from "../store/fork.ts";
import { FORK_DEPTH, type Inherited, inheritedBy, segmentsOf } from "../store/segments.ts";
import {
  infoOf,
  judgeAppend,
  newState,
  presenceOf,
  type ProducerState,
  renewedExpiry,
  type StreamState,
} from "../store/state.ts";
import type { Created, Deleted, Missing, NewStream, Read, StreamRange, StreamStore } from "../store/store.ts";
import { Watchers } from "../store/watchers.ts";

export interface MemoryStreamsOptions {
  /** Milliseconds since 1970, for tests. Default `Date.now`. */
  readonly now?: () => number;
}

interface Held {
  readonly id: string;
  readonly source: Held | undefined;
  readonly inherited: readonly Inherited<Held>[];
  readonly records: StreamRecord[];
  readonly producers: Map<string, ProducerState>;
  state: StreamState;
}

/** Streams looked at when one is created, for those that have expired. */
const SWEEP = 100;

/**
 * Streams in memory.
 *
 * @example
 * ```ts
 * import { createStreamServer, memoryStreams } from "@opstate/streams";
 *
 * const server = createStreamServer({ store: memoryStreams(), insecure: true });
 * const { url } = await server.listen({ port: 4437 });
 * ```
 */
export function memoryStreams({ now = Date.now }: MemoryStreamsOptions = {}): StreamStore {
  const streams = new Map<string, Held>();
  const owned = new Map<string, number>();
  const watchers = new Watchers();
  let sweeping: IterableIterator<Held> = streams.values();

  /** The stream that has the id, unless it has expired and no fork needs it. */
  function find(id: string): Held | undefined {
    const held = streams.get(id);
    if (held === undefined || presenceOf(held.state, now()) === "found") return held;
    if (held.state.isGone) return held;
    remove(held);
    return streams.get(id);
  }

  function missing(held: Held | undefined): Missing | undefined {
    const status = presenceOf(held?.state, now());
    return status === "found" ? undefined : { status };
  }

  /** Removes the stream. Returns whether it is kept for its forks. */
  function remove(held: Held): boolean {
    const { state } = held;
    if (!state.isGone && state.owner !== undefined) {
      const left = (owned.get(state.owner) ?? 1) - 1;
      if (left === 0) owned.delete(state.owner);
      else owned.set(state.owner, left);
    }
    held.state = { ...state, isGone: true };
    watchers.changed(held.id);
    if (state.forks > 0) return true;
    streams.delete(held.id);
    held.records.length = 0;
    const { source } = held;
    if (source === undefined) return false;
    source.state = { ...source.state, forks: source.state.forks - 1 };
    if (source.state.isGone && source.state.forks === 0) remove(source);
    return false;
  }

  function sweep(): void {
    for (let looked = 0; looked < Math.min(SWEEP, streams.size); looked += 1) {
      const { value: held, done } = sweeping.next();
      if (done === true) sweeping = streams.values();
      else if (!held.state.isGone) find(held.id);
    }
  }

  /** The end of the append that covers a position. */
  function appendEnd(held: Held, position: number): number | undefined {
    const [segment] = segmentsOf({ key: held, inherited: held.inherited }, position, held.state.tail);
    const record = segment && segment.key.records[indexAt(segment.key.records, position)];
    return record?.appendEnd;
  }

  function create(id: string, stream: NewStream): Created {
    sweep();
    const there = find(id);
    if (there?.state.isGone === true) return { status: "gone" };
    if (there)
      return isAsked(there.state, stream) ? { status: "exists", info: infoOf(there.state) } : { status: "differs" };

    const { owner, limits = {} } = stream;
    const source = stream.source && find(stream.source.id);
    let start = 0;
    if (stream.source) {
      if (source === undefined) return { status: "no_source" };
      if (source.state.isGone) return { status: "source_gone" };
      if (!fitsSource(source.state, stream)) return { status: "source_differs", contentType: source.state.contentType };
      const { tail } = source.state;
      const fork = judgeFork(source.state, stream, appendEnd(source, stream.source.position ?? tail));
      if (!fork) return { status: "no_position", tail };
      start = fork.start;
    }
    const inherited = source ? inheritedBy({ key: source, inherited: source.inherited }, start) : [];
    if (inherited.length > FORK_DEPTH) return { status: "too_deep", depth: FORK_DEPTH };
    const { streams: most = Infinity, bytes = Infinity } = limits;
    if (owner !== undefined && (owned.get(owner) ?? 0) >= most) return { status: "too_many_streams", streams: most };
    const made = newState(stream, { incarnation: randomId(), now: now(), source: source?.state, start });
    if (made.state.bytes > bytes) return { status: "too_large", bytes };

    const { state, records } = made;
    streams.set(id, { id, source, inherited, records: [...records], producers: new Map(), state });
    if (owner !== undefined) owned.set(owner, (owned.get(owner) ?? 0) + 1);
    if (source) source.state = { ...source.state, forks: source.state.forks + 1 };
    watchers.changed(id);
    return { status: "created", info: infoOf(state) };
  }

  function read(id: string, range: StreamRange): Read {
    const held = find(id);
    const absent = missing(held);
    if (held === undefined || absent) return absent ?? { status: "unknown" };
    const expiresAt = renewedExpiry(held.state, now());
    if (expiresAt !== undefined) held.state = { ...held.state, expiresAt };
    const { tail } = held.state;
    const { limit, bytes, position } = { ...READ_DEFAULTS, ...range };
    const from = position === "tail" ? tail : position;
    if (from > tail) return { status: "beyond", tail };
    const page = new Page(from, { limit, bytes });
    reading: for (const { key, until } of segmentsOf({ key: held, inherited: held.inherited }, from, tail)) {
      const { records } = key;
      for (let at = indexAt(records, page.next); at < records.length; at += 1) {
        const record = records[at];
        if (record === undefined || record.position >= until) break;
        if (!page.add(record, until)) break reading;
      }
    }
    return { status: "found", info: infoOf(held.state), messages: page.messages, from, next: page.next };
  }

  return guardedStore({
    create: async (id, stream = {}) => create(id, stream),

    async info(id) {
      const held = find(id);
      return missing(held) ?? { status: "found", info: infoOf((held as Held).state) };
    },

    async append(id, append) {
      const held = find(id);
      const { producer } = append;
      const known = producer && held?.producers.get(producer.id);
      const { outcome, change } = judgeAppend(held?.state, known, append, now());
      if (held === undefined || change === undefined) return outcome;
      held.state = change.state;
      for (const record of change.records) held.records.push(record);
      if (producer && change.producer) held.producers.set(producer.id, change.producer);
      watchers.changed(id);
      return outcome;
    },

    read: async (id, range = {}) => read(id, range),

    async delete(id): Promise<Deleted> {
      const held = find(id);
      const absent = missing(held);
      return absent ?? { status: "deleted", retained: remove(held as Held) };
    },

    watch: (id, onChange) => watchers.watch(id, onChange),

    async close() {
      watchers.end();
      streams.clear();
      owned.clear();
    },
  });
}

/** The record that covers a position, or the first one after it. */
function indexAt(records: readonly StreamRecord[], position: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
