// One list of what was done and what was refused, in the order in which it happened.

import type { Commit, Refusal } from "./commit.ts";
import type { Log } from "./log.ts";
import type { HistoryEntry } from "./thread.ts";

/** Pages do not overlap: a refusal given at version v belongs to the page that begins after v, or to the last one. */
export async function readHistory(
  log: Log,
  threadId: string,
  range: { readonly after?: number; readonly limit?: number; readonly rejections?: boolean },
): Promise<readonly HistoryEntry[]> {
  const { after = 0, limit, rejections = false } = range;
  const [commits, refusals] = await Promise.all([
    log.read(threadId, limit === undefined ? { after } : { after, limit }),
    rejections ? log.refusals(threadId) : [],
  ]);
  const last = commits.at(-1)?.version ?? after;
  const full = limit !== undefined && commits.length >= limit;
  return weave(
    commits,
    refusals.filter(({ version }) => version >= after && (!full || version < last)),
  );
}

/** A refusal at version v stands after the commit of v and before the next one. */
function weave(commits: readonly Commit[], refusals: readonly Refusal[]): HistoryEntry[] {
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
