// Writes in the callbacks of array methods, on both drafting engines: one program leads to the
// state that it gives a plain object, or it is refused with words. So the engines agree, and no
// write is lost without a word.

import { defineState } from "@opstate/core";
import { immerDrafts } from "@opstate/core/immer";
import { applyPatch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { runs } from "../../../../../tools/runs.ts";
import { isBox, plain, program, Run, tree, type Json, type Program } from "./programs.ts";

const RUNS = runs(150);
const TIMEOUT = 30_000 + RUNS * 50;

afterEach(() => vi.unstubAllEnvs());

type Box = any;

const METHODS = [
  ...["find", "findIndex", "findLast", "findLastIndex", "some", "every", "filter", "filterAssign", "map", "mapAssign"],
  ...["reduce", "reduceInto", "reduceFirst", "reduceRight", "flatMap", "forEach", "sort", "toSorted", "forOf", "from"],
] as const;
const WRITES = [
  "set",
  "nested",
  "delete",
  "push",
  "pop",
  "replace",
  "insert",
  "remove",
  "neighbour",
  "beside",
  "nothing",
] as const;

const callback = fc.record({
  method: fc.constantFrom(...METHODS),
  write: fc.constantFrom(...WRITES),
  in: fc.constantFrom("cards", "cards", "cards", "list", "long"),
  /** A list in an item instead: the item, and which of its lists. */
  inner: fc.option(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 3 })), { freq: 3 }),
  /** Which item is written to. */
  at: fc.nat({ max: 5 }),
  value: fc.nat({ max: 9 }),
  /** Whether the list, or the item, has a draft already. */
  drafted: fc.constantFrom("nothing", "list", "item"),
});
type Callback = typeof callback extends fc.Arbitrary<infer C> ? C : never;

const bases = fc.record(
  {
    list: fc.array(tree, { minLength: 2, maxLength: 6, size: "max" }),
    cards: fc.array(
      fc.record(
        { id: fc.nat({ max: 9 }), tags: fc.array(fc.constantFrom("p", "q"), { maxLength: 3 }), more: tree },
        { noNullPrototype: true },
      ),
      { minLength: 2, maxLength: 40, size: "max" },
    ),
    long: fc.array(fc.nat({ max: 9 }), { minLength: 30, maxLength: 36, size: "max" }),
  },
  { noNullPrototype: true },
);

/** One array method with a write in its callback; the same on a draft and on a plain object. */
function search(root: Box, { method, write, in: from, inner, at, value, drafted }: Callback): unknown {
  let holder: Box = root;
  let key: string = from;
  if (inner !== null) {
    const item: Box = Array.isArray(root[key]) ? root[key][inner[0]] : undefined;
    const lists = isBox(item) ? Object.keys(item).filter((name) => Array.isArray((item as Box)[name])) : [];
    if (lists.length > 0) [holder, key] = [item, lists[inner[1] % lists.length] as string];
  }
  const found: unknown = holder[key];
  if (!Array.isArray(found) || found.length === 0) return "-";
  const list = found as Box;
  const index = at % list.length;
  if (drafted === "list") list.push(value);
  if (drafted === "item" && isBox(list[index]) && !Array.isArray(list[index])) (list[index] as Box).mark = value;
  const visit = (item: Box, place: number, all: Box): boolean => {
    if (place === index) edit(item, all);
    return place % 10 === value && item !== undefined;
  };
  const edit = (item: Box, all: Box): void => {
    if (write === "beside") root.beside = value;
    else if (write === "neighbour") {
      const other: Box = all[(index + 1) % all.length];
      if (isBox(other) && !Array.isArray(other)) (other as Box).near = value;
    } else if (write === "replace") all[index] = { replaced: value };
    else if (write === "insert") all.splice(value % 3, 0, { inserted: value });
    else if (write === "remove") all.splice(value % 2 === 0 ? index : 0, 1);
    else if (!isBox(item)) return;
    else if (write === "push") (Array.isArray(item) ? item : ((item as Box).tags ?? [])).push?.("new");
    else if (Array.isArray(item)) item[0] = value;
    else if (write === "set") (item as Box).done = value;
    else if (write === "delete") delete (item as Box).id;
    else if (write === "pop") (item as Box).tags?.pop?.();
    else if (write === "nested") for (const part of Object.values(item)) if (isBox(part)) (part as Box)[0] = value;
  };
  switch (method) {
    case "filterAssign":
      holder[key] = list.filter(visit);
      return holder[key].length;
    case "mapAssign":
      holder[key] = list.map((item: Box, place: number, all: Box) => (visit(item, place, all) ? item : { n: place }));
      return holder[key].length;
    case "reduce":
      return list.reduce(
        (sum: number, item: Box, place: number, all: Box) => sum + (visit(item, place, all) ? 1 : 0),
        0,
      );
    case "reduceInto":
      root.into = list.reduce((kept: Box[], item: Box, place: number, all: Box) => {
        if (visit(item, place, all)) kept.push(item);
        return kept;
      }, []);
      return "-";
    case "reduceFirst":
      return JSON.stringify(
        list.reduce((best: Box, item: Box, place: number, all: Box) => (visit(item, place, all) ? item : best)),
      );
    case "reduceRight":
      return list.reduceRight(
        (sum: number, item: Box, place: number, all: Box) => sum + (visit(item, place, all) ? 1 : 0),
        0,
      );
    case "sort":
    case "toSorted": {
      const sorted = list[method]((a: Box, b: Box) => {
        if (isBox(a) && !Array.isArray(a) && write === "set") (a as Box).seen = value;
        if (write === "insert" && list.length < 45) list.push(value);
        return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
      });
      if (value % 2 === 0) root.sorted = sorted.length;
      return "-";
    }
    case "forOf": {
      let place = 0;
      for (const item of list) visit(item, place++, list);
      return place;
    }
    case "from":
      return Array.from(list, (item: Box, place: number) => visit(item, place, list));
    default: {
      const result: Box = list[method](visit);
      return isBox(result) ? JSON.stringify(result) : result;
    }
  }
}

interface Given {
  readonly base: Json;
  /** It reads all of the state, so that all of it has drafts. */
  readonly before: Program | undefined;
  readonly callbacks: readonly Callback[];
  readonly after: Program;
}

const given: fc.Arbitrary<Given> = fc.record({
  base: bases,
  before: fc.option(program(1, 2), { nil: undefined, freq: 2 }),
  callbacks: fc.array(callback, { minLength: 1, maxLength: 4 }),
  after: program(0, 2),
});

/** Runs it all; the decisions are those of the run on a plain object. */
function perform(
  root: object,
  { before, callbacks, after }: Given,
  seen: string[],
  decided?: boolean[][],
): boolean[][] {
  const make = (steps: Program, decisions?: boolean[]): boolean[] => {
    // Immer refuses `Object.defineProperty`.
    const run = new Run(root, { ...steps, steps: steps.steps.filter(({ name }) => name !== "define") }, decisions);
    const made = run.run();
    seen.push(...run.seen);
    return made;
  };
  const first = before === undefined ? [] : make(before, decided?.[0]);
  for (const one of callbacks) seen.push(`${one.method} ${one.write} ${JSON.stringify(search(root, one))}`);
  return [first, make(after, decided?.[1])];
}

const ENGINES = ["recording", "immer"] as const;

function transition(
  engine: (typeof ENGINES)[number],
  mode: string,
  given: Given,
  seen: string[],
  decided: boolean[][],
) {
  vi.stubEnv("NODE_ENV", mode === "production" ? "production" : "test");
  const definition = defineState({
    name: "any",
    schema: z.looseObject({}),
    initial: null,
    ...(mode === "unfrozen" ? { freeze: false } : {}),
    ...(engine === "immer" ? { drafts: immerDrafts } : {}),
    onFailure: () => {},
    operations: {
      run: { input: z.object({}), apply: (draft) => void perform(draft, given, seen, decided) },
    },
  });
  const base: Box = definition.reduce(undefined, given.base as never);
  if (base === null) throw new Error("there is no base");
  return { base, result: definition.transition(base, { type: "run" }) };
}

describe.each(["development", "production", "unfrozen"])("a write in a callback, %s", (mode) => {
  test("is as on a plain object on every engine, or refused with words", { timeout: TIMEOUT }, () => {
    const accepted = { recording: 0, immer: 0 };
    const refused = { recording: 0, immer: 0 };
    fc.assert(
      fc.property(given, (all) => {
        const oracle = structuredClone(all.base) as object;
        const wanted: string[] = [];
        let decided: boolean[][];
        try {
          decided = perform(oracle, all, wanted);
        } catch {
          return fc.pre(false);
        }
        const expected = plain(oracle);
        for (const engine of ENGINES) {
          const seen: string[] = [];
          const { base, result } = transition(engine, mode, all, seen, decided);
          expect(isDeepStrictEqual(base, all.base)).toBe(true);
          if (!result.accepted) {
            refused[engine] += 1;
            expect(result.state).toBe(base);
            const { code, message } = result.rejection;
            expect(code).toBe("failed");
            expect(message).toMatch(/^"run" failed: .{20,}Nothing was changed\.$/s);
            continue;
          }
          accepted[engine] += 1;
          if (!isDeepStrictEqual(result.state, expected)) expect(result.state, engine).toEqual(expected);
          if (!isDeepStrictEqual(seen, wanted)) expect(seen, engine).toEqual(wanted);
          const applied = applyPatch(base, result.patches);
          expect(applied.ok && isDeepStrictEqual(applied.document, expected)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
    for (const engine of ENGINES) expect(accepted[engine]).toBeGreaterThan(RUNS / 5);
    if (mode !== "unfrozen") expect(refused.recording).toBeGreaterThan(RUNS / 40);
  });
});
