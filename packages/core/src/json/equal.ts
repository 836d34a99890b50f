/** What two walks over JSON find out: whether two values are equal, how deep one is. */
import { isRecord, own } from "./container.ts";

/** Deep equality of JSON, whatever the order of keys; deeper than `levels` only by identity. */
export function equal(a: unknown, b: unknown, levels = Infinity): boolean {
  if (a === b) return true;
  if (levels === 0) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    // Most items are the very same: comparing here saves a call for each.
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !equal(a[i], b[i], levels - 1)) return false;
    return true;
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  let complete = true;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const value = a[key];
    if (value === undefined) complete = false;
    // Most have their keys in the same order.
    const other = others[i] === key ? b[key] : own(b, key);
    if (value !== other && !equal(value, other, levels - 1)) return false;
  }
  // `b` has every key of `a`: with as many keys it has no more.
  if (complete && others.length === keys.length) return true;
  for (const key of others) if (b[key] !== undefined && own(a, key) === undefined) return false;
  return true;
}

/** Whether containers are nested more than `levels` deep. */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (deeperThan(child, levels - 1)) return true;
  }
  return false;
}
