// A shallow copy of a JSON object, in the way that is fastest for its size.
//
// V8 keeps an object of up to 1,020 keys in a form that a spread clones at once (5 µs for 1,000
// keys). A larger one is a hash table: to spread one of 10,000 keys takes 5 ms, to go through its
// keys less than 2. (For a small one the loop is the slow way: 200 µs for 1,000 keys.)

/** The most keys that a spread clones at once. */
const CLONED_AT_ONCE = 1_020;

/** Names that every object inherits: to assign one may throw, or swap the prototype. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

export function copyObject<T>(given: Readonly<Record<string, T>>): Record<string, T> {
  if (!hasMoreKeys(given, CLONED_AT_ONCE) || INHERITED.some((name) => Object.hasOwn(given, name))) return { ...given };
  const copy: Record<string, T> = {};
  for (const key of Object.keys(given)) copy[key] = given[key] as T;
  return copy;
}

/** Whether a JSON object has more keys than so many. Makes no list of them: most have a few. */
export function hasMoreKeys(given: object, most: number): boolean {
  let keys = 0;
  for (const _ in given) if (++keys > most) return true;
  return false;
}
