// Commits and refusals in one list, in the order in which they happened, or newest first.

import { defined } from "../../defined.ts";
import type { Commit, Refusal } from "../commit.ts";
import type { Log, ReadRange } from "../log/log.ts";
import type { HistoryEntry } from "../entries.ts";
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
  const { after = 0, before = Infinity, limit, order = "ascending", rejections = false } = range;
  const wanted: ReadRange = {
    after,
    order,
    ...defined({ before: before === Infinity ? undefined : before, limit }),
  };
  const [commits, refusals] = await Promise.all([
    limit === 0 ? [] : log.read(threadId, wanted),
    rejections ? log.refusals(threadId, limit === undefined ? {} : { limit: Math.max(REFUSALS_READ, limit) }) : [],
  ]);
  const ascending = order === "ascending";
  const entries = interleave(
    ascending ? commits : commits.toReversed(),
    refusals.filter(({ version }) => version >= after && version < before),
  );
  if (limit === undefined) return ascending ? entries : entries.reverse();
  const more = commits.length >= limit;
  return ascending ? firstPage(entries, limit, more) : lastPage(entries.reverse(), limit, more);
}

/**
 * `more`: there may be further commits, so that what follows the last one is not all of its
 * refusals.
 */
function firstPage(entries: readonly HistoryEntry[], limit: number, more: boolean): readonly HistoryEntry[] {
  if (entries.length <= limit && !more) return entries;
  const first = entries.findIndex(({ kind }) => kind === "commit");
  if (first < 0) return limit === 0 ? [] : entries.slice(-limit);
  const skipped = Math.max(0, first + 1 - limit);
  const fitting = entries.slice(skipped, skipped + limit);
  return upToCommit(fitting);
}

/** The same for newest first: refusals come before the commit that they followed in time. */
function lastPage(entries: readonly HistoryEntry[], limit: number, more: boolean): readonly HistoryEntry[] {
  if (entries.length <= limit && !more) return entries;
  const first = entries.findIndex(({ kind }) => kind === "commit");
  if (first < 0 || limit === 0) return entries.slice(0, limit);
  if (first < limit) return upToCommit(entries.slice(0, limit));
  // The newest refusals, and the commit: the next page begins after it.
  return [...entries.slice(0, limit - 1), ...entries.slice(first, first + 1)];
}

function upToCommit(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return entries.slice(0, entries.findLastIndex(({ kind }) => kind === "commit") + 1);
}

/** A refusal at version v comes after the commit of v and before the next one. */
function interleave(commits: readonly Commit[], refusals: readonly Refusal[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let next = 0;
  const sorted = refusals.toSorted((a, b) => a.version - b.version);
  const takeRefusals = (below: number) => {
    for (let refusal = sorted[next]; refusal !== undefined && refusal.version < below; refusal = sorted[next]) {
      entries.push({ kind: "refusal", refusal });
      next += 1;
    }
  };
  for (const commit of commits) {
    takeRefusals(commit.version);
    entries.push({ kind: "commit", commit });
  }
  takeRefusals(Infinity);
  return entries;
}
