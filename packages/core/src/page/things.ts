// The things that an own operation is for, told to the authority (law 10). Only the authority holds a
// replay to them; a page follows no names, it knows a thing again by its identity.
//
//   confirmed   [ A B C ]              version 7
//   view        [ X A B' C ]           X: by a pending operation; B' has B's identity
//   "rename"    writes to B'           sent as { basedOn: 7, things: ["/1"] }
//   "rename"    writes to X            sent as { basedOn: 7, things: [{ by: <id>, part: "0" }] }
//
// A name is the pointer to a thing in the state that was edited, and the thing's identity.

import type { Model } from "../engine/model.ts";
import type { Source } from "../engine/source.ts";
import { shortHash } from "../engine/hash.ts";
import { isDerived, withoutDerived } from "../engine/things/derived.ts";
import type { Name, NamedState, Trace } from "../engine/things/index.ts";
import { type Shape, shapeOf } from "../engine/things/shape.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Accepted } from "../engine/transition.ts";
import { canonicalJson } from "../json/canonical.ts";
import { type Container, isContainer, isObject, own } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { SubmittedThing } from "../thread/submitted-things.ts";
import { identify, identityOf, knownIdentity } from "./identity.ts";
import { keysOf, pointerOf, tokensOf } from "./json.ts";

/** How many things a submission may name. */
export const THINGS_LIMIT = 1_000;

export function nameState(state: unknown): NamedState {
  // A page holds no names. What this says is only that operations are to tell their things.
  return { state, names: {} as NamedState["names"] };
}

/** A replacement is about the whole state; an operation with `retarget` finds its things anew. */
export function isHeldToThings({ operations }: Model, operation: AnyOperation): boolean {
  const { type, operations: parts = [operation] } = operation as { type: string; operations?: readonly AnyOperation[] };
  const list = type === "$batch" ? parts : [operation];
  const isReplacement = ({ type: each }: AnyOperation) => !operations.has(each);
  return !list.some(isReplacement) && !list.every((part) => operations.get(part.type)?.retarget === true);
}

/** The authority alone refuses what would change another thing. */
export function otherThing(): undefined {
  return undefined;
}

/** Which things of the state before an update touched; what it created is known by its source. */
export function nameStep(
  { looseSchema, derive }: Model,
  before: NamedState,
  { state }: Pick<Accepted<unknown, AnyOperation>, "state" | "patches" | "operation">,
  { id }: Source,
): Trace {
  const touched = new Set<Name>();
  const left = new Map<string, { readonly item: object; readonly place: Place }>();
  const came: { readonly item: Container; readonly shape: Shape; readonly tokens: Tokens }[] = [];

  const touch = (thing: object, tokens: Tokens) => touched.add(JSON.stringify([pointerOf(tokens), identityOf(thing)]));

  /** What stood in a place, and stands there now. */
  const visit = (then: unknown, now: unknown, place: Place): void => {
    const { shape, tokens, owner } = place;
    if (then === now || isDerived(derive, tokens)) return;
    if (isObject(then) && isObject(now))
      for (const key of new Set([...Object.keys(then), ...Object.keys(now)])) {
        const { shape: inner, record } = shape.key(key);
        const below = [...tokens, key];
        const value = own(then, key);
        const isThing = record && isContainer(value);
        visit(value, own(now, key), { shape: inner, tokens: below, owner: isThing ? [value, below] : owner });
      }
    else if (Array.isArray(then) && Array.isArray(now) && !shape.isTuple) visitLists(then, now, place);
    else if (!equal(then, now, Infinity)) {
      touch(...owner);
      attach(now, shape, tokens);
    }
  };

  const visitLists = (then: readonly unknown[], now: readonly unknown[], { shape, tokens, owner }: Place): void => {
    const items = new Map(now.filter(isContainer).map((item) => [knownIdentity(item) ?? item, item] as const));
    const stayed: unknown[] = [];
    for (const [index, item] of then.entries()) {
      if (!isContainer(item)) continue;
      const key = knownIdentity(item) ?? item;
      const same = items.get(key);
      const below = [...tokens, index];
      const place: Place = { shape: shape.items(), tokens: below, owner: [item, below] };
      if (same === undefined) {
        touch(item, below);
        left.set(identityOf(item), { item, place });
      } else {
        stayed.push(key);
        visit(item, same, place);
      }
      items.delete(key);
    }
    const order = now.filter(isContainer).map((item) => knownIdentity(item) ?? item);
    const isMore = items.size > 0 || order.some((key, index) => key !== stayed[index]);
    const values = (list: readonly unknown[]) => list.filter((item) => !isContainer(item));
    if (isMore || !equal(values(then), values(now), 1)) touch(...owner);
    for (const [index, item] of now.entries())
      if (isContainer(item) && items.has(knownIdentity(item) ?? item))
        came.push({ item, shape: shape.items(), tokens: [...tokens, index] });
  };

  /** The lists of a value that was put in a place: their items came. */
  const attach = (value: unknown, shape: Shape, tokens: Tokens): void => {
    if (!isContainer(value) || shape.isTuple || isDerived(derive, tokens)) return;
    for (const key of keysOf(value)) {
      const item = value[key];
      const below = [...tokens, key as string | number];
      if (!Array.isArray(value)) attach(item, shape.key(String(key)).shape, below);
      else if (isContainer(item)) came.push({ item, shape: shape.items(), tokens: below });
    }
  };

  visit(before.state, state, { shape: shapeOf(looseSchema), tokens: [], owner: [before.state as object, []] });
  let born = 0;
  for (const { item } of came) {
    const from = left.get(knownIdentity(item) ?? "");
    if (from !== undefined) visit(from.item, item, from.place);
    else if (knownIdentity(item) === undefined) bear(item, String(born++), id);
  }
  return { after: { state, names: before.names }, touched: [...touched] };
}

type Tokens = readonly (string | number)[];

interface Place {
  readonly shape: Shape;
  readonly tokens: Tokens;
  /** The thing that it belongs to, in the state before, and where that stood. */
  readonly owner: readonly [object, Tokens];
}

/** An item, and the items in its lists, as what a submission created. */
function bear(value: Container, part: string, id: string | undefined, isItem = true): void {
  if (isItem) identify(value, JSON.stringify([part, id]));
  for (const key of keysOf(value)) {
    const child = value[key];
    const isInList = Array.isArray(value);
    if (isContainer(child)) bear(child, part + (isInList ? `#${String(key)}` : `/${escape(String(key))}`), id, isInList);
  }
}

function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("#", "~2").replaceAll(" ", "~3");
}

/** How a thing is told to the authority: with its content, when it may get there late. */
export function submittedThing(
  { derive }: Model,
  { state }: NamedState,
  name: Name,
  isLate: boolean,
): SubmittedThing | undefined {
  const [hint, identity] = JSON.parse(name) as [string, string];
  if (hint === "") return hint;
  const tokens = find(state, identity, tokensOf(hint));
  if (tokens === undefined) {
    const [part, by] = identity.startsWith("[") ? (JSON.parse(identity) as [string, string]) : [];
    return part === undefined || by === undefined ? undefined : { by, part };
  }
  const at = pointerOf(tokens);
  const value = tokens.reduce<unknown>((held, token) => (held as Container)[token], state);
  return isLate ? { at, content: shortHash(canonicalJson(withoutDerived(derive, value, tokens))) } : at;
}

/** Where a thing stands; mostly where it stood in the view. */
function find(state: unknown, identity: string, hint: Tokens): Tokens | undefined {
  const there = hint.reduce<unknown>((held, token) => (isContainer(held) ? held[token] : undefined), state);
  if (isContainer(there) && knownIdentity(there) === identity) return hint;
  const search = (value: unknown, tokens: Tokens): Tokens | undefined => {
    if (!isContainer(value)) return undefined;
    if (knownIdentity(value) === identity) return tokens;
    for (const key of keysOf(value)) {
      const found = search(value[key], [...tokens, key as string | number]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(state, []);
}
