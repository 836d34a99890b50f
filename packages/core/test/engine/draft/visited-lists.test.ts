// Lists whose items are gone through, from a few of them to all: a draft of each item is made, and
// most are only read. The oracle is the same code on a plain object.

import { applyPatch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../../tools/runs.ts";
import { GrowthError, recordingDrafts } from "../../../src/engine/draft/draft.ts";
import { deepFreeze } from "../../../src/engine/freeze.ts";
import type { Freezing } from "../../../src/engine/draft/freeze.ts";

const RUNS = runs(500, 20_000);

interface Item {
  id: number;
  tags: string[];
  more: { n: number };
}
interface State {
  first: { held?: unknown };
  items: Item[];
  last: { held?: unknown };
}

const stateOf = (length: number): State => ({
  first: {},
  items: Array.from({ length }, (_, id) => ({ id, tags: ["a"], more: { n: id } })),
  last: {},
});

const at = fc.nat({ max: 70 });

/** Every step goes through the items, and does something at one or two of them. */
const step = fc.record({
  way: fc.constantFrom("forEach", "for...of", "entries", "index", "some of them"),
  edit: fc.constantFrom("nothing", "nothing", "write", "inside", "delete", "read inside"),
  after: fc.constantFrom("nothing", "remove", "insert", "move", "hold first", "hold last", "hold all", "sort", "drop"),
  at,
  to: at,
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function visit(items: Item[], { way, at }: Step, see: (item: Item) => void): void {
  if (way === "forEach") items.forEach((item) => see(item));
  else if (way === "for...of") for (const item of items) see(item);
  else if (way === "entries") for (const [, item] of items.entries()) see(item);
  else for (let i = 0; i < (way === "index" ? items.length : Math.min(at, items.length)); i++) see(items[i] as Item);
}

function run(draft: State, steps: readonly Step[]): unknown[] {
  const seen: unknown[] = [];
  for (const step of steps) {
    const { edit, after, at, to } = step;
    const { items } = draft;
    const held: Item[] = [];
    visit(items, step, (item) => {
      held.push(item);
      seen.push(item.id);
      if (item.id !== at) return;
      if (edit === "write") item.id = at + 100;
      else if (edit === "inside") item.more.n += 1;
      else if (edit === "delete") Reflect.deleteProperty(item, "more");
      else if (edit === "read inside") seen.push(item.tags.length, item.more?.n);
      item.more ??= { n: 0 };
    });
    // A second look gives the same item.
    seen.push(held.every((item, index) => items[index] === item));
    const item = items[at % Math.max(1, items.length)];
    if (item === undefined || after === "nothing") continue;
    if (after === "remove") items.splice(items.indexOf(item), 1);
    else if (after === "insert") items.splice(at, 0, { id: to, tags: [], more: { n: 0 } });
    else if (after === "move") items.splice(to, 0, ...items.splice(at, 1));
    else if (after === "hold first") draft.first.held = item;
    else if (after === "hold last") draft.last.held = [item, { item }];
    else if (after === "hold all") draft[at % 2 === 0 ? "first" : "last"].held = [...items];
    else if (after === "sort") items.sort((a, b) => a.id - b.id);
    else draft.items = [];
  }
  return seen;
}

describe("a list whose items are gone through", { timeout: 60_000 + RUNS * 20 }, () => {
  test("becomes what a plain one becomes, and shares what was only read", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 60 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.constantFrom<Freezing>(true, "objects", false),
        (length, steps, freeze) => {
          const base = stateOf(length);
          if (freeze !== false) deepFreeze(base, freeze);
          const items = new Set(base.items);
          const plain = structuredClone(stateOf(length));
          const drafting = recordingDrafts.begin(base, { freeze });
          expect(run(drafting.draft as State, steps)).toEqual(run(plain, steps));
          const { state, patches, inverse } = drafting.finish();
          const oracle = JSON.parse(JSON.stringify(plain)) as State;
          expect(state).toEqual(oracle);
          expect(base).toEqual(stateOf(length));
          expect(applyPatch(base, patches)).toMatchObject({ ok: true, document: oracle });
          expect(applyPatch(state, inverse)).toMatchObject({ ok: true, document: base });
          const edited = new Set(steps.map(({ at }) => at));
          for (const item of (state as State).items)
            if (item.id < length && !edited.has(item.id) && item.tags.length > 0) expect(items.has(item)).toBe(true);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("that was only read gives the state itself", () => {
    const base = deepFreeze(stateOf(40), "objects");
    const drafting = recordingDrafts.begin(base, { freeze: "objects" });
    for (const { tags, more } of (drafting.draft as State).items) expect(tags.length + more.n).toBeGreaterThan(0);
    expect(drafting.finish()).toMatchObject({ patches: [], inverse: [], touched: undefined });
    expect(drafting.finish().state).toBe(base);
  });

  test.each<"first" | "last">(["first", "last"])(
    "counts for the size of the state once more when its items are put into a holder that comes %s",
    (holder) => {
      const length = 20;
      /** The items three times, in a list each. */
      const put = (most: number, visited: number) => {
        const drafting = recordingDrafts.begin(deepFreeze(stateOf(length), "objects"), { freeze: "objects", most });
        const draft = drafting.draft as State;
        // What is read first is finalized first.
        const { items } = holder === "first" ? { ...draft } : draft;
        for (let i = 0; i < visited; i++) void items[i];
        draft[holder].held = [[...items], [...items], [...items]];
        return drafting.finish().state as State;
      };
      /** Of 6 values for each item, and of the lists; a state has room for as many as it has. */
      const needed = 4 + 3 * 6 * length - (4 + 6 * length);
      expect(put(needed, length)[holder].held).toHaveLength(3);
      for (const visited of [0, 1, length]) expect(() => put(needed - 1, visited)).toThrow(GrowthError);
    },
  );

  test("whose items are removed and put in twice counts them once", () => {
    const drafting = recordingDrafts.begin(stateOf(20), { freeze: false, most: 0 });
    const draft = drafting.draft as State;
    const taken = draft.items.splice(0);
    draft.first.held = [[...taken], [...taken]];
    expect((drafting.finish().state as State).first.held).toHaveLength(2);
  });
});
