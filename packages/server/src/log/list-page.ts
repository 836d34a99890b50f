// A page of a log's list: where it ended is the key of its last thread, which grows with each
// thread that is made.

import type { Log, ThreadInfo, ThreadPage } from "@opstate/core";

type Row = Readonly<Record<string, unknown>>;

/** The key that a page begins after. Throws a RangeError for what no page ended with. */
export function placeAfter(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new RangeError(`"${after.slice(0, 40)}" is not where a page of this log ended.`);
}

/** A full page may have another one behind it. */
export function pageOf(rows: readonly Row[], limit: number, infoOf: (row: Row) => ThreadInfo): ThreadPage {
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { threads: rows.map(infoOf), ...(last && { next: String(last["key"]) }) };
}

/** The same of a log that gives its list as a whole: by position. */
export async function sliceOf(
  log: Pick<Log, "list">,
  { after = "0", limit }: { readonly after?: string; readonly limit: number },
): Promise<ThreadPage> {
  const from = placeAfter(after);
  const threads = (await log.list({ parent: null })).slice(from, from + limit);
  return { threads, ...(threads.length === limit && { next: String(from + limit) }) };
}
