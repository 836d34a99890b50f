// The ids that an effect gives to things, where its operation says them itself, as a replacement
// does. Whether another thing has one of them by now tells whether the effect can be carried.
//
//   recorded    T-2 was gone, a replacement put another card "T-2" in the list
//   elsewhere   T-2 is there: two cards would have one id

import { isContainer, isObject } from "../../json/container.ts";
import { idKeyOf } from "../../json/id-key.ts";
import type { Effect } from "./effect.ts";
import { forEachList, locate, type NamedState, valueOf } from "./names.ts";
import { below, keysOf, type Name, ownerOf } from "./spelling.ts";

/**
 * A thing that has an id by now which an effect gave to another one; undefined: there is none.
 * What had the id before the effect already is left aside.
 */
export function holderOfOwnId(effect: Effect, now: NamedState): Name | undefined {
  const given = idsOf(effect, now);
  if (given.size === 0) return undefined;
  const own = new Set([...effect.born.map(({ name }) => name), ...effect.renamed.values()]);
  for (const [name, value] of thingsOf(now, "")) {
    const key = idKeyOf(value);
    if (key === undefined || !isObject(value) || own.has(name) || !given.has(idText(key, value[key]))) continue;
    if (valueOf(effect.before, below(name, key)) !== value[key]) return name;
  }
  return undefined;
}

/** The ids that it gave, of what is not done on the other state already. */
function idsOf({ sets, born, after, renamed }: Effect, now: NamedState): ReadonlySet<string> {
  const ids = new Set<string>();
  const collect = (value: unknown): void => {
    if (!isContainer(value)) return;
    const key = idKeyOf(value);
    if (key !== undefined && isObject(value)) ids.add(idText(key, value[key]));
    for (const part of Object.values(value)) collect(part);
  };
  for (const { name, content } of born) if (locate(now, name) === undefined) collect(content);
  // What it made another thing of is put there anew where that is gone.
  for (const [from, to] of renamed) if (locate(now, from) === undefined) collect(valueOf(after, to));
  for (const [place, write] of sets) {
    const owner = ownerOf(place);
    const [key, ...inner] = keysOf(place);
    const isId = inner.length === 0 && key === idKeyOf(valueOf(after, renamed.get(owner) ?? owner));
    if (key === undefined || !isId) collect(write.after);
    else if (valueOf(now, place) !== write.after) ids.add(idText(key, write.after));
  }
  return ids;
}

function idText(key: string, id: unknown): string {
  return JSON.stringify([key, id]);
}

/** The items of lists within a thing, those within them too. */
function thingsOf(
  named: NamedState,
  thing: Name,
  value = valueOf(named, thing),
): readonly (readonly [Name, unknown])[] {
  const things: (readonly [Name, unknown])[] = [];
  forEachList(value, thing, (list, items) => {
    for (const [index, item] of items.entries()) {
      const name = isContainer(item) ? named.names.itemOf(list, index) : undefined;
      if (name !== undefined) things.push([name, item], ...thingsOf(named, name, item));
    }
  });
  return things;
}
