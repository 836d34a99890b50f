// JSON that is still being written, read in one pass: a piece costs its own length, however
// much came before it.
//
//   {"columnId":"todo","title":"Write the do
//    ^ closed          ^ open
//
// Invariants:
// - It accepts the beginnings of what JSON.parse accepts, and nothing else.
// - A value counts when it is closed. The one exception is the text that is open now.

import { isRecord } from "@opstate/core/json";

/** The members that may be shown while they are open: texts, and objects with texts. */
export type OpenMembers = ReadonlyMap<string, OpenMembers | "text">;

/** What a text says so far. */
export interface Partial {
  readonly input: Readonly<Record<string, unknown>>;
  /** Where in it the open text is. */
  readonly openText: readonly string[] | undefined;
}

interface OpenContainer {
  readonly container: unknown[] | Record<string, unknown>;
  /** Of an object: the member that comes. */
  key: string;
}

type Next = "value" | "item or end" | "key or end" | "key" | "colon" | "comma or end" | "nothing";

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export class JsonReader {
  readonly #open: OpenContainer[] = [];
  #next: Next = "value";
  /** The string, and the escape in it, that are open. */
  #string: string | undefined;
  #escape = "";
  /** The number or literal that is open. */
  #scalar = "";
  #root: unknown;
  #isBroken = false;
  #closed = 0;

  /** How many values were closed so far. */
  get closed(): number {
    return this.#closed;
  }

  /** Whether no continuation makes it JSON. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The object, once it is closed. */
  get whole(): Readonly<Record<string, unknown>> | undefined {
    return this.#next === "nothing" && !this.#isBroken && isRecord(this.#root) ? this.#root : undefined;
  }

  write(text: string): void {
    for (let at = 0; at < text.length && !this.#isBroken;) {
      if (this.#string !== undefined) at = this.#readString(text, at, this.#string);
      else at = this.#readStructure(text, at);
    }
  }

  /** The closed members, and those of `members` that are open. */
  partial(members: OpenMembers): Partial | undefined {
    const [root, ...inner] = this.#open;
    if (root === undefined || this.#isBroken || Array.isArray(root.container)) return undefined;
    const path: string[] = [];
    const input: Record<string, unknown> = { ...root.container };
    let shown: Record<string, unknown> = input;
    let [above, allowed] = [root, members];
    for (const below of inner) {
      const next = allowed.get(above.key);
      if (next === undefined || next === "text" || Array.isArray(below.container))
        return { input, openText: undefined };
      path.push(above.key);
      shown = shown[above.key] = { ...below.container };
      [above, allowed] = [below, next];
    }
    if (this.#string === undefined || this.#next !== "value" || allowed.get(above.key) !== "text")
      return { input, openText: undefined };
    shown[above.key] = wellFormed(this.#string);
    return { input, openText: [...path, above.key] };
  }

  /** Reads on in the open string, and returns where it stopped. */
  #readString(text: string, from: number, open: string): number {
    if (this.#escape !== "") return this.#readEscape(text, from, open);
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // A quote, a backslash, or what a string must not hold.
      if (code === 34 || code === 92 || code < 32) break;
    }
    this.#string = open + text.slice(from, at);
    if (at === text.length) return at;
    const end = text[at];
    if (end === "\\") this.#escape = end;
    else if (end === '"') this.#closeString(this.#string);
    else this.#isBroken = true;
    return at + 1;
  }

  #readEscape(text: string, at: number, open: string): number {
    const char = text[at] ?? "";
    const isShort = this.#escape === "\\" && char !== "u";
    if (isShort ? ESCAPES[char] === undefined : this.#escape !== "\\" && !/[\da-fA-F]/.test(char)) {
      this.#isBroken = true;
      return at;
    }
    this.#escape += char;
    const unescaped = isShort
      ? ESCAPES[char]
      : this.#escape.length === 6
        ? String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16))
        : undefined;
    if (unescaped !== undefined) [this.#string, this.#escape] = [open + unescaped, ""];
    return at + 1;
  }

  #closeString(value: string): void {
    this.#string = undefined;
    if (this.#next === "value") return this.#close(value);
    const above = this.#open.at(-1);
    if (above === undefined || Array.isArray(above.container)) return;
    above.key = value;
    // A repeated member loses its earlier value.
    if (Object.hasOwn(above.container, value)) delete above.container[value];
    this.#next = "colon";
  }

  #readStructure(text: string, at: number): number {
    const char = text[at] ?? "";
    if (/[\w.+-]/.test(char)) {
      this.#scalar += char;
      if (!this.#expectsValue()) this.#isBroken = true;
      return at + 1;
    }
    if (this.#scalar !== "") this.#closeScalar();
    if (this.#isBroken || char === " " || char === "\n" || char === "\r" || char === "\t") return at + 1;
    this.#readMark(char);
    return at + 1;
  }

  #readMark(char: string): void {
    const above = this.#open.at(-1);
    const isArray = Array.isArray(above?.container);
    const isValue = this.#expectsValue();
    if (char === '"' && (isValue || this.#next === "key" || this.#next === "key or end")) {
      this.#string = "";
      if (isValue) this.#next = "value";
    } else if (char === "{" && isValue) this.#begin({}, "key or end");
    else if (char === "[" && isValue) this.#begin([], "item or end");
    else if (char === ":" && this.#next === "colon") this.#next = "value";
    else if (char === "," && this.#next === "comma or end") this.#next = isArray ? "value" : "key";
    else if (char === "]" && isArray && (this.#next === "item or end" || this.#next === "comma or end")) this.#end();
    else if (char === "}" && !isArray && (this.#next === "key or end" || (above && this.#next === "comma or end")))
      this.#end();
    else this.#isBroken = true;
  }

  #expectsValue(): boolean {
    return this.#next === "value" || this.#next === "item or end";
  }

  #closeScalar(): void {
    const text = this.#scalar;
    this.#scalar = "";
    if (LITERALS.has(text)) this.#close(LITERALS.get(text));
    else if (NUMBER.test(text)) this.#close(Number(text));
    else this.#isBroken = true;
  }

  #begin(container: OpenContainer["container"], next: Next): void {
    this.#open.push({ container, key: "" });
    this.#next = next;
  }

  #end(): void {
    this.#close(this.#open.pop()?.container);
  }

  #close(value: unknown): void {
    this.#closed += 1;
    const above = this.#open.at(-1);
    this.#next = above === undefined ? "nothing" : "comma or end";
    if (above === undefined) this.#root = value;
    else if (Array.isArray(above.container)) above.container.push(value);
    // As JSON.parse does it, whatever the key is.
    else Object.defineProperty(above.container, above.key, { value, ...OWN });
  }
}

const OWN = { configurable: true, enumerable: true, writable: true } as const;

/** Without the first half of a character at the end: the other half has not come. */
function wellFormed(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
