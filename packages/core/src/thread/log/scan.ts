// Reading a log from its newest commit back: pages grow, so that what happened lately costs a small
// read and all of it few reads.

import type { Commit } from "../commit.ts";
import type { Log, ReadRange } from "./log.ts";

const FIRST_PAGE = 64;
const PAGE = 1_000;

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
