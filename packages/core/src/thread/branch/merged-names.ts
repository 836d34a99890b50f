// What a merge added has the names that it has on the branch: both come from one source.
//
//   branch   change 1 bore  A = "^src.0", B = "^src.1"
//   parent   its merge:     add B, add A    by its patches alone one would call B "^src.0"
//
// The patches of a merge lead from one state to another: they say neither in which order things
// were born nor which one of them took the place of what a replacement wrote over.

import { compareEffects, type Effect, locate, type Name, valueOf, withNames } from "../../engine/things/index.ts";
import { equal } from "../../json/equal.ts";

/** What a merge did, with the names of what its change did on the branch. */
export function withBranchNames(merge: Effect, change: Effect): Effect {
  const names = new Map(compareEffects(change, merge).births);
  for (const [from, to] of change.renamed) {
    const value = valueOf(change.after, to);
    const born = merge.born.find(({ name }) => !names.has(name) && equal(valueOf(merge.after, name), value, Infinity));
    if (born !== undefined && locate(merge.after, from) === undefined) names.set(born.name, to);
  }
  return withBirthNames(merge, names);
}

function withBirthNames(effect: Effect, names: ReadonlyMap<Name, Name>): Effect {
  const others = new Map([...names].filter(([from, to]) => from !== to && locate(effect.before, to) === undefined));
  if (others.size === 0) return effect;
  const born = effect.born.map((birth) => ({ ...birth, name: others.get(birth.name) ?? birth.name }));
  return { ...effect, born, after: withNames(effect, others) };
}
