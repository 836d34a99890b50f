// The things that a submission is about, as its sender saw them: a replay of it may change those
// and no other (law 10).
//
//   sender, at version 7     "rename" wrote to the item that is /cards/2 there
//   on the wire              { basedOn: 7, things: ["/cards/2"] }
//   authority, at version 9  the item that was /cards/2 at version 7 is /cards/0 now: "rename" may
//                            write to /cards/0
//
// What was not there at that version was created by a submission of the same actor that is pending
// as well: then the thing is named by that submission.

import type { Actor } from "../../engine/actor.ts";
import type { Model } from "../../engine/model.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import type { Source } from "../../engine/source.ts";
import type { Accepted } from "../../engine/transition.ts";
import { shortHash } from "../../engine/hash.ts";
import { withoutDerived } from "../../engine/things/derived.ts";
import {
  locate,
  nameAt,
  type Name,
  type NamedState,
  pointerTo,
  replacesWhole,
  sourceText,
  type Trace,
  trace,
  valueOf,
} from "../../engine/things/index.ts";
import { birthName, isBorn, unescapeKey } from "../../engine/things/spelling.ts";
import { canonicalJson } from "../../json/canonical.ts";
import { isObject } from "../../json/container.ts";
import { isId } from "../id.ts";

/**
 * A thing that a submission may change, in one of three forms.
 *
 * - A JSON Pointer at the version that it is based on.
 * - `{ by, part }`: what an earlier submission of the same actor creates. `by` is the id of that
 *   submission, `part` says which of the things that it creates: "0" is the first.
 * - `{ at, content }`: a JSON Pointer, and a hash of what the thing holds. It is known by the hash
 *   where the history does not reach back to that version.
 */
export type SubmittedThing =
  | string
  | { readonly by: string; readonly part: string }
  | { readonly at: string; readonly content: string };

/** How many things a submission may name. */
export const THINGS_LIMIT = 1_000;
/** UTF-16 code units of a pointer, or of a part. */
const LENGTH_LIMIT = 1_000;

const HASH_LIMIT = 20;

/** What is wrong with a list of things from outside; undefined when nothing is. */
export function thingsFault(things: unknown): string | undefined {
  if (!Array.isArray(things)) return "must be a list";
  if (things.length > THINGS_LIMIT) return `may have at most ${THINGS_LIMIT} things, not ${things.length}`;
  const at = things.findIndex((thing: unknown) => !isThing(thing));
  if (at < 0) return undefined;
  return `must have JSON Pointers, such as "/cards/0", { "at": <pointer>, "content": <hash> } or { "by": <id of a submission>, "part": <text> }; its item ${at} is neither`;
}

function isThing(thing: unknown): thing is SubmittedThing {
  if (typeof thing === "string") return isPointer(thing);
  if (!isObject(thing) || Object.keys(thing).length !== 2) return false;
  const { by, part, at, content } = thing;
  if (typeof at === "string") return isPointer(at) && typeof content === "string" && content.length <= HASH_LIMIT;
  return isId(by) && typeof part === "string" && part.length <= LENGTH_LIMIT;
}

function isPointer(text: string): boolean {
  if (text.length > LENGTH_LIMIT) return false;
  return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
}

/**
 * Whether a submission may change only what it changed at first. A replacement says what the whole
 * state is to be; a patch names places, so it is about what was there.
 */
export function isHeldToThings(model: Model, operation: AnyOperation): boolean {
  return !replacesWhole(operation) && !mayRetarget(model, operation);
}

/** Whether an operation finds its things anew each time: it has `retarget`, or all its parts do. */
export function mayRetarget(model: Model, operation: AnyOperation): boolean {
  const { type, operations }: { readonly type: string; readonly operations?: unknown } = operation;
  const retargets = (part: { readonly type?: unknown }): boolean =>
    typeof part.type === "string" && model.operations.get(part.type)?.retarget === true;
  return type === "$batch" && Array.isArray(operations) ? operations.every(retargets) : retargets(operation);
}

/** What an accepted update did to a state whose things have names. */
export function nameStep(
  model: Model,
  before: NamedState,
  { state, patches, operation }: Pick<Accepted<unknown, AnyOperation>, "state" | "patches" | "operation">,
  source: Source,
): Trace {
  if (patches.length === 0) return { after: before, touched: [] };
  const { after, touched } = trace(model, before, patches, { source: sourceText(source), operation });
  return { after: { state, names: after.names }, touched };
}

/**
 * How a thing is named to the authority: with its content, when it may get there late. Undefined:
 * it is nothing that the authority can know.
 */
export function submittedThing(
  model: Model,
  base: NamedState,
  name: Name,
  isLate: boolean,
): SubmittedThing | undefined {
  const at = pointerTo(base, name);
  if (at === undefined) return bornThing(name);
  return isLate && at !== "" ? { at, content: contentHash(model, base, name) ?? "" } : at;
}

/** A hash of what a thing holds, without derived fields. */
function contentHash({ derive }: Model, named: NamedState, name: Name): string | undefined {
  const tokens = locate(named, name);
  if (tokens === undefined) return undefined;
  return shortHash(canonicalJson(withoutDerived(derive, valueOf(named, name), tokens)));
}

/** The names of the things that a submission was sent for. */
export function namesOfThings(
  model: Model,
  base: NamedState,
  things: readonly SubmittedThing[],
  author: { readonly actor: Actor; readonly branch: string | undefined },
): ReadonlySet<Name> {
  const names = things.map((thing) => {
    if (typeof thing === "string") return nameAt(model, base, thing);
    return "at" in thing ? nameAt(model, base, thing.at) : bornName(thing, author);
  });
  return new Set(names.filter((name) => name !== undefined));
}

/**
 * Which of some things a submission was not sent for, where its version is not known any more. The
 * root is the root, what its actor created since has its name, all else is known by its content.
 */
export function unknownThings(
  model: Model,
  now: NamedState,
  touched: readonly Name[],
  things: readonly SubmittedThing[],
  author: { readonly actor: Actor; readonly branch: string | undefined },
): readonly Name[] {
  const born = new Set(things.flatMap((thing) => (isBornThing(thing) ? [bornName(thing, author)] : [])));
  const contents = new Set(
    things.flatMap((thing) => (typeof thing === "object" && "at" in thing ? [thing.content] : [])),
  );
  return touched.filter((name) => {
    if (name === "") return !things.includes("");
    return !born.has(name) && !contents.has(contentHash(model, now, name) ?? "");
  });
}

type BornThing = Extract<SubmittedThing, { readonly by: string }>;

function isBornThing(thing: SubmittedThing): thing is BornThing {
  return typeof thing === "object" && "by" in thing;
}

function bornName(
  { by, part }: BornThing,
  { actor, branch }: { readonly actor: Actor; readonly branch: string | undefined },
): Name {
  return birthName(sourceText({ actor, id: by, ...branchOf({ branch }) }), "") + part;
}

function branchOf({ branch }: { readonly branch: string | undefined }): Pick<Source, "branch"> {
  return branch === undefined ? {} : { branch };
}

/** The name of what a submission bore begins with its source. */
function bornThing(name: Name): SubmittedThing | undefined {
  if (!isBorn(name)) return undefined;
  for (let end = name.indexOf("]."); end >= 0; end = name.indexOf("].", end + 1)) {
    const by = idIn(name.slice(1, end + 1));
    if (by !== undefined) return { by, part: name.slice(end + 2) };
  }
  return undefined;
}

/** The id in the text of a source, as it stands in a name; undefined when it is no such text. */
function idIn(text: string): string | undefined {
  try {
    const parts: unknown = JSON.parse(unescapeKey(text));
    return Array.isArray(parts) && typeof parts[2] === "string" ? parts[2] : undefined;
  } catch {
    return undefined;
  }
}

/** Why an operation is refused that would change another thing than the one it is about. */
export function otherThing(type: string, now: NamedState, others: readonly Name[]): Rejection {
  const message = `"${type}" was made for something else than what it would change now: ${others
    .slice(0, 3)
    .map((name) => inWords(now, name))
    .join(", ")}. Nothing was changed. Read the state again, then send what still holds.`;
  const things = others.slice(0, 20).flatMap((name) => pointerTo(now, name) ?? []);
  return rejection("conflict", type, message, { reason: "other_thing", path: things[0], details: { things } });
}

const LABELS = ["title", "name", "label", "text", "summary"];

/** A thing as a person knows it. Texts of users are in JSON quotes. */
function inWords(now: NamedState, name: Name): string {
  const pointer = pointerTo(now, name);
  if (pointer === undefined) return "what it creates itself";
  if (pointer === "") return "the whole state";
  const label = labelOf(valueOf(now, name));
  return label === undefined ? pointer : `${label} at ${pointer}`;
}

/** The title of a value in JSON quotes, when it has one. */
export function labelOf(value: unknown): string | undefined {
  const label = isObject(value) ? LABELS.map((key) => value[key]).find((text) => typeof text === "string") : undefined;
  return typeof label === "string" ? JSON.stringify(label.slice(0, 60)) : undefined;
}
