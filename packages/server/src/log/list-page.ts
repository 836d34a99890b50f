// Pages of a log's list of threads. A page ends with the key of its last thread; keys grow with
// each thread that is created.

import { defined, type Log } from "@opstate/core";
import type { ThreadPage } from "@opstate/core/log";

/** The key after which a page begins. Throws a RangeError when `after` is not the end of a page. */
export function keyAfter(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new RangeError(
    `"${after.slice(0, 40)}" is not the end of a page of this log. Pass the \`next\` of the page before.`,
  );
}

/** A page of a log that has no `page`: the key of a thread is its position in the whole list. */
export async function sliceOf(
  log: Pick<Log, "list">,
  { after = "0", limit }: { readonly after?: string; readonly limit: number },
): Promise<ThreadPage> {
  const from = keyAfter(after);
  const threads = (await log.list({ parent: null })).slice(from, from + limit);
  return { threads, ...defined({ next: threads.length === limit ? String(from + limit) : undefined }) };
}
