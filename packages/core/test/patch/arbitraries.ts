/**
 * Random documents, and random patches that mostly fit them: each operation aims at what is there.
 */
import * as fc from "fast-check";
import { applyByCloning } from "./reference.ts";

const KEYS = ["a", "b", "c", "", "0", "1", "-", "a/b", "m~n", "~1", "length", "toString", "constructor", "é"];

const key = fc.constantFrom(...KEYS);

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1.5, 1e21, "", "a", "b", 'say "hi"\n', "\ud800"),
  fc.integer({ min: 0, max: 9 }),
);

export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: "medium" }, scalar, tie("array"), tie("object")),
  array: fc.array(tie("value"), { maxLength: 5, size: "max" }),
  object: fc.dictionary(key, tie("value"), { maxKeys: 5, size: "max", noNullPrototype: true }),
})).value;

const container = fc.oneof(
  fc.array(json, { minLength: 1, maxLength: 6, size: "max" }),
  fc.dictionary(key, json, { minKeys: 1, maxKeys: 6, size: "max", noNullPrototype: true }),
);

const TWISTS = [
  (token: string) => `0${token}`,
  (token: string) => `${token}~2`,
  (token: string) => `${token}~`,
  () => "__proto__",
  () => "toString",
  () => "length",
  () => "99",
  () => "-1",
  () => "1e0",
  () => "-",
];

interface Intent {
  op: string;
  from: number;
  to: number;
  key: string;
  value: unknown;
  /** One pointer in forty is spoilt, and one operation in forty kept though it fails. */
  twist: number;
  keep: number;
}

const intent: fc.Arbitrary<Intent> = fc.record({
  op: fc.constantFrom("add", "add", "remove", "replace", "move", "move", "copy", "test"),
  from: fc.nat(),
  to: fc.nat(),
  key,
  value: json,
  twist: fc.nat({ max: 40 * TWISTS.length }),
  keep: fc.nat({ max: 39 }),
});

export interface Scenario {
  document: any;
  patch: any[];
}

/**
 * A document with a patch, valid about three times in four; minimum lengths keep runs from being
 * trivial.
 */
export const scenario: fc.Arbitrary<Scenario> = fc
  .record({ document: container, intents: fc.array(intent, { minLength: 3, maxLength: 12, size: "max" }) })
  .map(({ document, intents }) => ({ document, patch: aim(document, intents) }));

function aim(document: unknown, intents: Intent[]): any[] {
  const patch: any[] = [];
  let current: any = document;
  for (const intent of intents) {
    const operation = operationFor(current, intent);
    const outcome = applyByCloning(current, [operation]);
    if (!outcome.ok && intent.keep !== 0 && intent.twist >= TWISTS.length) continue;
    patch.push(operation);
    if (outcome.ok) current = outcome.document;
  }
  return patch;
}

function operationFor(document: unknown, { op, from, to, key, value, twist }: Intent): any {
  const places = pointersIn(document);
  const source = places[from % places.length]!;
  const place = places[to % places.length]!;
  const spoil = TWISTS[twist];
  const existing = spoil
    ? [...place.path.slice(0, -1), spoil(place.path.at(-1) ?? "")].join("/")
    : place.path.join("/");
  // A new member or position in the container at `place`, or in the one that contains it.
  const free = Array.isArray(place.value)
    ? [...place.path, to % 3 === 0 ? "-" : String(to % (place.value.length + 1))].join("/")
    : place.value !== null && typeof place.value === "object"
      ? [...place.path, escape(key)].join("/")
      : existing;
  const target = spoil ? existing : from % 3 === 0 ? existing : free;
  switch (op) {
    case "add":
      return { op, path: target, value };
    case "remove":
      return { op, path: existing };
    case "replace":
      return { op, path: existing, value };
    case "test":
      return { op, path: existing, value: from % 8 === 0 ? value : place.value };
    default:
      return { op, from: source.path.join("/"), path: target };
  }
}

export function pointersIn(value: unknown, path: string[] = [""]): { path: string[]; value: unknown }[] {
  const children = value !== null && typeof value === "object" ? Object.entries(value) : [];
  return [{ path, value }, ...children.flatMap(([token, child]) => pointersIn(child, [...path, escape(token)]))];
}

function escape(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
