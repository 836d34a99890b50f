// Reading a log in pages, forwards and backwards. Backwards pages grow: what happened lately costs
// a small read, and all of it few reads.

import type { Commit } from "../commit.ts";
import type { Log, ReadRange } from "./log.ts";

const FIRST_PAGE = 64;
/** Commits, or refusals, that are read at once. */
export const PAGE = 1_000;

/** The pages of all commits after `after` and before `before`, oldest first; none is empty. */
export async function* readPages(
  log: Log,
  threadId: string,
  { after = 0, ...filter }: Omit<ReadRange, "limit" | "order"> = {},
): AsyncGenerator<readonly Commit[]> {
  const { before = Infinity } = filter;
  for (let reached = after; reached + 1 < before;) {
    const page = await log.read(threadId, { ...filter, after: reached, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < PAGE) return;
    reached = last.version;
  }
}

/**
 * Commits from `version` down to after `since`, newest first; ends early at the first version that
 * the log no longer has.
 */
export async function* scanBackwards(log: Log, threadId: string, version: number, since = 0): AsyncGenerator<Commit> {
  let top = version;
  for (let size = FIRST_PAGE; top > since; size = Math.min(size * 4, PAGE)) {
    const after = Math.max(since, top - size);
    const page = await log.read(threadId, { after, limit: top - after });
    for (const commit of page.toReversed()) {
      if (commit.version > top) continue;
      if (commit.version !== top) return;
      yield commit;
      top -= 1;
    }
    if (top > after) return;
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
): Promise<readonly Commit[]> {
  const found: Commit[] = [];
  for await (const commit of scanBackwards(log, threadId, version, after)) found.push(commit);
  return found.reverse();
}

/**
 * Commits of a run, an actor or some operation types, newest first: read by the log's index,
 * whatever lies between them.
 */
export async function* readMatching(
  log: Log,
  threadId: string,
  filter: Omit<ReadRange, "limit" | "order">,
): AsyncGenerator<Commit> {
  let { before } = filter;
  for (let size = FIRST_PAGE; ; size = Math.min(size * 4, PAGE)) {
    const range = before === undefined ? filter : { ...filter, before };
    const page = await log.read(threadId, { ...range, limit: size, order: "descending" });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    before = last.version;
  }
}
