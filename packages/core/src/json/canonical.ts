// The one text of a JSON value: what hashes are made from.

import { isContainer } from "./container.ts";

/**
 * The JSON text of a value with its keys sorted: equal for equal JSON. `undefined` counts as
 * absent, as in JSON.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (!isContainer(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}
