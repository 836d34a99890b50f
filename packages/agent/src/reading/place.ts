// The place in a state that a model named, or words that say what would be right.

import { isContainer, isRecord } from "@opstate/core/json";
import { formatPointer, parsePointer } from "@opstate/core/json-patch";
import { idOf, labelOf } from "../verdict/thing-name.ts";
import { counted, dataText, pointerText } from "./data-text.ts";

const MAX_NEAREST = 5;
/** Comparing costs: of a record with many keys only so many are compared letter by letter. */
const MAX_COMPARED = 500;
const MAX_COMPARED_CHARACTERS = 40;

export type Place =
  | { readonly found: true; readonly tokens: readonly string[]; readonly value: unknown }
  | { readonly found: false; readonly message: string };

/** The value at a JSON Pointer. "/" counts as the whole state, as many write it. */
export function placeAt(state: unknown, path: unknown): Place {
  if (typeof path !== "string")
    return missing(`A path is a JSON Pointer such as ${example(state)}, not ${kindOf(path)}.`);
  if (path === "/" && !(isRecord(state) && Object.hasOwn(state, ""))) return { found: true, tokens: [], value: state };
  if (path !== "" && !path.startsWith("/")) return missing(`A path starts with "/".${suggestion(state, path)}`);
  const tokens = tokensOf(path);
  if (tokens === undefined)
    return missing(`The path ${quoted(path)} has a "~" that is neither "~0" (a tilde) nor "~1" (a slash).`);
  let value = state;
  for (const [depth, token] of tokens.entries()) {
    const at = tokens.slice(0, depth);
    if (!isContainer(value)) return missing(`${pointerText(at)} is ${kindOf(value)}: there is nothing in it.`);
    const child = childAt(value, token);
    if (child === undefined) return missing(Array.isArray(value) ? noItem(value, at, token) : noKey(value, at, token));
    value = child.value;
  }
  return { found: true, tokens, value };
}

/** "a text", "a list of 3 items" */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `a list of ${counted(value)}`;
  if (typeof value === "object") return `an object of ${counted(value)}`;
  return typeof value === "string" ? "a text" : `the ${typeof value} ${dataText(value)}`;
}

function childAt(value: object, token: string): { readonly value: unknown } | undefined {
  if (Array.isArray(value))
    return /^(?:0|[1-9]\d{0,15})$/.test(token) && Number(token) < value.length
      ? { value: value[Number(token)] }
      : undefined;
  return Object.hasOwn(value, token) ? { value: (value as Readonly<Record<string, unknown>>)[token] } : undefined;
}

function noItem(list: readonly unknown[], at: readonly string[], token: string): string {
  const range = list.length === 0 ? "no items" : `${counted(list)}, 0 to ${list.length - 1}`;
  const name = token.toLowerCase();
  const index = list.findIndex(
    (item) => isRecord(item) && [idOf(item), labelOf(item)].some((known) => known?.toLowerCase() === name),
  );
  const named = index < 0 ? "" : ` The one that is called so is ${pointerText([...at, index])}.`;
  return `There is no item ${quoted(token)} in ${pointerText(at)}: it has ${range}.${named}`;
}

function noKey(value: object, at: readonly string[], token: string): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return `There is no ${quoted(token)} in ${pointerText(at)}: it is empty.`;
  const near = nearest(keys, token).map((key) => pointerText([...at, key]));
  const rest = keys.length - near.length;
  return `There is no ${quoted(token)} in ${pointerText(at)}. Nearest: ${near.join(", ")}${rest > 0 ? ` (and ${rest} more)` : ""}.`;
}

/** The keys that are most like `name`, the most alike first. */
function nearest(keys: readonly string[], name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const ranked = keys.map((key, index) => {
    const other = key.toLowerCase();
    const contains = wanted !== "" && other !== "" && (other.includes(wanted) || wanted.includes(other));
    const rank = contains ? 0 : index < MAX_COMPARED ? distance(other, wanted) : Infinity;
    return { key, rank };
  });
  return ranked
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .slice(0, MAX_NEAREST)
    .map(({ key }) => key);
}

/** How many letters must be added, removed or changed to make the one text the other. */
function distance(one: string, other: string): number {
  const [a, b] = [one.slice(0, MAX_COMPARED_CHARACTERS), other.slice(0, MAX_COMPARED_CHARACTERS)];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}

/** ` Did you mean /columns/0?` for "columns.0" or "columns[0]", where there is one. */
function suggestion(state: unknown, path: string): string {
  const tokens = path.replace(/^[#$]\/?/, "").split(/[./[\]]+/);
  const pointer = formatPointer(tokens.filter((token) => token !== ""));
  const place = placeAt(state, pointer);
  if (place.found) return ` Did you mean ${pointerText(place.tokens)}?`;
  return ` For example ${example(state)}.`;
}

/** A path that there is. */
function example(state: unknown): string {
  const [first] = isContainer(state) ? Object.keys(state) : [];
  return first === undefined ? '""' : pointerText([first]);
}

function tokensOf(path: string): readonly string[] | undefined {
  try {
    return parsePointer(path);
  } catch {
    return undefined;
  }
}

function quoted(text: string): string {
  return dataText(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function missing(message: string): Place {
  return { found: false, message };
}
