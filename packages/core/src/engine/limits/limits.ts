// Foreign values are copied here, before zod or anything else reads them: only plain JSON within
// limits is accepted.
//
// - One walk. Its recursion stops at `depth`, its work at `nodes`.
// - Properties are read through their descriptors, so no getter runs.
// - Reserved keys are refused (`json/reserved-keys.ts`).

import {
  isRevived,
  OVERWRITE,
  OVERWRITE_PROBLEM,
  PROTO,
  PROTO_PROBLEM,
  REVIVED_PROBLEM,
} from "../../json/reserved-keys.ts";
import { escapeToken } from "../../patch/pointer.ts";
import { OwnArray } from "../draft/own-array.ts";

/** How much JSON is accepted. */
export interface JsonLimits {
  /** Containers inside one another; `[]` has depth 1. */
  readonly depth: number;
  /** Values of every kind, containers included. */
  readonly nodes: number;
  /** The length of the JSON text, about: UTF-16 units, escapes not counted, 8 for each number. */
  readonly bytes: number;
}

/**
 * For a whole state: a board of 100,000 cards (about 6 MB, 700,000 nodes) passes with room to
 * spare.
 */
export const DEFAULT_LIMITS: JsonLimits = { depth: 64, nodes: 2_000_000, bytes: 32 * 2 ** 20 };

/**
 * For JSON that was accepted before, perhaps under other limits: its size is no reason to refuse
 * it.
 */
export const ANY_SIZE: JsonLimits = { depth: Infinity, nodes: Infinity, bytes: Infinity };

/** The most levels that a definition may allow: every recursive walk has room for them. */
export const MAX_DEPTH = 512;

/** What is not JSON (`invalid`) or too much of it (`too_large`), and where, as a JSON Pointer. */
export interface JsonFault {
  readonly code: "invalid" | "too_large";
  readonly path: string;
  readonly message: string;
}

/** A copy with its size, or why there is none. */
export type JsonCopy =
  | { readonly ok: true; readonly value: unknown; readonly size: JsonLimits }
  | { readonly ok: false; readonly fault: JsonFault };

/** What keeps `value` from being plain JSON within `limits`, or undefined. Never throws. */
export function checkJson(value: unknown, limits: JsonLimits): JsonFault | undefined {
  const copy = copyJson(value, limits);
  return copy.ok ? undefined : copy.fault;
}

const PATH_LIMIT = 100;
const KEY_LIMIT = 60;

/**
 * Checks and copies in one walk. Never throws. The copy shares nothing with `value` and is plain:
 * members that are undefined are dropped, null prototypes and `-0` become ordinary.
 */
export function copyJson(value: unknown, limits: JsonLimits): JsonCopy {
  return new JsonReader(limits).copy(value);
}

/**
 * One walk. Behind `#depth` its lists have leftovers: they start with one item and never shrink,
 * for a push to an empty list makes room for 17, and most updates are flat.
 */
class JsonReader {
  readonly #limits: JsonLimits;
  /** The containers around the current value, outermost first, and its key in each. */
  readonly #open: unknown[] = [0];
  readonly #path: (string | number)[] = [0];
  #depth = 0;
  #nodes = 0;
  #bytes = 0;
  #deepest = 0;
  #fault: JsonFault | undefined;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  copy(value: unknown): JsonCopy {
    try {
      const copy = this.#visit(value);
      return { ok: true, value: copy, size: { depth: this.#deepest, nodes: this.#nodes, bytes: this.#bytes } };
    } catch (error) {
      // A RangeError: the stack is smaller than a very high depth limit. Anything else is a proxy
      // that throws, and what cannot be read is not JSON.
      if (!(error instanceof RangeError)) this.#fault ??= this.#found("cannot be read");
      else if (new Set(this.#around).size < this.#depth) this.#fault ??= this.#found("contains itself");
      else this.#fault ??= this.#found("is nested too deeply", "too_large");
      return { ok: false, fault: this.#fault };
    }
  }

  get #around(): unknown[] {
    return this.#open.slice(0, this.#depth);
  }

  #found(message: string, code: JsonFault["code"] = "invalid"): JsonFault {
    let at = "";
    for (let i = 0; i < this.#depth && at.length <= PATH_LIMIT; i++)
      at += `/${escapeToken(String(this.#path[i]).slice(0, KEY_LIMIT))}`;
    return { code, path: at, message: `${at || "The value"} ${message}` };
  }

  /** Ends the walk. */
  #refuse(message: string, code?: JsonFault["code"]): never {
    this.#fault = this.#found(message, code);
    throw new Error(message);
  }

  #visit(given: unknown): unknown {
    const { nodes, bytes } = this.#limits;
    if (++this.#nodes > nodes) this.#refuse(`is too large: more than ${nodes} values`, "too_large");
    let copy = given;
    switch (typeof given) {
      case "string":
        this.#bytes += given.length + 3;
        break;
      case "number":
        if (!Number.isFinite(given)) this.#refuse(`must be JSON, got ${given}`);
        this.#bytes += 8;
        // JSON text has no -0: it would come back as 0.
        if (given === 0) copy = 0;
        break;
      case "boolean":
        this.#bytes += 5;
        break;
      case "object":
        this.#bytes += 5;
        if (given !== null) copy = this.#container(given);
        break;
      default:
        this.#refuse(`must be JSON, got ${typeof given}`);
    }
    if (this.#bytes > bytes) this.#refuse(`is too large: more than about ${bytes} bytes`, "too_large");
    return copy;
  }

  #container(given: object): object {
    const { depth } = this.#limits;
    if (this.#depth >= depth) {
      if (this.#around.includes(given)) this.#refuse("contains itself");
      this.#refuse(`is nested deeper than ${depth} levels`, "too_large");
    }
    return Array.isArray(given) ? this.#array(given) : this.#object(given);
  }

  /** From here on `#path` has a key of this container. */
  #enter(given: object): void {
    this.#open[this.#depth++] = given;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
  }

  #array(given: readonly unknown[]): unknown[] {
    const prototype = prototypeOf(given);
    const isForeign = prototype !== Array.prototype && (prototype === null || !isRoot(prototypeOf(prototype)));
    if (isForeign && !(given instanceof OwnArray)) this.#refuse("must be a plain array");
    const copy: unknown[] = [];
    const { length } = given;
    this.#enter(given);
    for (let index = 0; index < length; index++) copy.push(this.#visit(this.#valueOf(given, index)));
    this.#depth -= 1;
    return copy;
  }

  #object(given: object): object {
    const prototype = prototypeOf(given);
    if (prototype !== Object.prototype && prototype !== null && !isRoot(prototype))
      this.#refuse(`must be JSON, got ${nameOf(prototype)}`);
    if (Object.getOwnPropertySymbols(given).length > 0) this.#refuse("must be JSON, got a symbol as a key");
    const copy: Record<string, unknown> = {};
    const keys = Object.keys(given);
    this.#enter(given);
    for (const key of keys) {
      const child = this.#valueOf(given, key);
      if (key === "lc" && isRevived(child, Object.getOwnPropertyDescriptor(given, "type")?.value))
        this.#refuse(REVIVED_PROBLEM);
      if (child === undefined) continue;
      this.#bytes += key.length + 4;
      copy[key] = this.#visit(child);
    }
    this.#depth -= 1;
    return copy;
  }

  /** The value of an own property, as data. */
  #valueOf(holder: object, key: string | number): unknown {
    this.#path[this.#depth - 1] = key;
    if (key === PROTO) this.#refuse(PROTO_PROBLEM);
    if (key === OVERWRITE && this.#depth === 1) this.#refuse(OVERWRITE_PROBLEM);
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property === undefined) return this.#refuse("must be JSON, got a hole in an array");
    if (property.get !== undefined || property.set !== undefined) this.#refuse("must be JSON, got an accessor");
    return property.value;
  }
}

function prototypeOf(value: object): object | null {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype;
}

/**
 * Whether this is the `Object.prototype` of some realm: a plain object of an iframe or a test
 * sandbox is plain.
 */
function isRoot(prototype: object | null): boolean {
  return prototype !== null && prototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

function nameOf(prototype: object): string {
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  const name: unknown = typeof made === "function" ? Object.getOwnPropertyDescriptor(made, "name")?.value : undefined;
  return typeof name === "string" && name !== ""
    ? `an instance of ${name.slice(0, KEY_LIMIT)}`
    : "an object with a prototype of its own";
}
