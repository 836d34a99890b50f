// Reading a log in pages, forwards and backwards. Backwards pages grow: what happened lately costs
// a small read, and all of it few reads.

import { defined } from "../../defined.ts";
import type { Commit } from "../commit.ts";
import { fullLog } from "./create-log.ts";
import { findCommits } from "./find-commits.ts";
import type { Log, ReadRange } from "./log.ts";

const FIRST_PAGE = 64;
/** Commits, or refusals, that are read at once, unless they are large. */
export const PAGE = 1_000;

/** The pages of all commits after `after` and before `before`, oldest first; none is empty. */
export async function* readPages(
  log: Log,
  threadId: string,
  { runId, actor, types, ...span }: Omit<ReadRange, "limit" | "order"> = {},
): AsyncGenerator<readonly Commit[]> {
  const full = fullLog(log);
  const isFiltered = runId !== undefined || actor !== undefined || types !== undefined;
  let cursor: string | undefined;
  do {
    const range = { ...span, ...defined({ cursor }), limit: PAGE };
    const page = isFiltered
      ? await findCommits(full, { threadId }, defined({ runId, actor, types }), range)
      : await full.thread(threadId).commits(range);
    if (page.items.length > 0) yield page.items;
    cursor = page.next;
  } while (cursor !== undefined);
}

/**
 * Commits from `version` down to after `since`, newest first; ends early at the first version that
 * the log no longer has.
 */
export async function* scanBackwards(log: Log, threadId: string, version: number, since = 0): AsyncGenerator<Commit> {
  const thread = fullLog(log).thread(threadId);
  let top = version;
  for (let size = FIRST_PAGE; top > since; size = Math.min(size * 4, PAGE)) {
    // A page may end early: its commits are large.
    const range = { after: Math.max(since, top - size), before: top + 1, limit: size } as const;
    const { items } = await thread.commits({ ...range, order: "descending" });
    for (const commit of items) {
      if (commit.version !== top) return;
      yield commit;
      top -= 1;
    }
    if (items.length === 0) return;
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
  const full = fullLog(log);
  const { after, before, ...found } = filter;
  let cursor: string | undefined;
  let limit = FIRST_PAGE;
  do {
    const range = { ...defined({ after, before, cursor }), limit, order: "descending" } as const;
    const page = await findCommits(full, { threadId }, found, range);
    yield* page.items;
    cursor = page.next;
    limit = Math.min(limit * 4, PAGE);
  } while (cursor !== undefined);
}
