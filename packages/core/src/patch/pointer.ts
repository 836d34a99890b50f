/**
 * JSON Pointer (RFC 6901), read strictly: a pointer is "" (the whole document) or starts with "/",
 * and "~" is only ever "~0" (a tilde) or "~1" (a slash). A token is a plain string here; whether it
 * is a key or an index is for the container it meets to say.
 */
import { OpstateError } from "../error.ts";
import { describe, quote } from "../json/describe.ts";

/**
 * Splits a JSON Pointer into its unescaped tokens; `""` has none.
 *
 * @throws OpstateError (`invalid_pointer`) when the pointer is malformed: a pointer written in code
 * is the programmer's.
 * @example
 * ```ts
 * import { parsePointer } from "@opstate/core/json-patch";
 *
 * parsePointer("/columns/0/a~1b"); // ["columns", "0", "a/b"]
 * parsePointer(""); // []
 * ```
 */
export function parsePointer(pointer: string): readonly string[] {
  const tokens = readPointer(pointer);
  if (tokens === undefined)
    throw new OpstateError("invalid_pointer", `Invalid JSON Pointer: ${explainPointer(pointer)}`);
  return tokens;
}

/**
 * Joins tokens into a JSON Pointer, escaping "~" and "/".
 *
 * @example
 * ```ts
 * import { formatPointer } from "@opstate/core/json-patch";
 *
 * formatPointer(["columns", 0, "a/b"]); // "/columns/0/a~1b"
 * formatPointer([]); // ""
 * ```
 */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let pointer = "";
  for (const token of tokens) pointer += `/${escapeToken(String(token))}`;
  return pointer;
}

/** The tokens of a pointer, at most `limit + 1` of them; undefined when it is malformed. */
export function readPointer(pointer: unknown, limit = Infinity): string[] | undefined {
  if (typeof pointer !== "string") return undefined;
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  const tokens = pointer.split("/", limit < Infinity ? limit + 2 : undefined).slice(1);
  if (!pointer.includes("~")) return tokens;
  if (/~(?![01])/.test(pointer)) return undefined;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What is wrong with a pointer that `readPointer` refused, and what would be right. */
export function explainPointer(pointer: unknown): string {
  if (typeof pointer !== "string") return `a pointer is a string, not ${describe(pointer)}`;
  return pointer.startsWith("/")
    ? `${quote(pointer)} has a "~" that is neither "~0" (a tilde) nor "~1" (a slash)`
    : `${quote(pointer)} must be "" or start with "/"`;
}

export function escapeToken(token: string): string {
  return token.includes("~") || token.includes("/") ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

const SLASH = 47;

/**
 * Whether a pointer leads to something inside what another leads to. Most differ in length or at
 * one character: a search in both would have to put together the pieces that they are made of.
 */
export function isBelow(inner: string, outer: string): boolean {
  return inner.length > outer.length && inner.charCodeAt(outer.length) === SLASH && inner.startsWith(outer);
}
