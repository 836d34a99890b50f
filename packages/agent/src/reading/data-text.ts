// Values of a state as text in what a model reads. Users wrote them, so they are data: texts stand
// in quotes, and `<` is escaped, so that nothing can close a tag around it.

import { isContainer } from "@opstate/core/json";
import { formatPointer } from "@opstate/core/json-patch";
import { asData } from "../verdict/as-data.ts";

/** From mild to harsh: how many keys of an object, and characters of what they hold, are kept. */
const CUTS = [
  { keys: 20, text: 120 },
  { keys: 12, text: 60 },
  { keys: 6, text: 20 },
];
const MAX_NAME_CHARACTERS = 200;

/** JSON text with `<` escaped. */
export function dataText(value: unknown): string {
  return asData(JSON.stringify(value ?? null));
}

/** The JSON text of a value if it has at most so many characters. It stops where it has more. */
export function jsonWithin(value: unknown, characters: number): string | undefined {
  if (!isContainer(value)) {
    if (typeof value === "string" && value.length > characters) return undefined;
    const json = dataText(value);
    return json.length <= characters ? json : undefined;
  }
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let room = characters - 2;
  for (const [key, child] of isList ? value.entries() : Object.entries(value)) {
    const name = isList ? "" : `${dataText(key)}:`;
    room -= name.length + (parts.length === 0 ? 0 : 1);
    const json = room < 0 ? undefined : jsonWithin(child, room);
    if (json === undefined) return undefined;
    room -= json.length;
    parts.push(name + json);
  }
  if (room < 0) return undefined;
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

/**
 * A value in at most so many characters, or a few words: whole if it fits; else without what is in
 * its parts, and "…" says what was left out.
 */
export function brief(value: unknown, characters: number): { readonly json: string; readonly whole: boolean } {
  const json = jsonWithin(value, characters);
  if (json !== undefined) return { json, whole: true };
  if (typeof value === "string") return { json: dataText(cutText(value, Math.floor(characters / 6))), whole: false };
  if (!isContainer(value)) return { json: dataText(value), whole: true };
  if (Array.isArray(value)) return { json: dataText(sizeOf(value)), whole: false };
  const entries = Object.entries(value);
  for (const { keys, text } of CUTS) {
    const kept = entries.slice(0, keys).map(([key, child]) => [cutText(key, text), shallow(child, text)]);
    if (entries.length > kept.length) kept.push(["…", `${entries.length - kept.length} more keys`]);
    const shorter = dataText(Object.fromEntries(kept));
    if (shorter.length <= characters) return { json: shorter, whole: false };
  }
  return { json: dataText(sizeOf(value)), whole: false };
}

function shallow(value: unknown, characters: number): unknown {
  if (isContainer(value)) return jsonWithin(value, characters) === undefined ? sizeOf(value) : value;
  return typeof value === "string" ? cutText(value, characters) : value;
}

/** `… 3000 items` */
function sizeOf(value: object): string {
  return `… ${counted(value)}`;
}

/** `3000 items`, `1 key` */
export function counted(value: object): string {
  return Array.isArray(value) ? plural(value.length, "item") : plural(Object.keys(value).length, "key");
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The beginning of a text, and how many characters were left out. */
function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = wholeEnd(text, characters);
  return `${text.slice(0, end)}… ${text.length - end} more characters`;
}

/** `end`, or one less where it would cut a surrogate pair. */
export function wholeEnd(text: string, end: number): number {
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(end));
  return isPair ? end - 1 : end;
}

/** A pointer for a model to read and to repeat. `""` for the whole state. */
export function pointerText(tokens: readonly (string | number)[]): string {
  return tokens.length === 0 ? '""' : nameText(formatPointer(tokens));
}

/** An id or a pointer. One with a space, a control character or `<` in it is in quotes. */
export function nameText(name: string): string {
  const short = name.length <= MAX_NAME_CHARACTERS ? name : `${name.slice(0, wholeEnd(name, MAX_NAME_CHARACTERS))}…`;
  return /^[\p{L}\p{N}\p{S}\p{P}]+$/u.test(short) && !/[<"]/.test(short) ? short : dataText(short);
}
