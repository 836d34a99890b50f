// Reading a log in parts, forwards and backwards. Parts grow: what happened lately costs a small
// read, and all of it few reads. They stay small where commits are large, since a commit may take a
// hundred bytes or megabytes, and the process does nothing else while it parses them.

import { defined } from "../../defined.ts";
import { isContainer } from "../../json/container.ts";
import type { Commit } from "../commit.ts";
import type { Pace } from "../pace.ts";
import { fullLog } from "./create-log.ts";
import { findCommits } from "./find-commits.ts";
import type { Log, ReadRange } from "./log.ts";

/** Commits, or refusals, that are read at once at most. */
export const PAGE = 1_000;

const FIRST_PART = 16;
/** A part has at most this many times the commits of the part before. */
const GROWTH = 4;
/** Characters and values of a part, about. */
const PART_SIZE = 256 * 1024;
/** The size of so many of the last commits says how large the next ones are. */
const SAMPLE = 4;

/**
 * The commits of a range in parts, none empty: at most `limit` in all. Others run between two
 * parts when the `pace` says so; it rejects as that does. `largest`: commits of a part at most. Who
 * works long on each commit takes few, so that none of them grows old.
 */
export async function* readParts(
  log: Log,
  threadId: string,
  { after, before, limit = Infinity, order = "ascending", runId, actor, types }: ReadRange,
  pace?: Pace,
  largest = PAGE,
): AsyncGenerator<readonly Commit[], void, undefined> {
  const full = fullLog(log);
  const filter = defined({ runId, actor, types });
  const isFiltered = Object.keys(filter).length > 0;
  const thread = full.thread(threadId);
  let cursor: string | undefined;
  for (let [most, left] = [Math.min(FIRST_PART, limit), limit]; left > 0;) {
    pace?.check();
    if (pace?.isOver === true) await pace.next();
    const range = { ...defined({ after, before, cursor }), order, limit: most };
    const part = await (isFiltered ? findCommits(full, { threadId }, filter, range) : thread.commits(range));
    if (part.items.length > 0) {
      yield part.items;
      left -= part.items.length;
      most = Math.min(nextLength(part.items), largest, left);
    }
    if (part.next === undefined) return;
    cursor = part.next;
  }
}

/** The same, one after another. */
export async function* readCommits(
  log: Log,
  threadId: string,
  range: ReadRange,
  pace?: Pace,
): AsyncGenerator<Commit, void, undefined> {
  for await (const part of readParts(log, threadId, range, pace)) yield* part;
}

/** The parts of all commits after `after` and before `before`, oldest first; none is empty. */
export async function* readPages(
  log: Log,
  threadId: string,
  range: Omit<ReadRange, "limit" | "order"> = {},
  pace?: Pace,
  largest = PAGE,
): AsyncGenerator<readonly Commit[]> {
  const { after = 0, before = Infinity } = range;
  if (after + 1 < before) yield* readParts(log, threadId, range, pace, largest);
}

/**
 * Commits from `version` down to after `since`, newest first; ends early at the first version that
 * the log no longer has.
 */
export async function* scanBackwards(
  log: Log,
  threadId: string,
  version: number,
  since = 0,
  pace?: Pace,
): AsyncGenerator<Commit> {
  if (version <= since) return;
  let top = version;
  const range = { after: since, before: version + 1, order: "descending" } as const;
  for await (const commit of readCommits(log, threadId, range, pace)) {
    if (commit.version !== top) return;
    yield commit;
    top -= 1;
  }
}

/**
 * Commits after `after` up to `version`, ascending; fewer, the newest, when the log no longer has
 * all of them.
 */
export async function readBetween(
  log: Log,
  threadId: string,
  after: number,
  version: number,
  pace?: Pace,
): Promise<readonly Commit[]> {
  const found: Commit[] = [];
  for await (const commit of scanBackwards(log, threadId, version, after, pace)) found.push(commit);
  return found.reverse();
}

/**
 * Commits of a run, an actor or some operation types, newest first: read by the log's index,
 * whatever lies between them.
 */
export function readMatching(
  log: Log,
  threadId: string,
  filter: Omit<ReadRange, "limit" | "order">,
  pace?: Pace,
): AsyncGenerator<Commit> {
  return readCommits(log, threadId, { ...filter, order: "descending" }, pace);
}

function nextLength(part: readonly Commit[]): number {
  const sample = part.slice(-SAMPLE);
  let size = 1;
  for (const { patches, inverse, operation } of sample)
    for (const value of [patches, inverse, operation]) size += sizeUpTo(value, PART_SIZE);
  const fitting = Math.floor((sample.length * PART_SIZE) / size);
  return Math.max(1, Math.min(fitting, part.length * GROWTH, PAGE));
}

/** Characters and values, counted no further than `most`. */
function sizeUpTo(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  let size = 1;
  if (Array.isArray(value))
    for (let index = 0; index < value.length && size < most; index++) size += sizeUpTo(value[index], most - size);
  else if (isContainer(value)) {
    for (const key in value) {
      if (size >= most) break;
      size += sizeUpTo(value[key], most - size);
    }
  }
  return size;
}
