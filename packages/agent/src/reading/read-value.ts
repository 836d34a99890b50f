// Reads a value of a state at a place: whole if it fits, else entry by entry from an offset.
//
//   /columns/0/cards: a list of 3000 items, here 40 to 41:
//   40: {"cardId":"T-41","title":"Fix the search on phones","priority":4}
//   41: {"cardId":"T-42","title":"Write sign-up in German","priority":1}
//   2958 more follow: offset 42.

import { isContainer } from "@opstate/core/json";
import { brief, counted, dataText, jsonWithin, pointerText, wholeEnd } from "./data-text.ts";
import { pageOf } from "./page.ts";
import { kindOf, placeAt } from "./place.ts";

/** An entry may have more when it is read by its own pointer. */
const MAX_ENTRY_CHARACTERS = 500;

export interface ReadRange {
  /** A JSON Pointer. */
  readonly path: unknown;
  /** The first entry; of a text, the first character. */
  readonly offset: number;
  /** The most entries or characters. Undefined: what fits. */
  readonly limit: number | undefined;
}

/** The answer, in about so many characters. */
export function readValue(state: unknown, range: ReadRange, characters: number): string {
  const place = placeAt(state, range.path);
  if (!place.found) return place.message;
  const { tokens, value } = place;
  const at = pointerText(tokens);
  if (typeof value === "string") return readText(at, value, range, characters);
  if (!isContainer(value)) return `${at}: ${dataText(value)}`;
  const json =
    range.limit === undefined && range.offset === 0 && !Array.isArray(value)
      ? jsonWithin(value, characters - at.length)
      : undefined;
  return json === undefined ? readEntries(tokens, value, range, characters) : `${at}:\n${json}`;
}

function readEntries(
  tokens: readonly string[],
  value: object,
  { offset, limit }: ReadRange,
  characters: number,
): string {
  const at = pointerText(tokens);
  const isList = Array.isArray(value);
  const keys = isList ? undefined : Object.keys(value);
  const total = keys?.length ?? (value as readonly unknown[]).length;
  if (total === 0) return `${at}: ${isList ? "an empty list" : "an empty object"}.`;
  if (offset >= total) return `There is no offset ${offset} in ${at}: it has ${counted(value)}, 0 to ${total - 1}.`;
  const end = Math.min(total, offset + (limit ?? total));
  let isCut = false;
  const { lines, shown } = pageOf(indexes(offset, end), characters, (index) => {
    const key = keys?.[index] ?? index;
    const { json, whole } = brief((value as Readonly<Record<string | number, unknown>>)[key], MAX_ENTRY_CHARACTERS);
    isCut ||= !whole;
    return `${isList ? key : dataText(key)}: ${json}`;
  });
  const last = offset + shown;
  const rest = total - last;
  const part = shown === total ? "" : `, here ${offset} to ${last - 1}`;
  const cut = `"…" marks what was left out: read it by its own pointer, such as ${pointerText([...tokens, keys?.[offset] ?? offset])}.`;
  return [
    `${at}: ${kindOf(value)}${part}:`,
    ...lines,
    ...(isCut ? [cut] : []),
    ...(rest > 0 ? [`${rest} more follow: offset ${last}.`] : []),
  ].join("\n");
}

function* indexes(from: number, to: number): Generator<number> {
  for (let index = from; index < to; index++) yield index;
}

function readText(at: string, text: string, { offset, limit }: ReadRange, characters: number): string {
  if (offset > 0 && offset >= text.length)
    return `There is no offset ${offset} in ${at}: it is a text of ${text.length} characters.`;
  let end = wholeEnd(text, Math.min(text.length, offset + (limit ?? text.length)));
  // A character may take six characters in JSON.
  while (end - offset > 1 && dataText(text.slice(offset, end)).length > characters)
    end = wholeEnd(text, offset + Math.floor((end - offset) / 2));
  end = Math.max(end, Math.min(text.length, offset + 2));
  const isWhole = offset === 0 && end === text.length;
  const part = isWhole ? "" : ` a text of ${text.length} characters, here ${offset} to ${end - 1}:`;
  const rest = text.length - end;
  return `${at}:${part} ${dataText(text.slice(offset, end))}${rest > 0 ? `\n${rest} more follow: offset ${end}.` : ""}`;
}
