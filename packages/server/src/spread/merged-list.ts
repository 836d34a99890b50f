// The threads of several logs as one list, in the order of their creation.
//
//   log a   t1       t4 t5         a page of each ── merged by time ──> t1 t2 t3 t4
//   log b      t2 t3       t6      next: in a behind t4, in b behind t3
//
// Invariants:
// - Each log's own order is kept. Of threads with one time that of the log named first is first.
// - A place in a log is the end of one of its pages. Where the list ends, it is the one before the
//   end, and the thread that was given already: so what is made later is found.

import type { CallOptions, FullLog, Page, ThreadInfo, ThreadsRange } from "@opstate/core/log";
import { pageLimits } from "@opstate/core/log";
import { defined, OpstateError } from "@opstate/core";

interface Place {
  /** The end of a page. Absent: the beginning. */
  readonly cursor?: string;
  /** The incarnation of the thread behind it that was given. */
  readonly given?: string;
}

/** A page of one log. */
interface Source {
  readonly name: string;
  readonly log: FullLog;
  readonly place: Place;
  /** The thread that was given already is the first of the page. */
  readonly hasGiven: boolean;
  /** What was not given before. */
  readonly items: readonly ThreadInfo[];
  readonly next: string | undefined;
}

/** Of a list from which threads are deleted again and again. */
const ATTEMPTS = 20;

export async function mergedList(
  logs: ReadonlyMap<string, FullLog>,
  range: ThreadsRange = {},
  call?: CallOptions,
): Promise<Page<ThreadInfo>> {
  const { limit } = pageLimits(range);
  const places = range.cursor === undefined ? {} : readCursor(range.cursor, logs);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const sources = await Promise.all(
      [...logs].map(([name, log]) => read({ name, log, place: places[name] ?? {} }, range, limit, call)),
    );
    const { items, taken } = merge(sources, pageLimits(range));
    if (sources.every(({ items: own, next }, index) => next === undefined && own.length === taken[index]))
      return { items };
    const after = await Promise.all(
      sources.map((source, index) => placeBehind(source, taken[index] ?? 0, range, call)),
    );
    // Else a thread was deleted between two of these reads.
    if (after.every((place) => place !== undefined))
      return {
        items,
        next: JSON.stringify(Object.fromEntries(sources.map(({ name }, index) => [name, after[index]]))),
      };
  }
  throw new OpstateError("log_unavailable", "The list of threads changes faster than it can be read.");
}

async function read(
  of: Pick<Source, "name" | "log" | "place">,
  range: ThreadsRange,
  limit: number,
  call?: CallOptions,
): Promise<Source> {
  const { cursor, given } = of.place;
  const most = given === undefined ? limit : limit + 1;
  const { parent, bytes } = range;
  const { items, next } = await of.log.threads({ ...defined({ parent, bytes, cursor }), limit: most }, call);
  const hasGiven = given !== undefined && items[0]?.incarnation === given;
  return { ...of, hasGiven, items: hasGiven ? items.slice(1) : items, next };
}

/** The first threads of all, and how many of each source these are. */
function merge(
  sources: readonly Source[],
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
): { readonly items: readonly ThreadInfo[]; readonly taken: readonly number[] } {
  const items: ThreadInfo[] = [];
  const taken = sources.map(() => 0);
  let size = 0;
  for (;;) {
    const heads = sources.map((source, index) => source.items[taken[index] ?? 0]);
    // What a log has behind its page may be older than what the others have.
    if (sources.some(({ next }, index) => next !== undefined && heads[index] === undefined)) break;
    const oldest = heads.reduce<number | undefined>((best, head, index) => {
      const known = best === undefined ? undefined : heads[best];
      return head !== undefined && (known === undefined || head.createdAt < known.createdAt) ? index : best;
    }, undefined);
    const head = oldest === undefined ? undefined : heads[oldest];
    if (oldest === undefined || head === undefined) break;
    size += JSON.stringify(head).length;
    if (items.length > 0 && (items.length === limit || size > bytes)) break;
    items.push(head);
    taken[oldest] = (taken[oldest] ?? 0) + 1;
  }
  return { items, taken };
}

/** Behind the first `count` threads of a source. Undefined when one of them is gone. */
async function placeBehind(
  { log, place, hasGiven, items, next }: Source,
  count: number,
  range: ThreadsRange,
  call?: CallOptions,
): Promise<Place | undefined> {
  if (count === 0) return place;
  if (count === items.length && next !== undefined) return { cursor: next };
  const { parent } = range;
  const first = (limit: number) =>
    log.threads({ ...defined({ parent, cursor: place.cursor }), limit, bytes: Infinity }, call);
  const length = hasGiven ? count + 1 : count;
  const last = items[count - 1]?.incarnation ?? "";
  const page = await first(length);
  if (page.items.at(-1)?.incarnation !== last) return undefined;
  if (page.next !== undefined) return { cursor: page.next };
  if (length === 1) return { ...place, given: last };
  const { next: before } = await first(length - 1);
  return before === undefined ? undefined : { cursor: before, given: last };
}

/** Throws a RangeError for what is no `next` of this list. */
function readCursor(cursor: string, logs: ReadonlyMap<string, FullLog>): Readonly<Record<string, Place>> {
  const places = parsed(cursor);
  if (places === undefined || Object.keys(places).some((name) => !logs.has(name)))
    throw new RangeError(
      `"${cursor.slice(0, 40)}" is not the end of a page of these logs. Pass the \`next\` of the page before.`,
    );
  return places;
}

function parsed(cursor: string): Readonly<Record<string, Place>> | undefined {
  try {
    const value: unknown = JSON.parse(cursor);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.values(value).every(isPlace) ? (value as Record<string, Place>) : undefined;
  } catch {
    return undefined;
  }
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== "object" || value === null) return false;
  return ["cursor", "given"].every((name) => {
    const member: unknown = Reflect.get(value, name);
    return member === undefined || typeof member === "string";
  });
}
