// The patch that leads from one named state to another: unlike `diff`, it never takes one thing for
// another. An item that is the same thing is edited where it is, or moved; any other is removed and
// added, however alike the two are. So a follower of the patch keeps the names.
//
// A thing that goes to another list is removed from the one and added to the other. A follower of
// the patch recognizes it by its equal content, so it is edited first and then moved.

import { isObject, own } from "../../json/container.ts";
import { equal } from "../../json/equal.ts";
import { type Alignment, keepLongestRun, MOVED } from "../../patch/align.ts";
import { planMoves } from "../../patch/moves.ts";
import { diff, formatPointer, type Patch, type PatchOperation } from "../../patch/index.ts";
import { isDerived } from "./derived.ts";
import { follow, type ThingModel } from "./follow.ts";
import { locate, type NamedState, type Tokens, valueOf } from "./names.ts";
import { below, type Name } from "./spelling.ts";
import { type Shape, shapeOf } from "./shape.ts";

export function difference(model: ThingModel, from: NamedState, to: NamedState): Patch {
  const { patch, edits } = compareStates(model, from, to);
  if (edits.length === 0) return patch;
  const edited = follow(model, from, edits, "edited before it is moved").after;
  return [...edits, ...compareStates(model, edited, to).patch];
}

function compareStates(
  model: ThingModel,
  from: NamedState,
  to: NamedState,
): { readonly patch: Patch; readonly edits: Patch } {
  let patch: PatchOperation[] = [];
  const arrived: { readonly name: Name; readonly after: unknown; readonly shape: Shape }[] = [];

  function compare(before: unknown, after: unknown, name: Name, tokens: Tokens, shape: Shape): void {
    if (before === after) return;
    if (isDerived(model.derive, tokens) || (Array.isArray(before) && shape.isTuple))
      return replace(before, after, tokens);
    if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, name, tokens, shape);
    if (!isObject(before) || !isObject(after)) return replace(before, after, tokens);
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(own(before, key), own(after, key), below(name, key), [...tokens, key], shape.key(key).shape);
  }

  function replace(before: unknown, after: unknown, tokens: Tokens): void {
    if (equal(before, after, Infinity)) return;
    const path = formatPointer(tokens);
    if (after === undefined) patch.push({ op: "remove", path });
    else if (before === undefined) patch.push({ op: "add", path, value: after });
    else
      for (const step of diff(before, after))
        patch.push({ ...step, path: path + step.path, ...("from" in step ? { from: path + step.from } : {}) });
  }

  function compareLists(
    before: readonly unknown[],
    after: readonly unknown[],
    name: Name,
    tokens: Tokens,
    shape: Shape,
  ): void {
    const keys = before.map((item, index) => keyOf(from, name, item, index));
    const wanted = after.map((item, index) => keyOf(to, name, item, index));
    const alignment = alignNames(keys, wanted);
    const moves = planMoves(alignment);
    const path = formatPointer(tokens);
    if (moves === undefined) {
      patch.push({ op: "replace", path, value: after });
      return;
    }
    for (let index = before.length - 1; index >= 0; index--)
      if (alignment.survives[index] === 0) patch.push({ op: "remove", path: `${path}/${index}` });
    for (const move of moves) patch.push({ op: "move", from: `${path}/${move.from}`, path: `${path}/${move.to}` });
    for (const [index, source] of alignment.sources.entries())
      if (source < 0) {
        const item = wanted[index];
        if (typeof item === "string") arrived.push({ name: item, after: after[index], shape: shape.items() });
        patch.push({ op: "add", path: `${path}/${index}`, value: after[index] });
      }
    for (const [index, source] of alignment.sources.entries()) {
      const item = wanted[index];
      if (source >= 0 && typeof item === "string")
        compare(before[source], after[index], item, [...tokens, index], shape.items());
    }
  }

  compare(from.state, to.state, "", [], shapeOf(model.looseSchema));
  const whole = patch;
  patch = [];
  for (const { name, after, shape } of arrived) {
    const tokens = locate(from, name);
    if (tokens !== undefined) compare(valueOf(from, name), after, name, tokens, shape);
  }
  return { patch: whole, edits: patch };
}

/** What an item is known by: a thing by its name, any other value by itself. */
function keyOf({ names }: NamedState, list: Name, item: unknown, index: number): unknown {
  return typeof item === "object" && item !== null ? names.itemOf(list, index) : { value: item };
}

function alignNames(before: readonly unknown[], after: readonly unknown[]): Alignment {
  const textOf = (key: unknown): string => (typeof key === "string" ? key : JSON.stringify(key));
  const open = new Map<string, number[]>();
  for (let index = before.length - 1; index >= 0; index--) {
    const key = textOf(before[index]);
    const held = open.get(key);
    if (held === undefined) open.set(key, [index]);
    else held.push(index);
  }
  const sources = new Int32Array(after.length).fill(-1);
  const states = new Uint8Array(after.length);
  const survives = new Uint8Array(before.length);
  for (const [index, key] of after.entries()) {
    const source = open.get(textOf(key))?.pop();
    if (source === undefined) continue;
    sources[index] = source;
    states[index] = MOVED;
    survives[source] = 1;
  }
  keepLongestRun(sources, states);
  return { sources, states, survives };
}
