// Derived fields of one container that read each other.
//
//   "/subtotal": (cart) => sum(cart.lines)
//   "/total":    (cart) => cart.subtotal + cart.shipping       reads "/subtotal"
//
// A rule sees its container and what is below. What is derived further down was computed before; a
// field of the same container is computed when a rule reads it. So the order in which the rules are
// written, and in which they run, makes no difference, whatever a rule reads this time.
//
// Rules that read each other in a circle, perhaps only because one copies the whole container, are
// run in turns, each with what the others gave last, at first nothing. They must come to agree: a
// circle of n fields that has an order at all agrees after n turns.
//
// Invariants:
// - What a rule reads is what the rules of the other fields give now, never what was there before.
// - A rule whose container has no other derived field is not touched: it runs as it was written.

import { isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { DeriveRule } from "./derive.ts";
import { deepFreeze } from "./freeze.ts";
import { ANY_SIZE, copyJson } from "./limits/limits.ts";

type Family = ReadonlyMap<string, DeriveRule>;
type Fields = Readonly<Record<PropertyKey, unknown>>;

/**
 * The rules in the order they run in: the deepest containers come first, of equally deep ones those
 * that are named more exactly.
 */
export function relateRules(rules: readonly DeriveRule[]): readonly DeriveRule[] {
  return rules
    .toSorted((a, b) => b.container.length - a.container.length || anyKeys(a) - anyKeys(b))
    .map((rule) => {
      const family = rules.filter((other) => covers(other, rule));
      return family.length < 2 ? rule : related(rule, new Map(family.map((member) => [member.field, member])));
    });
}

/** Two rules for some containers in common, of which neither has all that the other has. */
export function crossing(a: Pick<DeriveRule, "container">, b: Pick<DeriveRule, "container">): boolean {
  const meet =
    a.container.length === b.container.length &&
    a.container.every((token, index) => token === b.container[index] || token === "*" || b.container[index] === "*");
  return meet && !covers(a, b) && !covers(b, a);
}

/** Whether every container of `rule` has the field of `other`, too. */
function covers(other: Pick<DeriveRule, "container">, rule: Pick<DeriveRule, "container">): boolean {
  return (
    other.container.length === rule.container.length &&
    other.container.every((token, index) => token === "*" || token === rule.container[index])
  );
}

function anyKeys({ container }: DeriveRule): number {
  return container.filter((token) => token === "*").length;
}

function related(rule: DeriveRule, family: Family): DeriveRule {
  return { ...rule, compute: (container) => new Evaluation(family, container as Fields).give(rule.field) };
}

/** Derived fields that need each other, or one that needs itself. Its text is ours. */
export class DerivedCycle extends Error {
  override readonly name = "DerivedCycle";

  constructor(fields: readonly string[]) {
    super(
      fields.length === 1
        ? `${fields[0]} reads itself, and gives another value each time`
        : `${fields.join(" and ")} read each other, and none can be computed first`,
    );
  }
}

/** The fields that one rule needs, in one container. */
class Evaluation {
  readonly family: Family;
  readonly container: Fields;
  readonly #values = new Map<string, unknown>();
  /** The fields whose rules run now. */
  readonly #open = new Set<string>();
  #how: "as read" | "in a circle" | "in turns" = "as read";

  constructor(family: Family, container: Fields) {
    this.family = family;
    this.container = container;
  }

  give(field: string): unknown {
    try {
      const value = this.#run(field);
      if (this.#how === "as read") return value;
    } catch (error) {
      if (this.#how === "as read") throw error;
    }
    this.#agree();
    return this.#values.get(field);
  }

  /** What another rule of the family gives, for the rule that runs now. */
  read(field: string): unknown {
    if (this.#how === "in turns" || this.#values.has(field)) return this.#values.get(field);
    if (this.#open.has(field)) {
      this.#how = "in a circle";
      throw new DerivedCycle([this.#nameOf(field)]);
    }
    const value = asRead(this.#run(field));
    this.#values.set(field, value);
    return value;
  }

  #run(field: string): unknown {
    this.#open.add(field);
    try {
      return this.family.get(field)?.compute(new Proxy({}, new RelatedView(this)));
    } finally {
      this.#open.delete(field);
    }
  }

  #agree(): void {
    this.#how = "in turns";
    this.#values.clear();
    let changed: string[] = [];
    for (let turn = 0; turn <= this.family.size; turn += 1) {
      changed = [];
      let failure: { readonly error: unknown } | undefined;
      for (const field of this.family.keys()) {
        let value: unknown;
        try {
          value = asRead(this.#run(field));
        } catch (error) {
          failure ??= { error };
        }
        if (!equal(value, this.#values.get(field), Infinity)) changed.push(field);
        this.#values.set(field, value);
      }
      if (changed.length > 0) continue;
      if (failure !== undefined) throw failure.error;
      return;
    }
    throw new DerivedCycle(changed.map((field) => this.#nameOf(field)));
  }

  #nameOf(field: string): string {
    return `"${this.family.get(field)?.pointer}"`;
  }
}

/** What another rule reads of a value that a rule gave: a copy that it cannot write to. */
function asRead(value: unknown): unknown {
  if (!isContainer(value)) return value;
  const copy = copyJson(value, ANY_SIZE);
  return copy.ok ? deepFreeze(copy.value, true) : value;
}

/**
 * A container as its rules see it: its derived fields are computed as they are read, the rest is
 * the container's own. A write is left to the container: there it fails or has no effect.
 *
 * It stands before an empty object, because one before a frozen object could not give other values.
 */
class RelatedView implements ProxyHandler<object> {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  get(_target: object, key: PropertyKey): unknown {
    const { family, container } = this.#evaluation;
    return typeof key === "string" && family.has(key) ? this.#evaluation.read(key) : container[key];
  }

  has(_target: object, key: PropertyKey): boolean {
    const { family, container } = this.#evaluation;
    return typeof key === "string" && family.has(key) ? this.#evaluation.read(key) !== undefined : key in container;
  }

  ownKeys(): (string | symbol)[] {
    const { family, container } = this.#evaluation;
    const present = (key: string) => this.#evaluation.read(key) !== undefined;
    const own = Reflect.ownKeys(container);
    const kept = own.filter((key) => typeof key !== "string" || !family.has(key) || present(key));
    return [...kept, ...[...family.keys()].filter((key) => !Object.hasOwn(container, key) && present(key))];
  }

  getOwnPropertyDescriptor(_target: object, key: PropertyKey): PropertyDescriptor | undefined {
    const { family, container } = this.#evaluation;
    const isDerived = typeof key === "string" && family.has(key);
    if (!isDerived && !Object.hasOwn(container, key)) return undefined;
    const value = isDerived ? this.#evaluation.read(key) : container[key];
    if (isDerived && value === undefined) return undefined;
    return { value, writable: true, enumerable: true, configurable: true };
  }

  getPrototypeOf(): object | null {
    return Reflect.getPrototypeOf(this.#evaluation.container);
  }

  set(_target: object, key: PropertyKey, value: unknown): boolean {
    return Reflect.set(this.#evaluation.container, key, value);
  }

  deleteProperty(_target: object, key: PropertyKey): boolean {
    return Reflect.deleteProperty(this.#evaluation.container, key);
  }

  defineProperty(_target: object, key: PropertyKey, descriptor: PropertyDescriptor): boolean {
    return Reflect.defineProperty(this.#evaluation.container, key, descriptor);
  }
}
