// A new value that shares with an older one what is equal, so that readers of a part see no change.

/**
 * `next`, with every part that equals its counterpart in `previous` replaced by that. Equal values
 * give `previous` itself. Lists are compared from both ends (core's `shareByPlace` compares place
 * by place): between two snapshots, items come and go.
 */
export function shareFromEnds<T>(previous: unknown, next: T): T {
  // Only JSON meets JSON here, so equal values are values of the same type.
  return shared(previous, next) as T;
}

function shared(previous: unknown, next: unknown): unknown {
  if (
    previous === next ||
    typeof previous !== "object" ||
    typeof next !== "object" ||
    previous === null ||
    next === null
  )
    return next;
  if (Array.isArray(next)) return Array.isArray(previous) ? sharedArray(previous, next) : next;
  if (Array.isArray(previous)) return next;
  const before = previous as Record<string, unknown>;
  const after = next as Record<string, unknown>;
  const keys = Object.keys(after);
  let same = keys.length === Object.keys(before).length;
  let result: Record<string, unknown> | undefined;
  for (const key of keys) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    const value = shared(old, after[key]);
    if (value !== old) same = false;
    if (value !== after[key]) (result ??= { ...after })[key] = value;
  }
  return same ? previous : (result ?? next);
}

/**
 * Items are compared from both ends, so that one that came or went does not cost the others their
 * identity.
 */
function sharedArray(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const length = Math.min(previous.length, next.length);
  const moved = next.length - previous.length;
  let result: unknown[] | undefined;
  const take = (index: number, old: unknown): boolean => {
    const value = shared(old, next[index]);
    if (value !== next[index]) (result ??= [...next])[index] = value;
    return value === old;
  };
  let start = 0;
  while (start < length && take(start, previous[start])) start++;
  if (start === length && moved === 0) return previous;
  let end = next.length;
  while (end > start && end - moved > start && take(end - 1, previous[end - 1 - moved])) end--;
  for (let index = start + 1; index < end - 1; index++) take(index, previous[index]);
  return result ?? next;
}
