// Documents without what an actor wrote: each such text becomes a mark.
//
//   state     { cards: [{ title: "Call Ada" }] }          { cards: [{ title: "[erased 1]" }] }
//   patch     replace /cards/0/title "Call Bo"     ->     the same
//   inverse   replace /cards/0/title "Call Ada"           replace /cards/0/title "[erased 1]"
//
// Invariants:
// - What the present state holds is never blanked: the state is the application's. So documents
//   with and without marks lead to the very same present state.
// - One text is one mark, in all documents, so what was equal stays equal. To blank a document a
//   second time changes nothing.
// - Pointers and keys stay: a document that still holds something in them says so (`holds`).

import { isContainer, isObject } from "../../json/container.ts";
import type { Patch } from "../../patch/index.ts";
import { Written, isTelling } from "./written.ts";

/** A text is also looked for inside others when it has at least so many characters. */
const PART_LENGTH = 4;

export class Blanks {
  readonly #marks: Map<string, string>;
  /** Lower case, as everything that is compared. */
  readonly #whole = new Set<string>();
  /** By their first characters. */
  readonly #parts = new Map<string, string[]>();
  readonly #numbers = new Set<number>();

  /** `present`: the newest state of the thread. `marks`: those of other threads and passes. */
  constructor(written: Written, present: unknown, marks: Map<string, string>) {
    this.#marks = marks;
    const texts = new Set<string>();
    const numbers = new Set<number>();
    visit(present, (leaf) => {
      if (typeof leaf === "string") texts.add(leaf.toLowerCase());
      else if (typeof leaf === "number") numbers.add(leaf);
    });
    const all = [...texts].join("\n");
    for (const text of written.texts) {
      const lower = text.toLowerCase();
      if (!texts.has(lower)) this.#whole.add(lower);
      const part = lower.trim();
      if (part.length < PART_LENGTH || all.includes(part)) continue;
      const start = part.slice(0, PART_LENGTH);
      const same = this.#parts.get(start);
      if (same === undefined) this.#parts.set(start, [part]);
      else if (!same.includes(part)) same.push(part);
    }
    for (const number of written.numbers) if (!numbers.has(number)) this.#numbers.add(number);
  }

  /** Whether a document has anything to blank, in values, keys or pointers. */
  holds(document: unknown): boolean {
    let found = false;
    visit(document, (leaf) => {
      if (!found) found = typeof leaf === "string" ? this.#isText(leaf) : this.#isNumber(leaf);
    });
    return found;
  }

  /** The value with marks; the same one when there is nothing to take out. */
  value<T>(value: T): T;
  value(value: unknown): unknown {
    if (typeof value === "string") return this.#isText(value) ? this.#mark(value) : value;
    if (typeof value === "number") return this.#isNumber(value) ? 0 : value;
    if (!isContainer(value)) return value;
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => this.value(item));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const members = Object.entries(value).map(([key, member]) => [key, this.value(member)] as const);
    return members.some(([key, member]) => member !== value[key]) ? Object.fromEntries(members) : value;
  }

  /** An operation keeps its types. */
  operation<T>(operation: T): T;
  operation(operation: unknown): unknown {
    if (!isObject(operation)) return this.value(operation);
    const members = Object.entries(operation).map(([key, member]) => {
      if (key === "type") return [key, member] as const;
      const parts = key === "operations" && Array.isArray(member) ? member : undefined;
      return [key, parts?.map((part: unknown) => this.operation(part)) ?? this.value(member)] as const;
    });
    return Object.fromEntries(members);
  }

  /** Places stay, values do not. */
  patch(patch: Patch): Patch {
    return patch.map((step) => ("value" in step ? { ...step, value: this.value(step.value) } : step));
  }

  #isText(text: string): boolean {
    if (text.length === 0) return false;
    const lower = text.toLowerCase();
    if (this.#whole.has(lower)) return true;
    if (this.#parts.size === 0) return false;
    for (let at = 0; at + PART_LENGTH <= lower.length; at++) {
      const parts = this.#parts.get(lower.slice(at, at + PART_LENGTH));
      if (parts?.some((part) => lower.startsWith(part, at)) === true) return true;
    }
    return false;
  }

  #isNumber(value: unknown): boolean {
    return typeof value === "number" && isTelling(value) && this.#numbers.has(value);
  }

  #mark(text: string): string {
    const mark = this.#marks.get(text) ?? `[erased ${this.#marks.size + 1}]`;
    this.#marks.set(text, mark);
    return mark;
  }
}

/** Calls with all leaves and keys of a JSON value. */
function visit(value: unknown, see: (leaf: unknown) => void): void {
  if (!isContainer(value)) return see(value);
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) see(key);
    visit(member, see);
  }
}
