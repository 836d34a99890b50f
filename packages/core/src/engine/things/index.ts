// The same thing (law 10): what an update did, by thing, and whether it does the same elsewhere.
//
//   state S, names ──patches──> effect of c on S ─┐
//                                                 ├─> compareEffects: the same? other things?
//   state T, names ──patches──> effect of c on T ─┘
//                                                   carry: the effect on S, done to T's things
//
// How to use it
//
// 1. `nameState(state)` begins: both sides begin with one state and one tree of names, and follow
//    their own commits from there. Names that begin apart cannot be compared.
// 2. `effectOf(model, named, patches, { source, operation })` follows the patches of an update:
//    `effect.after` is the named state to go on with. Both are those of `originOf(commit)`, the
//    source as `sourceText`: so what one submission bore has the same names on a branch, on its
//    parent, in a replica and after an undo.
// 3. `compareEffects(recorded, now).likeness` says how an effect is like the recorded one. When it
//    is accepted, the births of `now` take the recorded names: `withNames(now, births)`.
// 4. `trace(...)` gives the things that an update touched, `pointerTo(named, name)`
//    and `nameAt(model, named, pointer)` lead from names to pointers and back.
// 5. `difference(model, from, to)` is a patch between two named states that keeps the names.
//
//   const base = nameState(state);
//   const recorded = effectOf(model, base, patches, { source: "ada 1", operation });
//   const moved = effectOf(model, base, others, { source: "bob 1", operation: another }).after;
//   const now = effectOf(model, moved, run(...).patches, { source: "ada 1", operation });
//   compareEffects(recorded, now).likeness; // "same"
//
// Everything here is pure. It reads a definition's `looseSchema` and `derive` only.

import type { Source } from "../source.ts";
import type { Effect } from "./effect.ts";
import { type NamedState, Names, renameAll } from "./names.ts";
import { type Name } from "./spelling.ts";

export { carry } from "./carry.ts";
export type { CarryFault, CarryOptions } from "./carry.ts";
export { compareEffects, isEdits, isEmpty, isSatisfied, listsPlacedOtherwise } from "./compare.ts";
export { underived } from "./derived.ts";
export { difference } from "./difference.ts";
export { noEffect } from "./effect.ts";
export type { Effect } from "./effect.ts";
export { effectOf, replaces, replacesWhole } from "./effect-of.ts";
export type { ThingModel } from "./follow.ts";
export { locate, valueOf } from "./names.ts";
export { ownerOf } from "./spelling.ts";
export type { NamedState } from "./names.ts";
export type { Name } from "./spelling.ts";
export { sizeOf, slotsOf } from "./slots.ts";
export { trace } from "./trace.ts";
export type { Trace } from "./trace.ts";
export { nameAt, pointerTo, thingOf } from "./touched.ts";

/** A state whose things get their names here. */
export function nameState(state: unknown): NamedState {
  return { state, names: new Names() };
}

/** A source as the text that names of births begin with. */
export function sourceText({ actor, id, branch }: Omit<Source, "at">): string {
  return JSON.stringify([actor?.kind ?? null, actor?.id ?? null, id ?? null, branch ?? null]);
}

/** What an effect led to, with other names for some things: those of what it bore, as recorded. */
export function withNames({ after }: Pick<Effect, "after">, names: ReadonlyMap<Name, Name>): NamedState {
  return renameAll(after, names);
}
