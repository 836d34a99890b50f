// Finds items by a text in them, whatever its case, in a part of a state.
//
//   3 items have "invoices" in a text, here the first 2:
//   /columns/0/cards/7: T-8 "Send the invoices", in ideas "Ideas"
//   /columns/1/cards/2: T-31 "Export" (notes "…as the invoices are…"), in backlog "Backlog"
//   1 more: 1 in backlog "Backlog" (/columns/1). Give a longer text, a narrower `where`, or ...
//
// What is found is an item: an object in a list, a value of a record, or an object with an id. A
// text that is in no item stands for itself.

import { isContainer, isRecord } from "@opstate/core/json";
import { idOf, labelOf } from "../verdict/thing-name.ts";
import { dataText, nameText, plural, pointerText, wholeEnd } from "./data-text.ts";
import { pageOf } from "./page.ts";
import { placeAt } from "./place.ts";

const MAX_SNIPPET_CHARACTERS = 100;
const MAX_LABEL_CHARACTERS = 120;
const MAX_GROUPS = 5;
const MAX_WORDS = 6;

export interface FindRange {
  /** The JSON Pointer of the part to look in. */
  readonly where: unknown;
  readonly text: string;
  readonly limit: number;
}

/** An item, or the whole state: what a found text belongs to. */
interface Item {
  readonly tokens: readonly (string | number)[];
  readonly value: unknown;
  /** The item around it. */
  readonly parent: Item | undefined;
}

interface Hit {
  readonly item: Item;
  /** The place of the first text that fits, from the state's root. */
  readonly tokens: readonly (string | number)[];
  /** Undefined: the key of the item fits. */
  readonly found: string | undefined;
}

/** The answer, in about so many characters. */
export function findText(state: unknown, { where, text, limit }: FindRange, characters: number): string {
  const place = placeAt(state, where);
  if (!place.found) return place.message;
  const hits = search(state, place.tokens, text);
  if (hits.length === 0) return nothing(state, place.tokens, text);
  const { lines, shown } = pageOf(hits.slice(0, limit), characters, (hit) => lineOf(hit, text));
  const count = `${plural(hits.length, "item")} ${hits.length === 1 ? "has" : "have"} ${quoted(text)} in a text`;
  const part = shown === hits.length ? "" : `, here the first ${shown}`;
  return [`${count}${part}:`, ...lines, ...(shown === hits.length ? [] : [leftOut(hits.slice(shown))])].join("\n");
}

/** Every item in the part that has the text, in the order of the state. */
function search(state: unknown, where: readonly string[], text: string): readonly Hit[] {
  const wanted = folded(text);
  const hits: Hit[] = [];
  const tokens: (string | number)[] = [];
  /** Items that are hit already: an item is named once. */
  const named = new Set<Item>();
  function fits(item: Item, found: string | undefined): void {
    if (named.has(item)) return;
    if (item.tokens.length > 0) named.add(item);
    hits.push({ item, tokens: [...tokens], found });
  }
  function visit(value: unknown, item: Item, depth: number): void {
    const isInside = depth >= where.length;
    if (!isContainer(value)) {
      if (isInside && typeof value === "string" && folded(value).includes(wanted)) fits(item, value);
      if (isInside && typeof value === "number" && String(value) === wanted) fits(item, String(value));
      return;
    }
    const isList = Array.isArray(value);
    const record = !isList && isRecordOfItems(value);
    const entries = isInside ? (isList ? value.entries() : Object.entries(value)) : step(value, where[depth]!);
    for (const [key, child] of entries) {
      tokens.push(key);
      const isItem = isRecord(child) && (isList || record || idOf(child) !== undefined);
      const owner: Item = isItem ? { tokens: [...tokens], value: child, parent: item } : item;
      if (isInside && record && folded(String(key)).includes(wanted)) fits(owner, undefined);
      visit(child, owner, depth + 1);
      tokens.pop();
    }
  }
  visit(state, { tokens: [], value: state, parent: undefined }, 0);
  return hits;
}

/** The one entry on the way to the part that is searched. */
function step(value: object, token: string): readonly (readonly [string | number, unknown])[] {
  const isList = Array.isArray(value);
  return [[isList ? Number(token) : token, (value as Readonly<Record<string, unknown>>)[token]]];
}

/** Whether the keys of an object are names of items: each value is an object. */
function isRecordOfItems(value: object): boolean {
  const values = Object.values(value);
  return values.length > 1 && values.every((child) => isRecord(child));
}

/** The same for what reads the same, in any case. */
function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function lineOf({ item, tokens, found }: Hit, text: string): string {
  if (item.tokens.length === 0) return `${pointerText(tokens)}: ${snippet(found ?? "", text)}`;
  const { parent } = item;
  const around = parent === undefined || parent.tokens.length === 0 ? "" : nameOf(parent);
  const isShown = found === undefined || found === idIn(item) || found === labelIn(item);
  const more = isShown ? "" : `(${pointerText(tokens.slice(item.tokens.length)).slice(1)} ${snippet(found, text)})`;
  const name = [nameOf(item), more].filter((part) => part !== "").join(" ");
  return `${pointerText(item.tokens)}${name === "" ? "" : `: ${name}`}${around === "" ? "" : `, in ${around}`}`;
}

/** `T-8 "Send the invoices"` */
function nameOf(item: Item): string {
  const [id, label] = [idIn(item), labelIn(item)];
  return [
    ...(id === undefined ? [] : [nameText(id)]),
    ...(label === undefined ? [] : [dataText(cut(label, 0, MAX_LABEL_CHARACTERS))]),
  ].join(" ");
}

/** Its own id; else, in a record, its key. */
function idIn({ tokens, value }: Item): string | undefined {
  const key = tokens.at(-1);
  return (isContainer(value) ? idOf(value) : undefined) ?? (typeof key === "string" ? key : undefined);
}

function labelIn({ value }: Item): string | undefined {
  return isContainer(value) ? labelOf(value) : undefined;
}

/** The text around what was found in it. */
function snippet(found: string, text: string): string {
  const at = Math.max(0, folded(found).indexOf(folded(text)));
  const start = Math.max(0, Math.min(at - 30, found.length - MAX_SNIPPET_CHARACTERS));
  return dataText(cut(found, start, MAX_SNIPPET_CHARACTERS));
}

function cut(text: string, start: number, characters: number): string {
  const from = wholeEnd(text, start);
  const end = wholeEnd(text, Math.min(text.length, from + characters));
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`;
}

/** How many were left out, by the item around them, and how to see them. */
function leftOut(hits: readonly Hit[]): string {
  const groups = new Map<string, { readonly parent: Item; count: number }>();
  for (const { item } of hits) {
    const parent = item.parent ?? item;
    const key = pointerText(parent.tokens);
    const group = groups.get(key) ?? { parent, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  const known = [...groups].filter(([, { parent }]) => parent.tokens.length > 0).slice(0, MAX_GROUPS);
  const counts = known.map(([at, { parent, count }]) => `${count} in ${[nameOf(parent), `(${at})`].join(" ").trim()}`);
  const words =
    counts.length === 0 ? "" : `: ${counts.join(", ")}${groups.size > known.length ? ", and elsewhere" : ""}`;
  return `${hits.length} more${words}. Give a longer text, a narrower \`where\`, or a larger \`limit\`.`;
}

/** Nothing was found: where else the text is, or how often each of its words is there. */
function nothing(state: unknown, where: readonly string[], text: string): string {
  const parts = [`Nothing in ${pointerText(where)} has ${quoted(text)} in a text.`];
  const elsewhere = where.length === 0 ? 0 : search(state, [], text).length;
  if (elsewhere > 0)
    parts.push(`Elsewhere ${plural(elsewhere, "item")} ${elsewhere === 1 ? "has" : "have"} it: give "" as \`where\`.`);
  const words = [...new Set(text.split(/\s+/u).filter((word) => word !== ""))].slice(0, MAX_WORDS);
  const counts =
    words.length < 2 || elsewhere > 0
      ? []
      : words.flatMap((word) => {
          const count = search(state, where, word).length;
          return count === 0 ? [] : [`${quoted(word)} in ${count}`];
        });
  if (counts.length > 0) parts.push(`Of its words: ${counts.join(", ")}.`);
  else if (elsewhere === 0) parts.push("Try another word, or only a part of one.");
  return parts.join(" ");
}

function quoted(text: string): string {
  return dataText(cut(text, 0, MAX_SNIPPET_CHARACTERS));
}
