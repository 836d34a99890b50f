// The door for foreign values: only plain JSON within limits comes in, before zod or anything else looks inside.
//
// One walk whose recursion stops at `depth` and whose work stops at `nodes`. Properties are read through their descriptors, so no getter
// runs. Refused beyond what is not JSON: own `__proto__` keys (they swap prototypes when copied carelessly), `{ lc: number, type: string }`
// (LangChain revives it as a class instance), and `__overwrite__` at the root (LangGraph bypasses any reducer with it).

/** How much JSON is let in. */
export interface JsonLimits {
  /** Containers inside one another; `[]` has depth 1. */
  readonly depth: number;
  /** Values of every kind, containers included. */
  readonly nodes: number;
  /** The length of the JSON text, about: UTF-16 units, escapes not counted, 8 for each number. */
  readonly bytes: number;
}

/** For a whole state: a board of 100,000 cards (about 6 MB, 700,000 nodes) passes with room to spare. */
export const defaultLimits: JsonLimits = { depth: 64, nodes: 2_000_000, bytes: 32 * 2 ** 20 };

/** What is not JSON (`invalid`) or too much of it (`too_large`), and where, as a JSON Pointer. */
export interface JsonFault {
  readonly code: "invalid" | "too_large";
  readonly path: string;
  readonly message: string;
}

type JsonCopy = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: JsonFault };

/** What keeps `value` from being plain JSON within `limits`, or undefined. An object value `undefined` counts as absent. Never throws. */
export function checkJson(value: unknown, limits: JsonLimits): JsonFault | undefined {
  const walk = new Walk(limits, false);
  walk.start(value);
  return walk.fault();
}

/** Checks and copies in one walk. The copy is detached and plain: absent keys dropped, null prototypes and `-0` made ordinary. Never throws. */
export function copyJson(value: unknown, limits: JsonLimits): JsonCopy {
  const walk = new Walk(limits, true);
  const copy = walk.start(value);
  const fault = walk.fault();
  return fault === undefined ? { ok: true, value: copy } : { ok: false, fault };
}

const PATH_LIMIT = 100;
const KEY_LIMIT = 60;

class Walk {
  readonly #limits: JsonLimits;
  readonly #copying: boolean;
  /** The containers around the present one, outermost first, and the keys that lead there. */
  readonly #open: object[] = [];
  readonly #path: (string | number)[] = [];
  #nodes = 0;
  #bytes = 0;
  #fault: JsonFault | undefined;

  constructor(limits: JsonLimits, copying: boolean) {
    this.#limits = limits;
    this.#copying = copying;
  }

  fault(): JsonFault | undefined {
    return this.#fault;
  }

  start(value: unknown): unknown {
    try {
      return this.#visit(value);
    } catch (error) {
      // The stack ends before a very high depth limit does. Else a revoked proxy, a trap that throws: what cannot be read is no JSON.
      return error instanceof RangeError ? this.#refuse("too_large", "is nested too deeply") : this.#refuse("invalid", "cannot be read");
    }
  }

  #visit(value: unknown): unknown {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodes) return this.#refuse("too_large", `is too large: more than ${this.#limits.nodes} values`);
    switch (typeof value) {
      case "string":
        this.#bytes += value.length + 3;
        break;
      case "number":
        if (!Number.isFinite(value)) return this.#refuse("invalid", `must be JSON, got ${value}`);
        this.#bytes += 8;
        // JSON text has no -0: it would come back as 0.
        return this.#within(value === 0 ? 0 : value);
      case "boolean":
        this.#bytes += 5;
        break;
      case "object":
        this.#bytes += 5;
        if (value !== null) return this.#container(value);
        break;
      default:
        return this.#refuse("invalid", `must be JSON, got ${typeof value}`);
    }
    return this.#within(value);
  }

  #within(value: unknown): unknown {
    if (this.#bytes > this.#limits.bytes) return this.#refuse("too_large", `is too large: more than about ${this.#limits.bytes} bytes`);
    return value;
  }

  #container(value: object): unknown {
    if (this.#open.length >= this.#limits.depth) {
      return this.#open.includes(value)
        ? this.#refuse("invalid", "contains itself")
        : this.#refuse("too_large", `is nested deeper than ${this.#limits.depth} levels`);
    }
    this.#open.push(value);
    const copy = Array.isArray(value) ? this.#array(value) : this.#object(value);
    this.#open.pop();
    return copy;
  }

  #array(value: readonly unknown[]): unknown {
    const prototype = prototypeOf(value);
    if (prototype !== Array.prototype && (prototype === null || !isRoot(prototypeOf(prototype))))
      return this.#refuse("invalid", "must be a plain array");
    const copy: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      const item = Object.getOwnPropertyDescriptor(value, index);
      this.#path.push(index);
      if (item === undefined) return this.#refuse("invalid", "must be JSON, got a hole in an array");
      if (item.get !== undefined || item.set !== undefined) return this.#refuse("invalid", "must be JSON, got an accessor");
      const child = this.#visit(item.value);
      if (this.#fault !== undefined) return undefined;
      this.#path.pop();
      if (this.#copying) copy.push(child);
    }
    return this.#within(copy);
  }

  #object(value: object): unknown {
    const prototype = prototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null && !isRoot(prototype))
      return this.#refuse("invalid", `must be JSON, got ${nameOf(prototype)}`);
    if (Object.getOwnPropertySymbols(value).length > 0) return this.#refuse("invalid", "must be JSON, got a symbol as a key");
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key);
      this.#path.push(key);
      if (property === undefined || property.get !== undefined || property.set !== undefined)
        return this.#refuse("invalid", "must be JSON, got an accessor");
      if (key === "__proto__") return this.#refuse("invalid", "is a key that is not allowed");
      if (key === "__overwrite__" && this.#open.length === 1) return this.#refuse("invalid", "is a key that is not allowed at the root");
      if (key === "lc" && typeof property.value === "number" && typeof Object.getOwnPropertyDescriptor(value, "type")?.value === "string") {
        return this.#refuse("invalid", 'is not allowed beside "type": LangChain would revive the object as a class instance');
      }
      if (property.value !== undefined) {
        this.#bytes += key.length + 4;
        const child = this.#visit(property.value);
        if (this.#fault !== undefined) return undefined;
        if (this.#copying) copy[key] = child;
      }
      this.#path.pop();
    }
    return this.#within(copy);
  }

  #refuse(code: JsonFault["code"], message: string): undefined {
    let path = "";
    for (const key of this.#path) {
      if (path.length > PATH_LIMIT) break;
      path += `/${String(key).slice(0, KEY_LIMIT).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    }
    this.#fault ??= { code, path, message: `${path === "" ? "The value" : path} ${message}` };
    return undefined;
  }
}

function prototypeOf(value: object): object | null {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype;
}

/** Whether this is the `Object.prototype` of some realm: a plain object of an iframe or a test sandbox is plain. */
function isRoot(prototype: object | null): boolean {
  return prototype !== null && prototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

function nameOf(prototype: object): string {
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  const name: unknown = typeof made === "function" ? Object.getOwnPropertyDescriptor(made, "name")?.value : undefined;
  return typeof name === "string" && name !== "" ? `an instance of ${name.slice(0, KEY_LIMIT)}` : "an object with a prototype of its own";
}
