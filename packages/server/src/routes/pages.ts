// Pages of a list: `?limit&after`, and the address of the next page in the header `Link`.

import type { Context } from "hono";
import { Problem } from "../http/problem.ts";
import type { Environment } from "./environment.ts";
import { integerQuery } from "./read-request.ts";

/** Characters of a page, about. */
export const PAGE_SIZE = 1024 * 1024;

/** How many items a page has: what the query says, from 1 to `most`; else `usual`. */
export function limitQuery(context: Context<Environment>, usual: number, most: number): number {
  return Math.min(Math.max(1, integerQuery(context, "limit", usual)), most);
}

/**
 * Says where the next page of the same list begins: what else the query says stays. The address is
 * relative, so it is right under any prefix.
 */
export function linkNext(context: Context<Environment>, limit: number, after: string | number): void {
  const query = new URL(context.req.url).searchParams;
  query.set("limit", `${limit}`);
  query.set("after", `${after}`);
  context.header("link", `<?${query.toString()}>; rel="next"`);
}

/** Throws a Problem for an `after` that is the end of no page. */
export function refuseCursor(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  throw wrongCursor();
}

export function wrongCursor(): Problem {
  return new Problem("invalid_query", "`after` must come from the `Link` header of the page before.");
}
