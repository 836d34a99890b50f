// How names are spelled: what divides them, what of a key is escaped, what a name says about where
// a thing belongs.

/** The name of a thing, or of a place within one. The root's is "". */
export type Name = string;

/** The place under a key of an object. */
export function below(name: Name, key: string): Name {
  return `${name}/${escapeKey(key)}`;
}

/**
 * The name of a birth: `source` is any text that tells submissions apart, `count` tells what one of
 * them bore.
 */
export function birthName(source: string, count: number | string): Name {
  return `^${escapeKey(source)}.${count}`;
}

/** A key as a part of a name: without what divides names, and without spaces. */
function escapeKey(key: string): string {
  if (!/[~/# ]/.test(key)) return key;
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("#", "~2").replaceAll(" ", "~3");
}

export function unescapeKey(key: string): string {
  return key.replaceAll("~3", " ").replaceAll("~2", "#").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Whether a name is one that a birth gave, or that of a part of what was born. */
export function isBorn(name: Name): boolean {
  return name.startsWith("^");
}

/** The list item (or the root) that a place belongs to: the name itself when it is one. */
export function ownerOf(name: Name): Name {
  const item = name.lastIndexOf("#");
  if (item < 0 && !isBorn(name)) return "";
  const end = name.indexOf("/", Math.max(0, item));
  return end < 0 ? name : name.slice(0, end);
}

/** The keys that lead from the owner of a place to the place. */
export function keysOf(name: Name): readonly string[] {
  return name.slice(ownerOf(name).length).split("/").slice(1).map(unescapeKey);
}

/** An item that is named by the list in which it stood at first. */
export function splitItem(name: Name): { readonly list: Name; readonly index: number } | undefined {
  if (ownerOf(name) !== name) return undefined;
  const at = name.lastIndexOf("#");
  return at < 0 ? undefined : { list: name.slice(0, at), index: Number(name.slice(at + 1)) };
}
