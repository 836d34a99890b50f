// The oracle runs each operation on a mutable copy whose containers are distinguished by identity,
// as JavaScript does. A thing has one name for as long as its container is the same object,
// whatever was moved, sorted, edited and removed around it. Another container never gets that name.

import { defineState } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { run } from "../../../src/engine/run.ts";
import { applyPatch } from "../../../src/patch/index.ts";
import { NO_LIMITS } from "../../../src/engine/limits/no-limits.ts";
import {
  carry,
  type Effect,
  effectOf,
  locate,
  type Name,
  type NamedState,
  nameAt,
  nameState,
} from "../../../src/engine/things/index.ts";

const Card = z.object({ title: z.string(), tags: z.array(z.string()), notes: z.array(z.object({ text: z.string() })) });
const Column = z.object({ name: z.string(), cards: z.array(Card), count: z.int() });
const Board = z.object({
  columns: z.array(Column),
  people: z.record(z.string(), z.object({ age: z.int(), cards: z.array(Card) })),
});
type State = z.infer<typeof Board>;

let fresh = 0;
const text = () => `t${(fresh += 1)}`;
const card = () => ({ title: text(), tags: ["x"], notes: [{ text: text() }] });

const initial: State = {
  columns: [
    { name: text(), cards: [card(), card(), card()], count: 3 },
    { name: text(), cards: [card(), card()], count: 2 },
    { name: text(), cards: [], count: 0 },
  ],
  people: { ada: { age: 1, cards: [card()] }, bob: { age: 2, cards: [] } },
};

/** What the operations do, as plain code: for the draft of the engine and the oracle's copy. */
type Step =
  | { kind: "edit"; column: number; card: number; title: string }
  | { kind: "add"; column: number; at: number; card: ReturnType<typeof card> }
  | { kind: "remove"; column: number; card: number }
  | { kind: "move"; column: number; card: number; to: number; at: number }
  | { kind: "note"; column: number; card: number; text: string }
  | { kind: "sort"; column: number }
  | { kind: "clear"; column: number }
  | { kind: "moveColumn"; column: number; at: number }
  | { kind: "filter"; column: number; card: number }
  | { kind: "addColumn"; at: number; name: string; card: ReturnType<typeof card> }
  | { kind: "give"; column: number; card: number }
  | { kind: "leave"; who: string };

function perform(state: State, step: Step): void {
  const column = "column" in step ? state.columns[step.column % state.columns.length] : undefined;
  const index =
    column === undefined || !("card" in step) || typeof step.card !== "number"
      ? 0
      : step.card % Math.max(1, column.cards.length);
  const chosen = column?.cards[index];
  switch (step.kind) {
    case "edit":
      if (chosen) chosen.title = step.title;
      return;
    case "add":
      column?.cards.splice(step.at % (column.cards.length + 1), 0, step.card);
      return;
    case "remove":
      if (chosen) column?.cards.splice(index, 1);
      return;
    case "move": {
      const target = state.columns[step.to % state.columns.length];
      if (!chosen || !target) return;
      column?.cards.splice(index, 1);
      target.cards.splice(step.at % (target.cards.length + 1), 0, chosen);
      return;
    }
    case "note":
      chosen?.notes.unshift({ text: step.text });
      return;
    case "sort":
      column?.cards.sort((a, b) => (a.title < b.title ? 1 : -1));
      return;
    case "clear":
      if (column) column.cards = [];
      return;
    case "moveColumn": {
      if (!column) return;
      state.columns.splice(state.columns.indexOf(column), 1);
      state.columns.splice(step.at % (state.columns.length + 1), 0, column);
      return;
    }
    case "filter":
      if (column) column.cards = column.cards.filter((_, at) => at !== index);
      return;
    case "addColumn":
      state.columns.splice(step.at % (state.columns.length + 1), 0, { name: step.name, cards: [step.card], count: 0 });
      return;
    case "give":
      if (!chosen) return;
      column?.cards.splice(index, 1);
      state.people["ada"] ??= { age: 1, cards: [] };
      state.people["ada"].cards.push(chosen);
      return;
    case "leave":
      delete state.people[step.who];
  }
}

const board = defineState({
  name: "board",
  schema: Board,
  initial,
  derive: { "/columns/*/count": (column) => column.cards.length },
  operations: {
    do: {
      input: z.object({ step: z.any() }),
      apply: (draft, { step }) => perform(draft, structuredClone(step)),
    },
    all: {
      input: z.object({ steps: z.array(z.any()) }),
      apply: (draft, { steps }) => {
        for (const step of steps) perform(draft, structuredClone(step));
      },
    },
  },
});

const at = fc.nat(5);
const step = fc.oneof(
  fc.record({ kind: fc.constant("edit" as const), column: at, card: at, title: fc.constant(0).map(text) }),
  fc.record({ kind: fc.constant("add" as const), column: at, at, card: fc.constant(0).map(card) }),
  fc.record({ kind: fc.constant("remove" as const), column: at, card: at }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move" as const), column: at, card: at, to: at, at }) },
  fc.record({ kind: fc.constant("note" as const), column: at, card: at, text: fc.constant(0).map(text) }),
  fc.record({ kind: fc.constant("sort" as const), column: at }),
  fc.record({ kind: fc.constant("clear" as const), column: at }),
  fc.record({ kind: fc.constant("moveColumn" as const), column: at, at }),
  fc.record({ kind: fc.constant("filter" as const), column: at, card: at }),
  fc.record({
    kind: fc.constant("addColumn" as const),
    at,
    name: fc.constant(0).map(text),
    card: fc.constant(0).map(card),
  }),
  fc.record({ kind: fc.constant("give" as const), column: at, card: at }),
  fc.record({ kind: fc.constant("leave" as const), who: fc.constantFrom("ada", "bob") }),
);

/** Every item of a list that is a container, by its pointer. */
function items(value: unknown, pointer = "", found = new Map<string, object>()): Map<string, object> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) {
      if (typeof item === "object" && item !== null) found.set(`${pointer}/${index}`, item as object);
      items(item, `${pointer}/${index}`, found);
    }
  else if (typeof value === "object" && value !== null)
    for (const [key, child] of Object.entries(value)) items(child, `${pointer}/${key}`, found);
  return found;
}

describe("names", () => {
  it("are one for each thing, as long as it is there, through whatever happens", () => {
    const seen = { kept: 0, born: 0, removed: 0, moved: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 25, size: "max" }), (steps) => {
        const copy = structuredClone(initial);
        const known = new Map<object, Name>();
        const used = new Set<Name>();
        let named: NamedState = nameState(board.initial);
        const check = (): void => {
          for (const [pointer, item] of items(copy)) {
            const name = nameAt(board.model, named, pointer);
            const before = known.get(item);
            if (before === undefined) {
              // What was never seen has a name that nothing had before.
              expect(used.has(name ?? "")).toBe(false);
              known.set(item, name ?? "");
              used.add(name ?? "");
              seen.born += 1;
            } else {
              expect(name).toBe(before);
              seen.kept += 1;
            }
            const tokens = locate(named, name ?? "");
            expect(`/${tokens?.join("/")}`).toBe(pointer);
          }
          const there = new Set(items(copy).values());
          for (const [item, name] of known)
            if (!there.has(item)) {
              seen.removed += 1;
              expect(locate(named, name)).toBeUndefined();
            }
        };
        check();
        for (const [index, one] of steps.entries()) {
          const operation = { type: "do", step: one };
          const next = run(board.model, named.state, operation, {});
          expect(next).toMatchObject({ accepted: true });
          if (!next.accepted) return;
          perform(copy, structuredClone(one));
          const effect = effectOf(board.model, named, next.patches, { source: `s${index}`, operation: { type: "do" } });
          named = { ...effect.after, state: next.state };
          seen.moved += effect.moved.size;
          check();
        }
      }),
      { numRuns: 300 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(100);
  });

  it("are one for each thing after an effect was carried to another state, which stays as it was", () => {
    const seen = { kept: 0, carried: 0 };
    const some = fc.array(step, { minLength: 1, maxLength: 8, size: "max" });
    const done = (named: NamedState, steps: readonly Step[], source: string): Effect => {
      const next = run(board.model, named.state, { type: "all", steps }, {});
      if (!next.accepted) throw new Error(next.rejection.message);
      const effect = effectOf(board.model, named, next.patches, { source, operation: { type: "all" } });
      return { ...effect, after: { ...effect.after, state: next.state } };
    };
    fc.assert(
      fc.property(some, some, some, (common, ours, theirs) => {
        const base = done(nameState(board.initial), common, "c").after;
        const effect = done(base, ours, "o");
        const to = done(base, theirs, "t").after;
        const text = JSON.stringify(to.state);
        const carried = carry(board.model, effect, to, { anyway: true });
        if (!carried.ok) throw new Error(carried.why);
        expect(JSON.stringify(to.state)).toBe(text);
        const { after, patches } = carried;
        expect(applyPatch(to.state, patches, { limits: NO_LIMITS })).toMatchObject({ ok: true, document: after.state });
        const before = new Map([...items(to.state)].map(([pointer, item]) => [item, nameAt(board.model, to, pointer)]));
        const used = new Set<Name>();
        for (const [pointer, item] of items(after.state)) {
          const name = nameAt(board.model, after, pointer) ?? "";
          expect(used.has(name)).toBe(false);
          used.add(name);
          expect(`/${locate(after, name)?.join("/")}`).toBe(pointer);
          if (before.has(item)) expect(name).toBe(before.get(item));
          seen.kept += before.has(item) ? 1 : 0;
        }
        seen.carried += patches.length;
      }),
      { numRuns: 300 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(100);
  });
});
