// A list as the body of a response, made in slices: others are answered in between, and what is
// made stops when the reader has left.

import { type AbortSignalLike, eventLoop, Pace } from "@opstate/core/thread";

/**
 * The first items whose text has about so many characters, at least one. Rejects with the reason of
 * the signal.
 */
export async function jsonList<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { signal, most = Infinity, mayEnd = () => true }: ListOptions<T>,
): Promise<string> {
  const pace = new Pace(eventLoop, signal);
  const texts: string[] = [];
  let length = 0;
  for await (const item of items) {
    if (pace.isOver) await pace.next();
    const text = JSON.stringify(item);
    texts.push(text);
    length += text.length;
    if (length >= most && mayEnd(item)) break;
  }
  return `[${texts.join(",")}]`;
}

interface ListOptions<T> {
  readonly signal: AbortSignalLike;
  /** Characters. */
  readonly most?: number;
  /** Whether the list may end with this item. */
  readonly mayEnd?: (item: T) => boolean;
}
