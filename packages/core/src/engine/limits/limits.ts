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
export function copyJson(value: unknown, { depth, nodes, bytes }: JsonLimits): JsonCopy {
  /**
   * The containers around the current one, outermost first. `path`: the keys to the current value.
   */
  const open: object[] = [];
  const path: (string | number)[] = [];
  let nodesRead = 0;
  let bytesRead = 0;
  let deepest = 0;
  let fault: JsonFault | undefined;

  function found(message: string, code: JsonFault["code"] = "invalid"): JsonFault {
    let at = "";
    for (const key of path) if (at.length <= PATH_LIMIT) at += `/${escapeToken(String(key).slice(0, KEY_LIMIT))}`;
    return { code, path: at, message: `${at || "The value"} ${message}` };
  }

  /** Ends the walk. */
  function refuse(message: string, code?: JsonFault["code"]): never {
    fault = found(message, code);
    throw new Error(message);
  }

  function visit(given: unknown): unknown {
    if (++nodesRead > nodes) refuse(`is too large: more than ${nodes} values`, "too_large");
    let copy = given;
    switch (typeof given) {
      case "string":
        bytesRead += given.length + 3;
        break;
      case "number":
        if (!Number.isFinite(given)) refuse(`must be JSON, got ${given}`);
        bytesRead += 8;
        // JSON text has no -0: it would come back as 0.
        if (given === 0) copy = 0;
        break;
      case "boolean":
        bytesRead += 5;
        break;
      case "object":
        bytesRead += 5;
        if (given !== null) copy = container(given);
        break;
      default:
        refuse(`must be JSON, got ${typeof given}`);
    }
    if (bytesRead > bytes) refuse(`is too large: more than about ${bytes} bytes`, "too_large");
    return copy;
  }

  function container(given: object): object {
    if (open.length >= depth) {
      if (open.includes(given)) refuse("contains itself");
      refuse(`is nested deeper than ${depth} levels`, "too_large");
    }
    open.push(given);
    if (open.length > deepest) deepest = open.length;
    const copy = Array.isArray(given) ? array(given) : object(given);
    open.pop();
    return copy;
  }

  function array(given: readonly unknown[]): unknown[] {
    const prototype = prototypeOf(given);
    const isForeign = prototype !== Array.prototype && (prototype === null || !isRoot(prototypeOf(prototype)));
    if (isForeign && !(given instanceof OwnArray)) refuse("must be a plain array");
    const copy: unknown[] = [];
    for (let index = 0; index < given.length; index++) {
      path.push(index);
      copy.push(visit(valueOf(given, index)));
      path.pop();
    }
    return copy;
  }

  function object(given: object): object {
    const prototype = prototypeOf(given);
    if (prototype !== Object.prototype && prototype !== null && !isRoot(prototype))
      refuse(`must be JSON, got ${nameOf(prototype)}`);
    if (Object.getOwnPropertySymbols(given).length > 0) refuse("must be JSON, got a symbol as a key");
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(given)) {
      path.push(key);
      if (key === PROTO) refuse(PROTO_PROBLEM);
      if (key === OVERWRITE && open.length === 1) refuse(OVERWRITE_PROBLEM);
      const child = valueOf(given, key);
      if (key === "lc" && isRevived(child, Object.getOwnPropertyDescriptor(given, "type")?.value))
        refuse(REVIVED_PROBLEM);
      if (child !== undefined) {
        bytesRead += key.length + 4;
        copy[key] = visit(child);
      }
      path.pop();
    }
    return copy;
  }

  /** The value of an own property, as data. */
  function valueOf(holder: object, key: string | number): unknown {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property === undefined) return refuse("must be JSON, got a hole in an array");
    if (property.get !== undefined || property.set !== undefined) refuse("must be JSON, got an accessor");
    return property.value;
  }

  try {
    const copy = visit(value);
    return { ok: true, value: copy, size: { depth: deepest, nodes: nodesRead, bytes: bytesRead } };
  } catch (error) {
    // A RangeError: the stack is smaller than a very high depth limit. Anything else is a proxy
    // that throws, and what cannot be read is not JSON.
    if (!(error instanceof RangeError)) fault ??= found("cannot be read");
    else if (new Set(open).size < open.length) fault ??= found("contains itself");
    else fault ??= found("is nested too deeply", "too_large");
    return { ok: false, fault };
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
