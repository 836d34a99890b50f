// The ids and numbers of the current state that replace the references in a generated input.

/** Stands for a string or number of the current state, preferably one under the same key. */
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

/** The group of property names. No property has this name. */
const KEYS = " keys";

/** The values of a state that a reference may stand for, by the key under which they are. */
export class Pool {
  readonly #strings = new Map<string, Set<unknown>>();
  readonly #numbers = new Map<string, Set<unknown>>();

  constructor(state: unknown) {
    this.#gather(state, "", 0);
  }

  /** `legal`: the values that the operation's own `narrow` lists for a property. */
  referred(value: unknown, legal: Readonly<Record<string, unknown>>): unknown {
    if (value instanceof Reference) return this.#choose(value, legal[value.key]);
    if (Array.isArray(value)) return value.map((item) => this.referred(item, legal));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.referred(part, legal)]));
  }

  #choose({ kind, key, pick, otherwise }: Reference, legal: unknown): unknown {
    const values = kind === "string" ? this.#strings : this.#numbers;
    const under = (test: (name: string) => boolean) =>
      [...values].flatMap(([name, some]) => (test(name) ? [...some] : []));
    // `toColumn` is the id of a column, under any name in the state.
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

  #gather(value: unknown, key: string, depth: number): void {
    if (typeof value === "string") note(this.#strings, key, value);
    if (typeof value === "number") note(this.#numbers, key, value);
    if (typeof value !== "object" || value === null || depth > 20) return;
    for (const [name, part] of Object.entries(value).slice(0, 100)) {
      if (Array.isArray(value)) note(this.#numbers, "index", Number(name));
      // The keys of a record are ids too. A record cannot be told from an object.
      else note(this.#strings, KEYS, name);
      this.#gather(part, Array.isArray(value) ? singular(key) : name, depth + 1);
    }
  }
}

function note(into: Map<string, Set<unknown>>, key: string, value: unknown): void {
  const known = into.get(key);
  if (known === undefined) into.set(key, new Set([value]));
  else known.add(value);
}

/** Item ids stand in `cardIds` as in `cardId`. */
export function singular(key: string): string {
  return key.replace(/s$/, "");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
