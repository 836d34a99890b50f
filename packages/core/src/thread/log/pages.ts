// Pages of a list: where one ends, and where the next one begins.
//
// Invariants:
// - A page ends at its limit or at its bytes, whichever comes first, and has at least one item if
//   the list has.
// - `next` is there when, and only when, something followed.

import { defined } from "../../defined.ts";
import type { CommitRange, Page, PageOptions } from "./adapter.ts";

const DEFAULT_LIMIT = 1_000;
const DEFAULT_BYTES = 8 * 2 ** 20;

/** The options of a page with their defaults. Throws a RangeError for a limit that no page has. */
export function pageLimits({ limit = DEFAULT_LIMIT, bytes = DEFAULT_BYTES }: PageOptions): {
  readonly limit: number;
  readonly bytes: number;
} {
  for (const [name, value] of Object.entries({ limit, bytes }))
    if (value !== Infinity && !(Number.isSafeInteger(value) && value > 0))
      throw new RangeError(`\`${name}\` must be a number from 1, not ${value}.`);
  return { limit, bytes };
}

/** A cursor that is a number. Throws a RangeError for any other. */
export function cursorNumber(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new RangeError(
    `"${cursor.slice(0, 40)}" is not the end of a page of this log. Pass the \`next\` of the page before.`,
  );
}

/**
 * The first page of `rows`, which must go on beyond its limit where the list does. Reads no row
 * after the first that is left out.
 *
 * @example
 * ```ts
 * import { cutPage } from "@opstate/core/log";
 *
 * const rows = [{ id: "a", size: 4 }, { id: "b", size: 4 }, { id: "c", size: 4 }];
 * cutPage(rows, { limit: 10, bytes: 9 }, { bytes: (row) => row.size, item: (row) => row.id, cursor: (row) => row.id });
 * // { items: ["a", "b"], next: "b" }
 * ```
 */
export function cutPage<Row, Item>(
  rows: Iterable<Row>,
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
  of: { bytes(row: Row): number; item(row: Row): Item; cursor(last: Row): string },
): Page<Item> {
  const items: Item[] = [];
  let size = 0;
  let last: Row | undefined;
  for (const row of rows) {
    size += of.bytes(row);
    if (last !== undefined && (items.length === limit || size > bytes)) return { items, next: of.cursor(last) };
    items.push(of.item(row));
    last = row;
  }
  return { items };
}

/**
 * The versions that a page of commits lies between, its cursor counted in. They are numbers that a
 * database has: Infinity is none.
 */
export function commitSpan(range: CommitRange): {
  readonly after: number;
  readonly before: number;
  readonly order: "ascending" | "descending";
} {
  const { order = "ascending", cursor } = range;
  const after = Math.min(range.after ?? 0, Number.MAX_SAFE_INTEGER);
  const before = Math.min(range.before ?? Infinity, Number.MAX_SAFE_INTEGER);
  if (cursor === undefined) return { after, before, order };
  const reached = cursorNumber(cursor);
  return order === "ascending"
    ? { after: Math.max(after, reached), before, order }
    : { after, before: Math.min(before, reached), order };
}

/** All pages of a list, one after another. */
export async function* pagesOf<Item>(
  read: (range: PageOptions) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(defined({ cursor }));
    yield page.items;
    cursor = page.next;
  } while (cursor !== undefined);
}

/**
 * The items of all pages of a list, one after another.
 *
 * @example
 * ```ts
 * import { memoryLog } from "@opstate/core";
 * import { itemsOfPages } from "@opstate/core/log";
 *
 * const log = memoryLog();
 * for await (const { threadId } of itemsOfPages((range) => log.threads(range))) console.log(threadId);
 * ```
 */
export async function* itemsOfPages<Item>(
  read: (range: PageOptions) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const items of pagesOf(read)) yield* items;
}

/** The same as a list. */
export async function allItems<Item>(read: (range: PageOptions) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf(read)) items.push(...page);
  return items;
}
