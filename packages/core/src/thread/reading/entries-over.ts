// The entries of a history, page after page.

import { defined } from "../../defined.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import type { HistoryEntry } from "../entries.ts";
import type { HistoryRange } from "../options.ts";
import type { AbortSignalLike } from "../pace.ts";

/**
 * All entries of a range. A server ends a page of large commits before its limit, and after a page
 * that ends with a commit there may be another one.
 */
export async function* entriesOver<Operation extends AnyOperation>(
  history: (range: HistoryRange) => Promise<readonly HistoryEntry<Operation>[]>,
  { signal, after, before, limit, ...how }: HistoryRange & { readonly signal?: AbortSignalLike },
): AsyncGenerator<HistoryEntry<Operation>, void, undefined> {
  let [from, to, left] = [after, before, limit];
  while (left === undefined || left > 0) {
    if (signal?.aborted === true) throw signal.reason;
    const page = await history({ ...how, ...defined({ after: from, before: to, limit: left }) });
    yield* page;
    const last = page.at(-1);
    if (last?.kind !== "commit") return;
    if (left !== undefined) left -= page.length;
    if (how.order === "descending") to = last.commit.version;
    else from = last.commit.version;
  }
}
