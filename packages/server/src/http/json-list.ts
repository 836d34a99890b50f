// A list as the body of a response, made in slices: others are answered in between, and what is
// made stops when the reader has left.

import { defined } from "@opstate/core";
import { type AbortSignalLike, eventLoop, Pace } from "@opstate/core/thread";

/**
 * The first items, at least one: at most `limit`, or whose text has about `most` characters.
 * Rejects with the reason of the signal.
 */
export async function jsonList<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { signal, limit = Infinity, most = Infinity, mayEnd = () => true }: ListOptions<T>,
): Promise<JsonList<T>> {
  const pace = new Pace(eventLoop, signal);
  const texts: string[] = [];
  let length = 0;
  let last: T | undefined;
  for await (const item of items) {
    if (pace.isOver) await pace.next();
    const text = JSON.stringify(item);
    texts.push(text);
    length += text.length;
    if ((length < most && texts.length < limit) || !mayEnd(item)) continue;
    last = item;
    break;
  }
  return { json: `[${texts.join(",")}]`, ...defined({ last }) };
}

export interface JsonList<T> {
  readonly json: string;
  /** The last item, where the list was ended: others may follow. */
  readonly last?: T;
}

interface ListOptions<T> {
  readonly signal: AbortSignalLike;
  readonly limit?: number;
  /** Characters. */
  readonly most?: number;
  /** Whether the list may end with this item. */
  readonly mayEnd?: (item: T) => boolean;
}
