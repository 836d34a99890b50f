/**
 * What counts as JSON here: null, booleans, finite numbers, strings, arrays and plain objects, by
 * their own enumerable string keys. A member that is undefined counts as absent, as in
 * JSON.stringify.
 */

/** A plain object: no class instance, array, Date or Map. One from another realm is plain too. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (!isContainer(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * An object that is no array, whatever its prototype. For values that are known to be JSON, and for
 * those that need only be read by key: it is cheaper than `isRecord`.
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

/** An array or an object, read by key or index alike. */
export type Container = Record<PropertyKey, unknown>;

/**
 * Whether a value has parts. For values that are known to be JSON: the prototype is not looked at.
 */
export function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** An array or a plain object, told apart by `Array.isArray`. */
export type PlainContainer = Record<string, unknown> | unknown[];

/** An array or a plain object. For values from elsewhere: a class instance is none. */
export function isPlainContainer(value: unknown): value is PlainContainer {
  return Array.isArray(value) || isRecord(value);
}

/** The own member of a record; inherited ones do not exist. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
