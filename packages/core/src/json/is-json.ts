// Whether a value is JSON: what `JSON.stringify` carries as it is.

import { isRecord } from "./container.ts";

/** A member that is undefined counts as absent. What is nested deeper than `depth` is no JSON. */
export function isJson(value: unknown, depth = 200): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (depth === 0 || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1));
  if (!isRecord(value)) return false;
  return Object.values(value).every((member) => member === undefined || isJson(member, depth - 1));
}
