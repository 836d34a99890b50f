// A state as compact JSON within a budget: whole when it fits; otherwise lists, records and texts
// are cut, and marks say where and how much.
//
//   {"title":"Launch","cards":[{"id":"T-1"},{"id":"T-2"},"… 31 more",{"id":"T-34"},"… 966 more"]}
//                              from the start             in the focus
//
// A container divides its room among its parts:
//   1. parts in the focus get what they need, in the order of the focus;
//   2. the others get the least that says something, the first ones first, while there is room;
//   3. what is left over is shared equally by the parts that were cut, and what those do not need
//      shows more parts.
//
// Invariants:
// - The result is JSON, and no longer than the budget.
// - The same state, budget and focus give the same text.
// - `<` is escaped, so that no text in the state can close the tag around it.
//
// (Long because it is one algorithm.)

import { focusOf, type Focus } from "./focus.ts";
import { asData } from "../verdict/as-data.ts";

export interface Outline {
  readonly json: string;
  readonly whole: boolean;
}

/** Room for any number, and for a container or a text of which only the mark is shown. */
const LEAST = 32;
/** Room in which an item of a list says what it is. */
const LEAST_ITEM = 160;
/** A mark without its number, and the comma before it. */
const MARK = 10;
/** In a record the mark has a key. */
const MARK_KEY = '"…":';

/**
 * JSON text of at most `characters`. "… n more" stands where something was cut. What the JSON
 * Pointers in `focus` name is shown first and whole: the first pointer is the most important.
 *
 * @example
 * ```ts
 * import { outline } from "@opstate/agent";
 *
 * const state = { items: ["milk", "eggs", "flour", "sugar", "a very long text about butter"] };
 * outline(state, 1000).whole; // true
 * outline(state, 60).json; // '{"items":["milk","eggs","… 3 more"]}'
 * ```
 */
export function outline(
  state: unknown,
  characters: number,
  { focus = [] }: { readonly focus?: readonly string[] } = {},
): Outline {
  const full = text(state);
  if (full.length <= characters) return { json: full, whole: true };
  // Read back, it has only what JSON has.
  const value: unknown = JSON.parse(full);
  const sizes = new Sizes();
  const first = focusOf(value, focus, (part) => sizes.of(part), Math.max(400, characters / 8));
  const json = characters < LEAST ? "" : new Fitter(sizes).fit(value, characters, first);
  const isTooLong = json === "" || json.length > characters;
  return { json: isTooLong ? tooLarge(full.length, characters) : json, whole: false };
}

function tooLarge(length: number, characters: number): string {
  const says = text(`… ${length} characters of JSON, too large to show`);
  return says.length <= characters ? says : text("…");
}

function text(value: unknown): string {
  return asData(JSON.stringify(value ?? null));
}

/** The lengths of values as JSON. Those of containers are kept. */
class Sizes {
  readonly #known = new Map<object, number>();

  of(value: unknown): number {
    if (typeof value !== "object" || value === null) return text(value).length;
    let size = this.#known.get(value);
    if (size === undefined) {
      const values: readonly unknown[] = Object.values(value);
      const labels = Array.isArray(value) ? 0 : Object.keys(value).reduce((sum, key) => sum + text(key).length + 1, 0);
      const commas = Math.max(0, values.length - 1);
      size = values.reduce((sum: number, part) => sum + this.of(part), 2 + labels + commas);
      this.#known.set(value, size);
    }
    return size;
  }
}

/** A part of a container, and the room that it gets, without its label. */
interface Part {
  readonly index: number;
  /** A record's key and colon. */
  readonly label: string;
  readonly value: unknown;
  readonly size: number;
  readonly focus: Focus | undefined;
  room: number;
  json: string;
}

class Fitter {
  readonly #sizes: Sizes;

  constructor(sizes: Sizes) {
    this.#sizes = sizes;
  }

  /** The value in at most `room` characters; `room` is at least `LEAST`, or the value's size. */
  fit(value: unknown, room: number, focus: Focus | undefined): string {
    if (this.#sizes.of(value) <= room) return text(value);
    if (typeof value === "string") return cutText(value, room);
    if (typeof value !== "object" || value === null) return text("…");
    return this.#container(value, room, focus);
  }

  #container(value: object, room: number, focus: Focus | undefined): string {
    const isList = Array.isArray(value);
    const parts = Object.entries(value).map(([key, child], index): Part => {
      const label = isList ? "" : `${text(key)}:`;
      return {
        index,
        label,
        value: child,
        size: this.#sizes.of(child),
        focus: focus?.children.get(key),
        room: 0,
        json: "",
      };
    });
    const mark = MARK + String(parts.length).length + (isList ? 0 : MARK_KEY.length);
    const least = isList ? LEAST_ITEM : LEAST;
    const { chosen, left } = this.#choose(parts, room - 2 - mark, { mark: isList ? mark : 0, least });
    const unused = this.#write(chosen, shareRoom(chosen, left));
    this.#writeMore(parts, chosen, unused);
    return joined(parts, isList);
  }

  /** The parts to show, each with the least room that it needs, and the room that is left over. */
  #choose(
    parts: readonly Part[],
    room: number,
    { mark, least }: { readonly mark: number; readonly least: number },
  ): { readonly chosen: Part[]; readonly left: number } {
    const chosen: Part[] = [];
    let left = room;
    const take = (part: Part, wanted: number, extra: number): boolean => {
      const cost = part.label.length + extra + 1;
      const given = Math.min(wanted, left - cost);
      if (given < Math.min(part.size, LEAST)) return false;
      part.room = given;
      left -= given + cost;
      chosen.push(part);
      return true;
    };
    const inFocus = parts.filter(({ focus }) => focus !== undefined);
    inFocus.sort((a, b) => (a.focus?.rank ?? 0) - (b.focus?.rank ?? 0) || a.index - b.index);
    for (const part of inFocus) take(part, this.#need(part.value, part.focus), mark);
    for (const part of parts) {
      if (part.room > 0) continue;
      const wanted = Math.min(part.size, least);
      // A part is shown with the least that it needs, or not here.
      if (left - part.label.length - 1 < wanted || !take(part, wanted, 0)) break;
    }
    return { chosen: chosen.sort((a, b) => a.index - b.index), left };
  }

  /** The room that shows what is in the focus. */
  #need(value: unknown, focus: Focus | undefined): number {
    const size = this.#sizes.of(value);
    if (focus === undefined || focus.whole || typeof value !== "object" || value === null) return size;
    const values = new Map(Object.entries(value));
    let need = LEAST_ITEM;
    for (const [key, child] of focus.children) need += this.#need(values.get(key), child) + 2 * LEAST;
    return Math.min(size, need);
  }

  /** Writes the parts one after the other. What one does not use, the later ones may. */
  #write(chosen: readonly Part[], left: number): number {
    let unused = left;
    for (const part of chosen) {
      const room = part.room + unused;
      unused = room - this.#writePart(part, room);
    }
    // What the last ones did not use, for the first ones.
    for (const part of chosen) {
      const room = part.json.length + unused;
      if (unused >= LEAST && part.json.length < part.size) unused = room - this.#writePart(part, room);
    }
    return unused;
  }

  /** Gives the length. What was written before stays, unless more can be shown now. */
  #writePart(part: Part, room: number): number {
    const json = this.fit(part.value, Math.min(part.size, room), part.focus);
    if (json.length > part.json.length) part.json = json;
    return part.json.length;
  }

  /** Adds parts, from the first one that is not shown, while there is room. */
  #writeMore(parts: readonly Part[], chosen: readonly Part[], unused: number): void {
    const shown = new Set(chosen);
    let left = unused;
    for (const part of parts) {
      if (shown.has(part)) continue;
      const room = Math.min(part.size, left - part.label.length - 1);
      if (room < Math.min(part.size, LEAST)) return;
      left -= this.#writePart(part, room) + part.label.length + 1;
    }
  }
}

/**
 * Shares the room equally among the parts that can use it; gives what is left over.
 */
function shareRoom(parts: readonly Part[], room: number): number {
  let left = room;
  for (;;) {
    const open = parts.filter((part) => part.room < part.size);
    const each = Math.floor(left / open.length);
    if (open.length === 0 || each < 1) return left;
    for (const part of open) {
      const more = Math.min(each, part.size - part.room);
      part.room += more;
      left -= more;
    }
  }
}

/** The written parts. A mark stands where some are left out: in a list at their place. */
function joined(parts: readonly Part[], isList: boolean): string {
  const written: string[] = [];
  let missing = 0;
  const mark = () => {
    if (missing > 0) written.push(`${isList ? "" : MARK_KEY}${text(`… ${missing} more`)}`);
    missing = 0;
  };
  for (const { json, label } of parts) {
    if (json === "") {
      missing += 1;
      continue;
    }
    if (isList) mark();
    written.push(label + json);
  }
  mark();
  return isList ? `[${written.join(",")}]` : `{${written.join(",")}}`;
}

/** As much of a text as fits with its mark. */
function cutText(value: string, room: number): string {
  const cut = (kept: number) => text(`${value.slice(0, kept)}… ${value.length - kept} more characters`);
  let [fits, tooMany] = [0, Math.min(value.length, room)];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (cut(middle).length <= room) fits = middle;
    else tooMany = middle;
  }
  // Half of a character is none.
  return cut(/[\uD800-\uDBFF]/.test(value[fits - 1] ?? "") ? fits - 1 : fits);
}
