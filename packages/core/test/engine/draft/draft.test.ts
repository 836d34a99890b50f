// What an `apply` may rely on, whichever engine drafts: a draft is used like the object that it
// represents, and nothing that was given is changed.

import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  DraftError,
  recordingDrafts,
  type DraftEngine,
  type Drafting,
  type Edited,
} from "../../../src/engine/draft/draft.ts";
import { deepFreeze } from "../../../src/engine/freeze.ts";
import { immerDrafts } from "../../../src/immer.ts";
import { applied } from "./programs.ts";

interface Card {
  id: number;
  title?: string | undefined;
  tags?: string[];
  parent?: Card;
}
interface Board {
  title: string;
  columns: { name: string; cards: Card[]; count?: number }[];
  first?: Card;
  [key: string]: unknown;
}

const board = (): Board => ({
  title: "Board",
  columns: [
    { name: "todo", cards: [{ id: 1, tags: ["a"] }, { id: 2 }, { id: 3 }] },
    { name: "done", cards: [{ id: 4 }] },
  ],
});

const engines = [recordingDrafts, immerDrafts];

function begin(engine: DraftEngine, base: object, freeze = false): { draft: Board; drafting: Drafting } {
  const drafting = engine.begin(base, { freeze });
  return { drafting, draft: drafting.draft as Board };
}

function produce(
  engine: DraftEngine,
  base: object,
  recipe: (draft: Board) => void,
  freeze = false,
): Edited & { state: Board } {
  const { draft, drafting } = begin(engine, base, freeze);
  recipe(draft);
  return drafting.finish() as Edited & { state: Board };
}

describe.each(engines)("$name drafts", (engine) => {
  test("edit a copy, and share what the edit did not touch", () => {
    const base = board();
    const { state } = produce(engine, base, (draft) => {
      draft.columns[1]!.cards.push({ id: 5 });
    });
    expect(state.columns[1]!.cards).toEqual([{ id: 4 }, { id: 5 }]);
    expect(base).toEqual(board());
    expect(state.columns[0]).toBe(base.columns[0]);
    expect(state.columns[1]!.cards[0]).toBe(base.columns[1]!.cards[0]);
  });

  test("turn -0 into 0, for JSON text has none", () => {
    const { state } = produce(engine, board(), (draft) => {
      draft.columns[0]!.cards[1]!.id = -0;
      draft.columns[1]!.cards.push({ id: -0 });
    });
    expect(state.columns[0]!.cards[1]!.id).toBe(0);
    expect(state.columns[1]!.cards[1]!.id).toBe(0);
  });

  test("give the base itself when nothing changed in the end", () => {
    const base = board();
    const edited = produce(engine, base, (draft) => {
      draft.title = "Other";
      draft.title = "Board";
      const card = draft.columns[0]!.cards.pop()!;
      draft.columns[0]!.cards.push(card);
      draft.columns[0]!.cards[0]!.tags = ["a"];
      delete draft["nothing"];
    });
    expect(edited).toEqual({ state: base, patches: [], inverse: [], touched: undefined });
    expect(edited.state).toBe(base);
  });

  test("give the base itself when a copy with the same parts replaced an item", () => {
    const base = board();
    const edited = produce(engine, base, (draft) => {
      const { cards } = draft.columns[0]!;
      cards.splice(0, 1, { ...cards[0]!, tags: cards[0]!.tags!.filter(() => true) });
      const [card] = cards;
      cards.splice(0, 1, { ...card! });
    });
    expect(edited).toEqual({ state: base, patches: [], inverse: [], touched: undefined });
    expect(edited.state).toBe(base);
  });

  test("keep an item's draft across splices, removal and re-insertion", () => {
    const { state } = produce(engine, board(), (draft) => {
      const [todo, done] = draft.columns as [Board["columns"][0], Board["columns"][0]];
      const card = todo.cards.find(({ id }) => id === 3)!;
      todo.cards.splice(0, 1);
      card.title = "three";
      const [removed] = todo.cards.splice(todo.cards.indexOf(card), 1);
      expect(removed).toBe(card);
      done.cards.unshift(removed!);
      card.tags = ["moved"];
    });
    expect(state.columns.map(({ cards }) => cards)).toEqual([
      [{ id: 2 }],
      [{ id: 3, title: "three", tags: ["moved"] }, { id: 4 }],
    ]);
  });

  test("put in two places, are one and the same until the recipe ends", () => {
    const base = board();
    const { state } = produce(engine, base, (draft) => {
      draft.first = draft.columns[0]!.cards[0]!;
      draft.columns[0]!.cards[0]!.title = "both";
      draft.first.tags!.push("b");
    });
    const both = { id: 1, title: "both", tags: ["a", "b"] };
    expect(state.first).toEqual(both);
    expect(state.columns[0]!.cards[0]).toEqual(both);
    // The next recipe sees two cards.
    expect(produce(engine, state, (draft) => void (draft.first!.id = 9)).state.columns[0]!.cards[0]).toEqual(both);
  });

  test("copied within a list are one and the same, too", () => {
    const { state } = produce(engine, board(), (draft) => {
      draft.columns[0]!.cards.copyWithin(0, 2);
      draft.columns[0]!.cards[2]!.title = "both";
      draft.columns[1]!.cards.push({ id: 5 }, { id: 6 });
      draft.columns[1]!.cards.fill(draft.columns[1]!.cards[0]!);
      draft.columns[1]!.cards[2]!.title = "all";
    });
    expect(state.columns[0]!.cards).toEqual([{ id: 3, title: "both" }, { id: 2 }, { id: 3, title: "both" }]);
    expect(state.columns[1]!.cards.map(({ title }) => title)).toEqual(["all", "all", "all"]);
  });

  test("can be iterated while they are edited", () => {
    const { state } = produce(engine, board(), (draft) => {
      for (const card of draft.columns[0]!.cards) if (card.id === 1) draft.columns[0]!.cards.push({ id: 10 });
      draft.columns[0]!.cards.forEach((card) => {
        card.title = String(card.id);
      });
    });
    expect(state.columns[0]!.cards.map(({ title }) => title)).toEqual(["1", "2", "3", "10"]);
  });

  test("treat a key set to undefined as absent", () => {
    const { state, patches } = produce(engine, board(), (draft) => {
      draft.columns[0]!.cards[0]!.tags = undefined as unknown as string[];
      draft.columns[0]!.cards[1]!.title = undefined;
      draft.columns[0]!.cards.push({ id: 5, title: undefined });
    });
    expect(state.columns[0]!.cards).toStrictEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 5 }]);
    expect(JSON.stringify(patches)).not.toContain("title");
  });

  test("never tie the state to what the caller put in", () => {
    const given = { id: 5, tags: ["x"] };
    const { state } = produce(engine, board(), (draft) => void draft.columns[0]!.cards.push(given), true);
    expect(Object.isFrozen(given)).toBe(false);
    given.tags.push("y");
    expect(state.columns[0]!.cards[3]).toEqual({ id: 5, tags: ["x"] });
  });

  test("freeze what is new, if the option says so, and nothing else", () => {
    const base = board();
    const { state } = produce(engine, base, (draft) => void draft.columns[1]!.cards.push({ id: 5, tags: [] }), true);
    const made = [
      state,
      state.columns,
      state.columns[1],
      state.columns[1]!.cards,
      state.columns[1]!.cards[1],
      state.columns[1]!.cards[1]!.tags,
    ];
    expect(made.every((container) => Object.isFrozen(container))).toBe(true);
    expect(Object.isFrozen(base.columns[0])).toBe(false);
    expect(Object.isFrozen(produce(engine, base, (draft) => void (draft.title = "x")).state)).toBe(false);
  });

  test.each<[string, string, (draft: Board) => void]>([
    [
      "a Date",
      "/columns/0/cards/3/due",
      (draft) => void draft.columns[0]!.cards.push({ id: 5, due: new Date() } as Card),
    ],
    ["a Map", "/first", (draft) => void (draft["first"] = new Map() as unknown as Card)],
    [
      "an instance of a class",
      "/first/parent",
      (draft) => void (draft["first"] = { id: 1, parent: new URL("https://example.org") as unknown as Card }),
    ],
    [
      "a function",
      "/columns/1/cards/0/title",
      (draft) => void (draft.columns[1]!.cards[0]!.title = (() => 1) as unknown as string),
    ],
    ["a symbol", "/title", (draft) => void (draft.title = Symbol("x") as unknown as string)],
    ["a BigInt", "/n", (draft) => void (draft["n"] = 1n)],
    ["NaN", "/columns/0/cards/1/id", (draft) => void (draft.columns[0]!.cards[1]!.id = Number.NaN)],
    ["Infinity", "/x/0/y", (draft) => void (draft["x"] = [{ y: Infinity }])],
    [
      "undefined in an array",
      "/columns/0/cards/0/tags/1",
      (draft) => void draft.columns[0]!.cards[0]!.tags!.push(undefined as unknown as string),
    ],
    ["a hole in an array", "/columns/0/cards/3", (draft) => void (draft.columns[0]!.cards[5] = { id: 1 })],
    ["an array made longer", "/columns/0/cards/3", (draft) => void (draft.columns[0]!.cards.length = 4)],
    ["a deleted item", "/columns/0/cards/1", (draft) => void Reflect.deleteProperty(draft.columns[0]!.cards, "1")],
    ["an own __proto__", "/x/__proto__", (draft) => void (draft["x"] = JSON.parse('{"__proto__":{}}'))],
    ["LangChain's mark of a class", "/x/lc", (draft) => void (draft["x"] = { lc: 1, type: "constructor" })],
    [
      "LangChain's mark, written key by key",
      "/columns/0/lc",
      (draft) => void Object.assign(draft.columns[0]!, { lc: 1, type: "constructor" }),
    ],
    ["LangGraph's order to overwrite", "/__overwrite__", (draft) => void (draft["__overwrite__"] = 1)],
    [
      "a value that contains itself",
      "/x/self",
      (draft) => {
        const self: Record<string, unknown> = {};
        draft["x"] = Object.assign(self, { self });
      },
    ],
    [
      "a draft below itself",
      "/columns/0/self",
      (draft) => void Object.assign(draft.columns[0]!, { self: draft.columns[0] }),
    ],
  ])("refuse %s, and name the place %s", (_, path, recipe) => {
    // Immer hangs on a draft below itself.
    if (engine === immerDrafts && path.endsWith("self")) return;
    const base = board();
    expect.assertions(3);
    try {
      produce(engine, base, recipe);
    } catch (error) {
      expect(error).toBeInstanceOf(DraftError);
      expect(error).toMatchObject({ path });
    }
    expect(base).toEqual(board());
  });

  test.each(["finish", "discard", "derive"] as const)("have ended after %s: to touch one is an error", (end) => {
    const base = board();
    const { draft, drafting } = begin(engine, base);
    const { columns } = draft;
    const { cards } = columns[0]!;
    const push = cards.push.bind(cards);
    const items = cards.values();
    items.next();
    columns[1]!.cards.pop();
    drafting[end]({ container: [], field: "n", compute: () => 1 });
    for (const use of [
      () => draft.title,
      () => cards.length,
      () => cards.at(0),
      () => push({ id: 9 }),
      () => items.next(),
      () => "title" in draft,
      () => Object.keys(columns),
    ]) {
      expect(use).toThrow();
    }
    expect(() => void (cards[0] = { id: 7 })).toThrow();
    expect(() => void Reflect.deleteProperty(draft, "title")).toThrow();
    expect(base).toEqual(board());
  });

  describe("derived fields", () => {
    const count = {
      container: ["columns", "*"],
      field: "count",
      compute: (column: unknown) => (column as Board["columns"][0]).cards.length,
    };
    const counted = (): Board => {
      const base = board();
      for (const column of base.columns) column.count = column.cards.length;
      return base;
    };

    test("are recomputed where something below was touched, and nowhere else", () => {
      const seen: string[] = [];
      const { draft, drafting } = begin(engine, counted());
      draft.columns[1]!.cards[0]!.title = "x";
      drafting.derive({
        ...count,
        compute: (column) => (seen.push((column as { name: string }).name), count.compute(column)),
      });
      expect(seen).toEqual(["done"]);
      expect(drafting.finish().patches).toEqual([{ op: "add", path: "/columns/1/cards/0/title", value: "x" }]);
    });

    test("are part of what the recipe put in", () => {
      const { draft, drafting } = begin(engine, counted());
      draft.columns.push({ name: "new", cards: [{ id: 7 }] });
      drafting.derive(count);
      expect(drafting.finish().patches).toEqual([
        { op: "add", path: "/columns/2", value: { name: "new", cards: [{ id: 7 }], count: 1 } },
      ]);
    });

    test("overrule what the recipe wrote", () => {
      const { draft, drafting } = begin(engine, counted());
      draft.columns[0]!.count = 99;
      drafting.derive(count);
      expect(drafting.finish()).toMatchObject({ patches: [], state: counted() });
    });

    test("may build on deeper ones, and vanish", () => {
      const { draft, drafting } = begin(engine, { ...counted(), total: 4, crowded: true });
      draft.columns.pop();
      drafting.derive(count);
      drafting.derive({
        container: [],
        field: "total",
        compute: (root) => (root as Board).columns.reduce((sum, column) => sum + column.count!, 0),
      });
      drafting.derive({
        container: [],
        field: "crowded",
        compute: (root) => ((root as { total: number }).total > 3 ? true : undefined),
      });
      const { state } = drafting.finish();
      expect(state).toMatchObject({ total: 3 });
      expect(state).not.toHaveProperty("crowded");
    });

    test("cannot change the state while they read it, where states are frozen", () => {
      const base = counted();
      const { draft, drafting } = begin(engine, base, true);
      draft.columns[1]!.cards.push({ id: 0 }, { id: -1 });
      const rude = (compute: (column: Board["columns"][0]) => unknown) => () =>
        drafting.derive({ ...count, compute: (column) => compute(column as Board["columns"][0]) });
      expect(rude((column) => column.cards.sort((a, b) => a.id - b.id).length)).toThrow(TypeError);
      expect(rude((column) => (column.name = "x"))).toThrow(TypeError);
      drafting.derive(count);
      expect(drafting.finish().state).toEqual({
        ...counted(),
        columns: [counted().columns[0], { name: "done", cards: [{ id: 4 }, { id: 0 }, { id: -1 }], count: 3 }],
      });
      expect(base).toEqual(counted());
    });

    test("must be JSON, and throw what their rule throws", () => {
      const { draft, drafting } = begin(engine, counted());
      draft.columns[1]!.cards.pop();
      expect(() => drafting.derive({ ...count, compute: () => ({ at: [new Date()] }) })).toThrow(
        "/columns/1/count/at/0 must be JSON",
      );
      expect(() =>
        drafting.derive({
          ...count,
          compute: () => {
            throw new RangeError("mine");
          },
        }),
      ).toThrow("mine");
    });
  });
});

describe("recording drafts only", () => {
  test("show their content when printed", () => {
    const { draft } = begin(recordingDrafts, board());
    draft.columns[0]!.cards.splice(1, 2);
    expect(inspect(draft, { depth: 9 })).toBe(
      inspect(
        { ...board(), columns: [{ name: "todo", cards: [{ id: 1, tags: ["a"] }] }, board().columns[1]] },
        { depth: 9 },
      ),
    );
  });

  test("find an item by a draft of it, in callbacks too", () => {
    produce(recordingDrafts, board(), (draft) => {
      const { cards } = draft.columns[0]!;
      const card = cards[1]!;
      expect(cards.filter((item) => item !== card).map(({ id }) => id)).toEqual([1, 3]);
      expect(cards.findIndex((item) => item === card)).toBe(1);
      const given = { id: 9 };
      cards.push(given);
      expect(cards.indexOf(given)).toBe(3);
      expect(cards.includes(given)).toBe(true);
    });
  });

  test("leave a plain value that was put in as it is, also when it is edited in its place", () => {
    const given = { id: 5, tags: ["x"], parent: { id: 6 } };
    const { state } = produce(recordingDrafts, board(), (draft) => {
      draft.first = given;
      draft.columns[0]!.cards.push(given);
      draft.first.title = "new";
      draft.columns[0]!.cards.at(-1)!.parent!.id = 7;
      draft.first.tags!.push("y");
    });
    expect(given).toEqual({ id: 5, tags: ["x"], parent: { id: 6 } });
    const expected = { id: 5, tags: ["x", "y"], parent: { id: 7 }, title: "new" };
    expect(state.first).toEqual(expected);
    expect(state.columns[0]!.cards[3]).toEqual(expected);
  });

  test("see what the recipe still does to a plain value after it was put in", () => {
    const { state } = produce(recordingDrafts, board(), (draft) => {
      const card: Card = { id: 5, tags: [] };
      draft.columns[0]!.cards.push(card);
      card.tags!.push("late");
    });
    expect(state.columns[0]!.cards[3]).toEqual({ id: 5, tags: ["late"] });
  });

  test("accept holes that are filled before the end", () => {
    const { state } = produce(recordingDrafts, { list: [1] }, (draft) => {
      const list = draft["list"] as number[];
      list.length = 4;
      expect(1 in list).toBe(false);
      list.fill(0, 1);
    });
    expect(state).toEqual({ list: [1, 0, 0, 0] });
  });

  test.each<[string, (draft: Board) => void, string]>([
    [
      "an accessor",
      (draft) => void Object.defineProperty(draft, "x", { get: () => 1, enumerable: true, configurable: true }),
      '"x" cannot be defined',
    ],
    ["a hidden property", (draft) => void Object.defineProperty(draft, "x", { value: 1 }), '"x" cannot be defined'],
    ["freezing", (draft) => void Object.freeze(draft), "frozen"],
    ["another prototype", (draft) => void Object.setPrototypeOf(draft, null), "prototype"],
    ["__proto__", (draft) => void (draft["__proto__"] = {}), "__proto__"],
    ["a symbol as a key", (draft) => void Reflect.set(draft, Symbol("s"), 1), "Symbol(s)"],
    ["a property of an array that is no item", (draft) => void Object.assign(draft.columns, { name: 1 }), '"name"'],
    [
      "a draft of another operation",
      (draft) => void (draft.first = begin(recordingDrafts, board()).draft.columns[0]!.cards[0]!),
      "/first must be JSON, got a draft of another operation",
    ],
  ])("refuse %s", (_, recipe, message) => {
    expect(() => produce(recordingDrafts, board(), recipe)).toThrow(message);
  });

  test("share what a search found but no draft was made of, where it cannot be written to", () => {
    const base = board();
    const { state } = produce(recordingDrafts, base, (draft) => {
      let found: Card | undefined;
      draft.columns[0]!.cards.some((card) => {
        found = card;
        return true;
      });
      draft.first = found!;
      draft.first.id = 8;
    });
    expect(base).toEqual(board());
    expect(state.first).toEqual({ id: 8, tags: ["a"] });
  });

  /**
   * Items that cannot be written to as they are, those that contain a large array, and whatever the
   * caller put in.
   */
  const large = Array.from({ length: 100 }, (_, n) => n);
  const mixed = () => ({
    items: [
      { id: 1, days: [1] },
      { id: 2, days: [...large] },
      { id: 3, days: [3] },
    ],
  });
  const looks: [string, (list: Item[], look: (item: Item) => boolean) => unknown][] = [
    ["find", (list, look) => list.find(look)],
    ["findIndex", (list, look) => list.findIndex(look)],
    ["findLast", (list, look) => list.findLast(look)],
    ["findLastIndex", (list, look) => list.findLastIndex(look)],
    ["some", (list, look) => list.some(look)],
    ["every", (list, look) => list.every((item) => !look(item))],
    ["filter", (list, look) => list.filter(look)],
    ["sort", (list, look) => list.sort((a, b) => Number(look(a)) - Number(look(b)))],
  ];
  interface Item {
    id: number;
    days: number[];
  }

  test.each(looks)("give a callback of %s nothing that it could write to in place", (method, look) => {
    for (const freeze of [true, "objects", false] as const) {
      for (const wanted of [1, 2]) {
        const base = deepFreeze(mixed(), freeze);
        const drafting = recordingDrafts.begin(base, { freeze });
        const write = () =>
          look((drafting.draft as { items: Item[] }).items, (item) => {
            if (item.id === wanted) item.days.push(7);
            return item.id === wanted;
          });
        if (freeze === false) write();
        else expect(write).toThrow(`a callback of ${method}() wrote to something frozen`);
        expect(base).toEqual(mixed());
        if (freeze !== false) continue;
        const { state } = drafting.finish() as Edited & { state: { items: Item[] } };
        expect(state.items.find(({ id }) => id === wanted)!.days.at(-1)).toBe(7);
        expect(base).toEqual(mixed());
      }
    }
  });

  /** A draft as in production, where the second item contains a large array. */
  function inProduction(): { items: Item[]; drafting: Drafting; draft: { items: Item[]; put?: unknown } } {
    const { items } = deepFreeze(mixed(), "objects");
    const drafting = recordingDrafts.begin(Object.freeze({ items }), { freeze: "objects" });
    return { items, drafting, draft: drafting.draft as { items: Item[] } };
  }

  test("let a callback keep what it saw, and put it in as a copy", () => {
    const { items, drafting, draft } = inProduction();
    let seen: Item | undefined;
    draft.items.some((item) => ((seen = item), item.days.length > 3));
    expect(draft.items.indexOf(seen!)).toBe(1);
    draft.put = seen;
    (draft.put as Item).days.push(7);
    const { state } = drafting.finish() as Edited & { state: { put: Item; items: Item[] } };
    expect(state.put).toEqual({ id: 2, days: [...large, 7] });
    expect(state.items[1]).toBe(items[1]);
  });

  test("refuse a write to a list that a callback kept, also after the recipe", () => {
    const { items, drafting, draft } = inProduction();
    const kept: number[][] = [];
    draft.items.every(({ days }) => kept.push(days));
    expect(() => (kept[1]!.length = 0)).toThrow("read-only");
    drafting.finish();
    expect(() => kept[1]!.push(7)).toThrow("read-only");
    expect(() => (kept[1]![0] = 7)).toThrow("read-only");
    expect(items[1]!.days).toEqual(large);
  });

  test("sort the items themselves by what a comparison saw", () => {
    const { items, drafting, draft } = inProduction();
    draft.items.sort((a, b) => b.days.length - a.days.length || a.id - b.id);
    const { state } = drafting.finish() as Edited & { state: { items: Item[] } };
    expect(state.items.map(({ id }) => id)).toEqual([2, 1, 3]);
    expect(state.items[0]).toBe(items[1]);
  });

  test("show rows of a grid that cannot be written to", () => {
    const base = deepFreeze({ grid: [[...large], [1]] }, "objects");
    const { grid } = recordingDrafts.begin(base, { freeze: "objects" }).draft as { grid: number[][] };
    expect(grid.findIndex((row) => row.includes(99))).toBe(0);
    expect(() => grid.some((row) => row.push(1))).toThrow("a callback of some() wrote to something frozen");
    expect(base.grid[0]).toEqual(large);
  });

  describe("of lists that filter and map gave", () => {
    const tagged = () => ({
      list: [
        { id: 1, tags: ["a"] },
        { id: 2, tags: ["b"] },
        { id: 3, tags: ["c"] },
      ],
    });
    type Tagged = ReturnType<typeof tagged> & { old?: Tagged["list"]; first?: Tagged["list"][0] };
    const edited = (recipe: (draft: Tagged) => void, freeze: boolean | "objects") => {
      const base = deepFreeze(tagged(), freeze);
      const drafting = recordingDrafts.begin(base, { freeze });
      recipe(drafting.draft as Tagged);
      return { base, ...(drafting.finish() as Edited & { state: Tagged }) };
    };

    describe.each([true, false, "objects"] as const)("freeze: %s", (freeze) => {
      test("have items that can be edited", () => {
        const { state, patches } = edited((draft) => {
          const found = draft.list.filter(({ id }) => id > 1);
          found[0]!.tags.push("x");
          found.length = 0;
        }, freeze);
        expect(state.list.map(({ tags }) => tags)).toEqual([["a"], ["b", "x"], ["c"]]);
        expect(patches).toEqual([{ op: "add", path: "/list/1/tags/1", value: "x" }]);
      });

      test("put in its place are the list, edited", () => {
        const { state, base, patches } = edited((draft) => {
          draft.list = draft.list.filter(({ id }) => id !== 2);
          draft.list[1]!.tags[0] = "z";
        }, freeze);
        expect(state.list).toEqual([
          { id: 1, tags: ["a"] },
          { id: 3, tags: ["z"] },
        ]);
        expect(state.list[0]).toBe(base.list[0]);
        expect(patches).toHaveLength(2);
      });

      test("see what becomes of the items later", () => {
        const { state } = edited((draft) => {
          const same = draft.list.map((item) => item);
          draft.list[0]!.id = 9;
          draft.list = same;
        }, freeze);
        expect(state.list[0]).toEqual({ id: 9, tags: ["a"] });
      });

      test("share what was spread into a new item", () => {
        const { state, base, patches } = edited((draft) => {
          draft.list = draft.list.map((item) => (item.id === 2 ? { ...item, id: 7 } : item));
        }, freeze);
        expect(state.list[1]!.tags).toBe(base.list[1]!.tags);
        expect(patches).toEqual([{ op: "replace", path: "/list/1/id", value: 7 }]);
      });

      test("may be beside their source", () => {
        const { state } = edited((draft) => {
          draft.old = draft.list;
          draft.list = draft.list.filter(({ id }) => id === 3);
          draft.list[0]!.id = 8;
        }, freeze);
        expect(state.old!.map(({ id }) => id)).toEqual([1, 2, 8]);
        expect(state.list.map(({ id }) => id)).toEqual([8]);
      });
    });

    describe.each([true, "objects"] as const)("late drafts, freeze: %s", (freeze) => {
      test("map that changes one item is one replacement, and touches that item alone", () => {
        const { patches, inverse, touched } = edited((draft) => {
          draft.list = draft.list.map((item) => (item.id === 2 ? { ...item, id: 7 } : item));
        }, freeze);
        expect(patches).toEqual([{ op: "replace", path: "/list/1/id", value: 7 }]);
        expect(inverse).toEqual([{ op: "replace", path: "/list/1/id", value: 2 }]);
        expect(touched).toMatchObject({
          assigned: [],
          children: [{ key: "list", assigned: [], splices: [], children: [{ key: 1, assigned: ["id"] }] }],
        });
      });

      test("filter is a removal of each stretch that is gone", () => {
        const { patches, inverse, touched } = edited((draft) => {
          draft.list = draft.list.filter(({ id }) => id === 2);
        }, freeze);
        expect(patches).toEqual([
          { op: "remove", path: "/list/0" },
          { op: "remove", path: "/list/1" },
        ]);
        expect(inverse).toHaveLength(2);
        expect(touched).toMatchObject({ children: [{ key: "list", assigned: [], children: [] }] });
      });

      test("filter, map and a new item at the end are distinguished", () => {
        const { patches, state, base } = edited((draft) => {
          const next = draft.list
            .filter(({ id }) => id !== 1)
            .map((item) => (item.id === 3 ? { ...item, id: 30 } : item));
          draft.list = [...next, { id: 4, tags: [] }];
        }, freeze);
        expect(state.list[0]).toBe(base.list[1]);
        expect(patches).toEqual([
          { op: "replace", path: "/list/2/id", value: 30 },
          { op: "remove", path: "/list/0" },
          { op: "add", path: "/list/2", value: { id: 4, tags: [] } },
        ]);
      });

      test("keep their items, whatever becomes of the source", () => {
        const changes: ((list: Tagged["list"]) => void)[] = [
          (list) => list.reverse(),
          (list) => list.sort((a, b) => b.id - a.id),
          (list) => list.splice(0, 3),
          (list) => list.fill(list[0]!),
          (list) => list.unshift({ id: 0, tags: [] }),
          (list) => void (list[1] = { id: 0, tags: [] }),
          (list) => void (list.length = 0),
          (list) => list.copyWithin(0, 1),
        ];
        for (const change of changes) {
          const { state } = edited((draft) => {
            const some = draft.list.filter(({ id }) => id > 1);
            change(draft.list);
            draft.old = some;
            some.forEach(({ id, tags }) => id === 2 && tags.push("x"));
          }, freeze);
          expect(state.old).toEqual([
            { id: 2, tags: ["b", "x"] },
            { id: 3, tags: ["c"] },
          ]);
        }
      });

      test("contain the drafts that others have, too", () => {
        edited((draft) => {
          const some = draft.list.filter(({ id }) => id > 1);
          const second = draft.list[1]!;
          expect(some.indexOf(second)).toBe(0);
          expect(some.includes(draft.list[0]!)).toBe(false);
          expect(some.find((item) => item === second)).toBe(second);
          expect(some[1]).toBe(draft.list[2]);
        }, freeze);
      });

      test("can be edited as any list", () => {
        const { state } = edited((draft) => {
          const some = draft.list.filter(({ id }) => id > 1);
          some.unshift({ id: 9, tags: [] });
          some.push(some.splice(1, 1)[0]!);
          some.sort((a, b) => a.id - b.id).reverse();
          some.length = 2;
          draft.list = some;
          some[1]!.id = 30;
        }, freeze);
        expect(state.list).toEqual([
          { id: 9, tags: [] },
          { id: 30, tags: ["c"] },
        ]);
      });

      test("share the items of lists in a new item", () => {
        const base = deepFreeze({ columns: [tagged(), tagged()] }, freeze);
        const drafting = recordingDrafts.begin(base, { freeze });
        const draft = drafting.draft as { columns: Tagged[] };
        draft.columns = draft.columns.map((column, index) =>
          index === 1 ? { ...column, list: column.list.filter(({ id }) => id !== 2) } : column,
        );
        const { state, patches } = drafting.finish() as Edited & { state: { columns: Tagged[] } };
        expect(state.columns[1]!.list[1]).toBe(base.columns[1]!.list[2]);
        expect(patches).toEqual([{ op: "remove", path: "/columns/1/list/1" }]);
      });

      test("an item that is elsewhere is not the copy that replaced it", () => {
        const { state, base, patches, inverse } = edited((draft) => {
          draft.first = draft.list[1]!;
          draft.list = draft.list.map((item) => (item.id === 2 ? { ...item, id: 7 } : item));
          draft.first.tags.push("x");
        }, freeze);
        expect(state.first).toEqual({ id: 2, tags: ["b", "x"] });
        expect(state.list[1]).toEqual({ id: 7, tags: ["b", "x"] });
        expect(patches).toContainEqual({ op: "move", from: "/list/2", path: "/first" });
        expect(applied(base, patches)).toEqual(state);
        expect(applied(state, inverse)).toEqual(base);
      });

      test("end with the operation", () => {
        let some: Tagged["list"] = [];
        edited((draft) => void (some = draft.list.filter(({ id }) => id > 1)), freeze);
        expect(() => some[0]).toThrow("has ended");
      });
    });

    test("a reduction to one item gives its draft", () => {
      const { state } = edited((draft) => {
        const last = draft.list.reduce<Tagged["list"][0] | null>(
          (best, item) => (item.id > (best?.id ?? 0) ? item : best),
          null,
        );
        last!.id = 4;
      }, true);
      expect(state.list[2]!.id).toBe(4);
    });

    test.each(["map", "reduce"])("a callback of %s that writes to an item fails with words", (method) => {
      const write = () =>
        edited((draft) => {
          if (method === "map") draft.list.map((item) => (item.id = 5));
          else draft.list.reduce((sum, item) => sum + (item.id = 5), 0);
        }, "objects");
      expect(write).toThrow(`a callback of ${method}() wrote to something frozen`);
    });
  });

  test("give a callback nothing of the caller's to write to either", () => {
    const given = [{ id: 1, days: [1] }];
    const { state } = produce(recordingDrafts, { list: [] }, (draft) => {
      draft["list"] = given;
      (draft["list"] as Item[]).some((item) => item.days.push(2) === 0);
    });
    expect(given).toEqual([{ id: 1, days: [1] }]);
    expect(state).toEqual({ list: [{ id: 1, days: [1, 2] }] });
  });

  test("give a derive rule a copy of what it could write to", () => {
    for (const freeze of ["objects", false] as const) {
      const base = deepFreeze({ list: [...large], n: 0, least: 0 }, freeze);
      const drafting = recordingDrafts.begin(base, { freeze });
      (drafting.draft as { n: number }).n = 1;
      drafting.derive({
        container: [],
        field: "least",
        compute: (root) => (root as { list: number[] }).list.sort((a, b) => b - a)[0],
      });
      expect(drafting.finish().state).toEqual({ list: large, n: 1, least: 99 });
      expect(base.list).toEqual(large);
    }
  });
});
