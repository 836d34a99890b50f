// Arrays and tuples. Items that were there before are found by identity, so that an insert, a move
// or a sort parses no item again.

import type { $ZodArrayDef, $ZodCheck, $ZodTupleDef, $ZodType, ParsePayload } from "zod/v4/core";
import type { Touched } from "../draft/draft.ts";
import type { SchemaIssue } from "./issues.ts";
import { below, type Compile, type Pass, type Walk } from "./pass.ts";
import { parseUnchecked, sync } from "./whole.ts";

/**
 * With more assigned items than this, they are looked up among the old items: after a sort all are
 * assigned, but none is new.
 */
const COMPARE_FROM = 32;

export function arrayNode(schema: $ZodType, def: $ZodArrayDef, compile: Compile): Walk {
  const walk = compile(def.element);
  const caps = leadingCaps(def.checks ?? []);

  return (value, prev, pass, touched) => {
    if (!Array.isArray(value))
      return pass.fail({ code: "invalid_type", expected: "array", input: value, inst: schema });
    // An oversized array is refused before its items are looked at, as zod does.
    for (const { _zod: cap } of caps) {
      const payload = { value, issues: [] as SchemaIssue[] };
      // A check is typed by the value it takes; these take arrays.
      sync(cap.check(payload as typeof payload & ParsePayload<never>));
      if (payload.issues.length === 0) continue;
      pass.report(payload.issues.map((issue) => ({ ...issue, continue: false, schema })));
      return value;
    }
    const items = new Items(value, pass);
    if (touched !== undefined && touched.assigned.length <= COMPARE_FROM) {
      for (const child of touched.children) items.walk(Number(child.key), walk, child.base, child);
      for (const index of touched.assigned) items.walk(Number(index), walk);
    } else if (Array.isArray(prev)) walkChanged(items, value, prev, walk);
    else for (let index = 0; index < value.length && !pass.full; index++) items.walk(index, walk);
    return items.output;
  };
}

export function tupleNode(schema: $ZodType, def: $ZodTupleDef, compile: Compile): Walk {
  const walks = def.items.map(compile);
  const rest = def.rest ? compile(def.rest) : undefined;

  return (value, prev, pass) => {
    if (!Array.isArray(value))
      return pass.fail({ code: "invalid_type", expected: "tuple", input: value, inst: schema });
    // An absent item depends on its neighbours, so zod parses the whole tuple. Tuples are short.
    if (value.length < walks.length) return parseUnchecked(schema, value, pass);
    if (rest === undefined && value.length > walks.length)
      pass.fail({
        code: "too_big",
        maximum: walks.length,
        inclusive: true,
        input: value,
        inst: schema,
        origin: "array",
      });
    const before: readonly unknown[] = Array.isArray(prev) ? prev : [];
    const items = new Items(value, pass);
    for (let index = 0; index < value.length && !pass.full; index++) {
      const walk = walks[index] ?? rest;
      if (walk !== undefined && (index >= before.length || value[index] !== before[index]))
        items.walk(index, walk, before[index]);
    }
    return items.output;
  };
}

/** The items of one array; the output is a copy once an item comes out changed. */
class Items {
  readonly value: readonly unknown[];
  readonly pass: Pass;
  copy: unknown[] | undefined;

  constructor(value: readonly unknown[], pass: Pass) {
    this.value = value;
    this.pass = pass;
  }

  get output(): readonly unknown[] {
    return this.copy ?? this.value;
  }

  walk(index: number, walk: Walk, prev?: unknown, touched?: Touched): void {
    if (this.pass.full) return;
    const item = this.value[index];
    const output = below(this.pass, index, walk, item, prev, touched);
    if (output !== item) (this.copy ??= [...this.value])[index] = output;
  }
}

/**
 * Walks the items that were not in `prev`. Every item of `prev` is valid at every index, so a new
 * item may be compared with any of them. It is compared with a removed item of the same index,
 * counted from the end or the start: that is probably its earlier form.
 */
function walkChanged(items: Items, value: readonly unknown[], prev: readonly unknown[], walk: Walk): void {
  const shorter = Math.min(value.length, prev.length);
  const shift = prev.length - value.length;
  let head = 0;
  while (head < shorter && value[head] === prev[head]) head++;
  let end = value.length;
  while (end > head && end + shift > head && value[end - 1] === prev[end - 1 + shift]) end--;
  const gone = new Set<unknown>();
  for (let index = head; index < end + shift; index++) gone.add(prev[index]);
  const fresh: number[] = [];
  for (let index = head; index < end; index++) if (!gone.delete(value[index])) fresh.push(index);
  for (const index of fresh) {
    const before = [prev[index + shift], prev[index]].find((item) => gone.has(item));
    items.walk(index, walk, before);
  }
}

/** The checks of an array's maximum length that come before any other check. */
function leadingCaps(checks: readonly $ZodCheck[]): readonly $ZodCheck[] {
  const other = checks.findIndex(({ _zod }) => !/_length$|_equals$/.test(_zod.def.check));
  return (other < 0 ? checks : checks.slice(0, other)).filter(({ _zod }) => _zod.def.check !== "min_length");
}
