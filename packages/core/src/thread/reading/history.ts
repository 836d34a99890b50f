// Commits and refusals in one list, in the order in which they happened, or newest first.

import type { HistoryEntry } from "../entries.ts";
import type { Refusal } from "../commit.ts";
import type { Log } from "../log/log.ts";
import { readParts } from "../log/scan.ts";
import type { Pace } from "../pace.ts";
import type { HistoryRange } from "../options.ts";

/**
 * The newest refusals that a page reads. Reading all of them for each page would cost more the
 * longer a thread lives.
 */
const REFUSALS_READ = 5_000;

/**
 * At most `limit` entries. Pages do not overlap: the next one begins after the commit that ends
 * this one, and refusals of one version are on one page. Where they are more than a page holds, the
 * newest are given.
 */
export async function readHistory(log: Log, threadId: string, range: HistoryRange): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const part of historyParts(log, threadId, range)) entries.push(...part);
  return entries;
}

/** The same in parts: of the commits few are held at a time. */
export async function* historyParts(
  log: Log,
  threadId: string,
  range: HistoryRange,
  pace?: Pace,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  const { after = 0, before = Infinity, limit = Infinity, order = "ascending", rejections = false } = range;
  const isAscending = order === "ascending";
  // A refusal at version v came after the commit of v and before the next one.
  const refusals = rejections
    ? (await log.refusals(threadId, limit === Infinity ? {} : { limit: Math.max(REFUSALS_READ, limit) }))
        .filter(({ version }) => version >= after && version < before)
        .toSorted((a, b) => a.version - b.version)
    : [];
  if (!isAscending) refusals.reverse();
  let next = 0;
  let given = 0;

  /** Those that come before a commit, in the order of the page. */
  function refusalsUntil(version: number): readonly HistoryEntry[] {
    const start = next;
    while (isAscending ? (refusals[next]?.version ?? Infinity) < version : (refusals[next]?.version ?? -1) >= version)
      next += 1;
    return asEntries(refusals.slice(start, next));
  }

  let last: number | undefined;
  for await (const commits of readParts(log, threadId, { after, before, limit, order }, pace)) {
    const part: HistoryEntry[] = [];
    let isFull = false;
    for (const commit of commits) {
      let earlier = refusalsUntil(commit.version);
      // More than a page holds: the newest, and the commit where the next page begins.
      if (last === undefined && earlier.length >= limit) {
        const most = limit - 1;
        earlier = isAscending ? earlier.slice(earlier.length - most) : earlier.slice(0, most);
      }
      isFull = given + earlier.length + 1 > limit;
      if (isFull) break;
      part.push(...earlier, { kind: "commit", commit });
      given += earlier.length + 1;
      last = commit.version;
    }
    yield part;
    if (isFull || given === limit) return;
  }
  const rest = refusals.slice(next);
  // A page ends with a commit, unless everything is on it or there is none.
  if (last === undefined && given + rest.length > limit)
    yield asEntries(isAscending ? rest.slice(rest.length - limit) : rest.slice(0, limit));
  else if (given + rest.length <= limit) yield asEntries(rest);
}

function asEntries(refusals: readonly Refusal[]): readonly HistoryEntry[] {
  return refusals.map((refusal) => ({ kind: "refusal", refusal }));
}
