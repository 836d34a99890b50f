// Commits of a run, an actor or some operation types: by the log's finder, or by reading all
// commits where it has none.

import { sameActor } from "../../engine/actor.ts";
import type { Commit } from "../commit.ts";
import { authorOf } from "../origin.ts";
import type { CommitFilter, CommitRange, LogAdapter, Page } from "./adapter.ts";
import { type CallOptions, checkCall } from "./call.ts";
import { pageLimits } from "./pages.ts";
import { utf8Bytes } from "./entry-size.ts";

/** One page of what a filter selects, as `Finder.find`. */
export async function findCommits(
  log: Pick<LogAdapter, "thread" | "finder">,
  thread: { readonly threadId: string; readonly incarnation?: string | undefined },
  filter: CommitFilter,
  range: CommitRange = {},
  call?: CallOptions,
): Promise<Page<Commit>> {
  if (log.finder !== undefined) return log.finder.find(thread, filter, range, call);
  const { limit, bytes } = pageLimits(range);
  const handle = log.thread(thread.threadId, thread.incarnation);
  const items: Commit[] = [];
  let size = 0;
  let { cursor } = range;
  const { limit: _, bytes: __, cursor: ___, ...span } = range;
  do {
    checkCall(call);
    const page = await handle.commits({ ...span, ...(cursor === undefined ? {} : { cursor }) }, call);
    for (const commit of page.items) {
      if (!isMatch(commit, filter)) continue;
      if (bytes !== Infinity) size += utf8Bytes(JSON.stringify(commit));
      const last = items.at(-1);
      if (last !== undefined && (items.length === limit || size > bytes)) return { items, next: String(last.version) };
      items.push(commit);
    }
    cursor = page.next;
  } while (cursor !== undefined);
  return { items };
}

/** Whether a filter selects a commit. */
function isMatch(commit: Commit, { runId, actor, types }: CommitFilter): boolean {
  if (types !== undefined && !types.includes(commit.operation.type)) return false;
  if (runId === undefined && actor === undefined) return true;
  const author = authorOf(commit);
  return (runId === undefined || author.runId === runId) && (actor === undefined || sameActor(author.actor, actor));
}
