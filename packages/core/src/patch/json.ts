/**
 * What counts as JSON here: null, booleans, finite numbers, strings, arrays and plain objects, by
 * their own enumerable string keys. A member that is undefined counts as absent, as in
 * JSON.stringify.
 */

/** A plain object: no class instance, array, Date or Map. One from another realm is plain too. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return !Array.isArray(value) && Object.getPrototypeOf(prototype) === null;
}

export type Container = Record<string, unknown> | unknown[];

export function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isRecord(value);
}

/** The own member of a record; inherited ones do not exist. */
export function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Deep equality of JSON, whatever the order of keys; deeper than `levels` only by identity. */
export function equal(a: unknown, b: unknown, levels: number): boolean {
  if (a === b) return true;
  if (levels === 0) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i], levels - 1)) return false;
    return true;
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  for (const key of Object.keys(a)) if (!equal(a[key], own(b, key), levels - 1)) return false;
  for (const key of Object.keys(b)) {
    if (b[key] !== undefined && own(a, key) === undefined) return false;
  }
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

/** Why a value may not enter a document, and where inside the value. */
export interface Flaw {
  readonly kind: "no_json" | "too_deep" | "too_large";
  readonly problem: string;
  readonly path: (string | number)[];
}

/**
 * Looks for what keeps a value out: anything but JSON, an own key `__proto__`, more than `levels`
 * of nesting, or more characters than `budget.left`, from which the value's size is taken.
 * Stops at the first flaw, so a cycle ends at the depth limit and a huge value at the size limit.
 */
export function inspect(value: unknown, levels: number, budget: { left: number }): Flaw | undefined {
  switch (typeof value) {
    case "string":
      budget.left -= value.length + 2;
      break;
    case "boolean":
      budget.left -= 5;
      break;
    case "number":
      if (!Number.isFinite(value)) return flaw("no_json", `is ${value}, not a JSON number`);
      budget.left -= 8;
      break;
    case "object": {
      budget.left -= 4;
      if (value === null) break;
      if (levels === 0) return flaw("too_deep", "is nested too deep");
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) {
          const found = inspect(value[i], levels - 1, budget);
          if (found) return within(i, found);
        }
        break;
      }
      if (!isRecord(value)) return flaw("no_json", `is ${describe(value)}, not JSON`);
      for (const key of Object.keys(value)) {
        if (key === "__proto__") return flaw("no_json", 'has a key "__proto__"');
        budget.left -= key.length + 4;
        const found = inspect(value[key], levels - 1, budget);
        if (found) return within(key, found);
      }
      break;
    }
    default:
      return flaw("no_json", `is ${describe(value)}, not JSON`);
  }
  return budget.left < 0 ? flaw("too_large", "is too large") : undefined;
}

function flaw(kind: Flaw["kind"], problem: string): Flaw {
  return { kind, problem, path: [] };
}

function within(key: string | number, found: Flaw): Flaw {
  found.path.unshift(key);
  return found;
}

/** A value in a few words, for messages: never its whole content. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return `an array of length ${value.length}`;
      return isRecord(value) ? "an object" : Object.prototype.toString.call(value);
    case "bigint":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}

/** A text in quotes, cut to what a message can hold. */
export function quote(text: string): string {
  return JSON.stringify(cut(text, 60));
}

/** A text, or the beginning of it in `limit` characters. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
