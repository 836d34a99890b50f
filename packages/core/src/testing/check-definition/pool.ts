// The ids and numbers of the current state. They replace the references in a generated input.

import { isObject } from "../../json/container.ts";

/** A reference to a string or number of the current state, preferably one under the same key. */
export class Reference {
  readonly kind: "string" | "number";
  readonly key: string;
  readonly pick: number;
  readonly otherwise: unknown;

  constructor(kind: "string" | "number", key: string, pick: number, otherwise: unknown) {
    this.kind = kind;
    this.key = key;
    this.pick = pick;
    this.otherwise = otherwise;
  }
}

/** The group of all property names. No property has this name. */
const KEYS = " keys";

/** The values of a state that may replace a reference, by their key. */
export class Pool {
  readonly #strings = new Map<string, Set<unknown>>();
  readonly #numbers = new Map<string, Set<unknown>>();

  constructor(state: unknown) {
    this.#collect(state, "", 0);
  }

  /** `legal`: the values that the operation's `narrow` lists, by property. */
  resolveReferences(value: unknown, legal: Readonly<Record<string, unknown>>): unknown {
    if (value instanceof Reference) return this.#valueFor(value, legal[value.key]);
    if (Array.isArray(value)) return value.map((item) => this.resolveReferences(item, legal));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.resolveReferences(part, legal)]));
  }

  #valueFor({ kind, key, pick, otherwise }: Reference, legal: unknown): unknown {
    const values = kind === "string" ? this.#strings : this.#numbers;
    const under = (test: (name: string) => boolean) =>
      [...values].flatMap(([name, some]) => (test(name) ? [...some] : []));
    // `toColumn` is the id of a column, whatever its key in the state.
    const related = (name: string) => {
      const stem = name.toLowerCase().replace(/(?:id|key)$/, "");
      return stem !== "" && name !== KEYS && key.toLowerCase().includes(stem);
    };
    const every = [...new Set(under(() => true))];
    const best = [
      Array.isArray(legal) ? legal : [],
      under((name) => name === key),
      under((name) => related(name) && /id$|key$/i.test(name)),
      under((name) => /id$/i.test(name)),
      under((name) => name === KEYS),
      every,
    ].find((some) => some.length > 0);
    const candidates =
      (pick % 8 === 0 ? every : pick % 8 === 1 && !Array.isArray(legal) ? under((name) => name === KEYS) : undefined) ??
      best ??
      [];
    return candidates.length === 0 ? otherwise : candidates[pick % candidates.length];
  }

  #collect(value: unknown, key: string, depth: number): void {
    if (typeof value === "string") addTo(this.#strings, key, value);
    if (typeof value === "number") addTo(this.#numbers, key, value);
    if (typeof value !== "object" || value === null || depth > 20) return;
    for (const [name, part] of Object.entries(value).slice(0, 100)) {
      if (Array.isArray(value)) addTo(this.#numbers, "index", Number(name));
      // The keys of a record are ids, too. Records cannot be told apart from other objects.
      else addTo(this.#strings, KEYS, name);
      this.#collect(part, Array.isArray(value) ? singular(key) : name, depth + 1);
    }
  }
}

function addTo(into: Map<string, Set<unknown>>, key: string, value: unknown): void {
  const known = into.get(key);
  if (known === undefined) into.set(key, new Set([value]));
  else known.add(value);
}

/** The items of `cardIds` are of the kind of `cardId`. */
export function singular(key: string): string {
  return key.replace(/s$/, "");
}
