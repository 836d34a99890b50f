// The things that an own operation is for (law 10). A page follows no names: a thing's name is its
// identity, which its copies have too.
//
//   confirmed   [ A B C ]              version 7
//   view        [ X A B' C ]           X: by a pending operation; B' has B's identity
//   "rename"    writes to B'           sent as { basedOn: 7, things: ["/1"] }
//   "rename"    writes to X            sent as { basedOn: 7, things: [{ by: <id>, part: "0" }] }

import type { $ZodType } from "zod/v4/core";
import type { Model } from "../engine/model.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import type { Source } from "../engine/source.ts";
import { shortHash } from "./ids.ts";
import type { Name, NamedState, Trace } from "../engine/things/index.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Accepted } from "../engine/transition.ts";
import { canonicalJson } from "../json/canonical.ts";
import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { SubmittedThing } from "../thread/things/submitted-things.ts";
import { difference, type Tokens, type Watch } from "./difference.ts";
import { identify, identityOf, knownIdentity } from "./identity.ts";
import { emptyLike, keysOf, pointerOf } from "./json.ts";
import { rejection } from "./reject.ts";
import { type Def, othersOf, partOf, zodOf } from "./schema.ts";

/** How many things a submission may name. */
export const THINGS_LIMIT = 1_000;

/** Where things stood when they were last touched: there `find` looks first. */
type Seen = Map<Name, Tokens>;

export function nameState(state: unknown): NamedState {
  // A page holds no names. It says only that operations are to name their things.
  const seen: Seen = new Map();
  return { state, names: seen as unknown as NamedState["names"] };
}

function seenIn({ names }: NamedState): Seen {
  return names as unknown as Seen;
}

/**
 * Whether an operation may change only what it changed at first. A replacement is about the whole
 * state; an operation with `retarget` finds its things anew.
 */
export function isHeldToThings({ operations }: Model, operation: AnyOperation): boolean {
  const { type: own, operations: inner = [] }: AnyOperation & { readonly operations?: readonly AnyOperation[] } =
    operation;
  const parts = own === "$batch" ? inner : [operation];
  return !parts.some(({ type }) => type === "$replace") && !parts.every(({ type }) => operations.get(type)?.retarget);
}

/** Why an operation is not shown that would change another thing than the one it is about. */
export function otherThing(type: string): Rejection {
  const message = `"${type}" would change another thing now.`;
  return rejection("conflict", type, message, { reason: "other_thing" });
}

/**
 * Which things of the state before an update touched. What it created gets its identity from the
 * submission, as the authority names it.
 */
export function nameStep(
  model: Model,
  before: NamedState,
  { state, operation }: Pick<Accepted<unknown, AnyOperation>, "state" | "patches" | "operation">,
  { id }: Source,
): Trace {
  const touched = new Set<Name>();
  const gone = new Map<Name, readonly [object, Tokens]>();
  const come: object[] = [];
  const watch: Watch = {
    skips: (place) => isDerived(model, place),
    isTuple: (place) => defsAt(model, place).some(({ type }) => type === "tuple"),
    wrote(place, then, now) {
      const thing = thingAround(model, before.state, place);
      const name = thing.length === 0 ? "" : identityOf(readAt(before.state, thing) as object);
      touched.add(name);
      seenIn(before).set(name, thing);
      forEachItem(then, place, watch.left);
      forEachItem(now, place, watch.came);
    },
    left(item, place) {
      gone.set(identityOf(item), [item, place]);
      // A batch may have touched what is in it before it took it away.
      if (operation.type === "$batch") forEachItem(item, place, watch.left);
    },
    came: (item) => come.push(item),
  };
  difference(before.state, state, watch);
  const born: object[] = [];
  for (const item of come) {
    const from = gone.get(knownIdentity(item) ?? sameAs(item, gone) ?? "");
    if (from) difference(from[0], item, watch, from[1]);
    else if (!knownIdentity(item)) born.push(item);
  }
  // Of several, only the authority knows which is the first: so no id names them. A batch
  // may have created one with others in it, one after the other.
  let count = born.length;
  if (operation.type === "$batch") forEachItem(born[0], [], () => count++);
  const [part, by] = count === 1 ? ["0", id] : [identityOf({})];
  for (const [index, item] of born.entries()) bear(item as Container, part + "'".repeat(index), by, true);
  return { after: { state, names: before.names }, touched: [...new Set([...touched, ...gone.keys()])] };
}

/** The items of the lists of a value. */
function forEachItem(value: unknown, place: Tokens, visit: (item: object, place: Tokens) => unknown): void {
  if (!isContainer(value)) return;
  const isList = Array.isArray(value);
  for (const key of keysOf(value)) {
    const item = value[key];
    const below = [...place, key as string];
    if (!isList) forEachItem(item, below, visit);
    else if (isContainer(item)) visit(item, below);
  }
}

/**
 * The name of the item that left and is equal: the one that came takes it. An equal state that
 * subscribers had takes the place of what an operation came to, and its items have no names.
 */
function sameAs(item: object, gone: ReadonlyMap<Name, readonly [object, Tokens]>): Name | undefined {
  for (const [name, [left]] of gone) if (equal(left, item)) return identify(item, name);
  return undefined;
}

/** An item, and the items in its lists, as what a submission created. */
function bear(value: Container, part: string, id: string | undefined, isItem: boolean): void {
  // What moved into it stays what it is.
  if (knownIdentity(value)) return;
  if (isItem) identify(value, JSON.stringify([part, id]));
  const isList = Array.isArray(value);
  for (const key of keysOf(value)) {
    const child = value[key];
    const escaped = pointerOf([key]).slice(1).replaceAll("#", "~2").replaceAll(" ", "~3");
    if (isContainer(child)) bear(child, `${part}${isList ? "#" : "/"}${escaped}`, id, isList);
  }
}

/**
 * Where the thing stands that a place belongs to: a list item, a value of a record, or the root.
 */
function thingAround(model: Model, state: unknown, place: Tokens): Tokens {
  for (let length = place.length; length > 0; length--) {
    const thing = place.slice(0, length);
    const key = place[length - 1]!;
    if (!isContainer(readAt(state, thing))) continue;
    const defs = defsAt(model, place.slice(0, length - 1));
    if (typeof key === "number" || (defs.every(({ shape = {} }) => !Object.hasOwn(shape, key)) && defs.some(othersOf)))
      return thing;
  }
  return [];
}

/** What the schemas of a place are made of, without what is wrapped around them. */
function defsAt({ looseSchema }: Model, place: Tokens): readonly Def[] {
  return place.reduce((defs, token) => defs.flatMap((def) => unwrap(partOf(def, token))), unwrap(looseSchema));
}

function unwrap(schema: $ZodType | undefined): readonly Def[] {
  if (schema === undefined) return [];
  const { def, innerType = def.innerType } = zodOf(schema);
  const { options = [innerType, def.left, def.right, def.out] } = def;
  const inner = options.flatMap(unwrap);
  return inner.length > 0 ? inner : [def];
}

function isDerived({ derive }: Model, place: Tokens): boolean {
  return derive.some(({ container, field }) => {
    const path = [...container, field];
    return (
      path.length === place.length && path.every((token, index) => token === "*" || token === String(place[index]))
    );
  });
}

function withoutDerived(model: Model, value: unknown, place: Tokens): unknown {
  if (!isContainer(value)) return value;
  const kept = emptyLike(value);
  for (const key of keysOf(value)) {
    const below = [...place, key as string];
    if (!isDerived(model, below)) kept[key] = withoutDerived(model, value[key], below);
  }
  return kept;
}

/** How a thing is named to the authority: with its content, when it may get there late. */
export function submittedThing(
  model: Model,
  named: NamedState,
  name: Name,
  isLate: boolean,
): SubmittedThing | undefined {
  if (name === "") return name;
  const { state } = named;
  const seen = seenIn(named).get(name) ?? [];
  const place = knownIdentity(readAt(state, seen) as object) === name ? seen : find(state, name);
  if (!place) {
    const [part = "", by = ""] = name.startsWith("[") ? (JSON.parse(name) as [string, string?]) : [];
    return by ? { by, part } : undefined;
  }
  const at = pointerOf(place);
  if (!isLate) return at;
  return { at, content: shortHash(canonicalJson(withoutDerived(model, readAt(state, place), place))) };
}

/** Where a thing stands. */
function find(value: unknown, name: Name): Tokens | undefined {
  if (!isContainer(value)) return undefined;
  if (knownIdentity(value) === name) return [];
  for (const key of keysOf(value)) {
    const below = find(value[key], name);
    if (below) return [key as string, ...below];
  }
  return undefined;
}

function readAt(state: unknown, place: Tokens): unknown {
  return place.reduce<unknown>((value, token) => (isContainer(value) ? value[token] : undefined), state);
}
