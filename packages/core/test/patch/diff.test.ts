import { diff } from "@opstate/core/json-patch";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDiff } from "./check-diff.ts";

const card = (n: number) => ({ id: `card-${n}`, title: `Card number ${n}`, tags: ["a", "b"], done: n % 2 === 0 });
const cards = Array.from({ length: 10_000 }, (_, n) => card(n));
const position = fc.nat({ max: cards.length - 1 });

describe.each([
  ["shared", <T>(value: T) => value],
  ["not shared", structuredClone],
])("is one operation for one edit in a list of 10,000, %s", (_, copy) => {
  const edit = (
    change: (list: unknown[], i: number, j: number) => void,
    expected: (i: number, j: number) => unknown,
  ) => {
    fc.assert(
      fc.property(position, position, (i, j) => {
        const list: unknown[] = [...cards];
        change(list, i, j);
        expect(diff({ cards }, copy({ cards: list }))).toEqual(i === j && change.length === 3 ? [] : [expected(i, j)]);
      }),
      { numRuns: 20 },
    );
  };

  it("an insertion", () => {
    edit(
      (list, i) => list.splice(i, 0, card(-1)),
      (i) => ({ op: "add", path: `/cards/${i}`, value: card(-1) }),
    );
  });
  it("a removal", () => {
    edit(
      (list, i) => list.splice(i, 1),
      (i) => ({ op: "remove", path: `/cards/${i}` }),
    );
  });
  it("a move", () => {
    const move = (list: unknown[], i: number, j: number) => list.splice(j, 0, ...list.splice(i, 1));
    // A move by one place is the same as its neighbour's move back.
    edit(move, (i, j) => {
      const neighbours = Math.abs(i - j) === 1 ? [Math.min(i, j), Math.max(i, j)] : [i, j];
      return { op: "move", from: `/cards/${neighbours[0]}`, path: `/cards/${neighbours[1]}` };
    });
  });
  it("a change", () => {
    edit(
      (list, i) => (list[i] = { ...card(i), title: "Changed" }),
      (i) => ({ op: "replace", path: `/cards/${i}/title`, value: "Changed" }),
    );
  });
});

describe("finds the edits", () => {
  const list = cards.slice(0, 30);

  it("several of a kind and of different kinds", () => {
    const after: unknown[] = [...list];
    after.splice(20, 1);
    after.splice(12, 0, card(-1));
    after[5] = { ...card(5), done: true };
    after.unshift(card(-2));
    expect(checkDiff(list, after)).toEqual([
      { op: "remove", path: "/20" },
      { op: "add", path: "/0", value: card(-2) },
      { op: "add", path: "/13", value: card(-1) },
      { op: "replace", path: "/6/done", value: true },
    ]);
  });

  it.each([
    ["shared", (item: object) => item],
    ["not shared", (item: object) => structuredClone(item)],
    [
      "not shared and with their keys in another order",
      (item: object) => Object.fromEntries(Object.entries(item).toReversed()),
    ],
  ])("moves of several items, %s, one operation each", (_, copy) => {
    const after = [
      list[7],
      ...list.slice(0, 7),
      ...list.slice(8, 20),
      list[25],
      ...list.slice(20, 25),
      ...list.slice(26),
    ];
    const patch = checkDiff(
      list,
      after.map((item) => copy(item ?? {})),
    );
    expect(patch).toHaveLength(2);
    expect(patch.every(({ op }) => op === "move")).toBe(true);
  });

  it("moves of several texts", () => {
    const texts = list.map((item) => item.title);
    const after = [texts[9], ...texts.slice(0, 9), ...texts.slice(10, 15), ...texts.slice(16), texts[15]];
    const patch = checkDiff(texts, after);
    expect(patch).toHaveLength(2);
    expect(patch.every(({ op }) => op === "move")).toBe(true);
  });

  it("one operation for one edit, though items repeat", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 2 }), { minLength: 3, maxLength: 12, size: "max" }),
        fc.nat(),
        fc.nat(),
        (before, from, to) => {
          const i = from % before.length;
          const j = to % before.length;
          expect(checkDiff(before, before.toSpliced(i, 1)).length).toBe(1);
          expect(checkDiff(before, before.toSpliced(i, 0, 7)).length).toBe(1);
          expect(checkDiff(before, before.toSpliced(i, 1, 7)).length).toBe(1);
          expect(checkDiff(before, before.toSpliced(i, 1).toSpliced(j, 0, before[i] ?? 0)).length).toBeLessThanOrEqual(
            1,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it("of repeated items", () => {
    expect(checkDiff([1, 1, 1, 1], [1, 1, 1])).toEqual([{ op: "remove", path: "/3" }]);
    expect(checkDiff(["a", "b", "a", "b"], ["a", "b", "x", "a", "b"])).toEqual([{ op: "add", path: "/2", value: "x" }]);
  });

  it("in a small list", () => {
    expect(checkDiff(["a", "b", "c"], ["c", "a", "b"])).toEqual([{ op: "move", from: "/2", path: "/0" }]);
    expect(checkDiff(["a", "b", "c"], ["b", "c", "a"])).toEqual([{ op: "move", from: "/0", path: "/2" }]);
    expect(checkDiff({ tags: [] }, { tags: ["a"] })).toEqual([{ op: "add", path: "/tags/0", value: "a" }]);
  });

  it("another order is one replacement", () => {
    const patch = checkDiff(cards, cards.toReversed());
    expect(patch).toEqual([{ op: "replace", path: "", value: cards.toReversed() }]);
  });

  it("whatever the order of keys, and with undefined for absent", () => {
    expect(diff({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 })).toEqual([]);
    expect(diff([{ a: 1, b: 2 }], [{ id: "new" }, { b: 2, a: 1 }])).toEqual([
      { op: "add", path: "/0", value: { id: "new" } },
    ]);
    expect(diff({ a: undefined, b: 1 }, { b: 1 })).toEqual([]);
    expect(diff({ a: 1, b: 1 }, { a: undefined, b: 1 })).toEqual([{ op: "remove", path: "/a" }]);
    expect(diff({ a: undefined, b: 1 }, { a: 1, b: 1 })).toEqual([{ op: "add", path: "/a", value: 1 }]);
    expect(diff({ b: 1 }, { a: undefined, b: 1 })).toEqual([]);
  });

  it("in members whose names need escaping", () => {
    expect(checkDiff({ "a/b": { "m~n": 1, x: 1 }, y: 1 }, { "a/b": { "m~n": 2, x: 1 }, y: 1 })).toEqual([
      { op: "replace", path: "/a~1b/m~0n", value: 2 },
    ]);
  });

  it("of type", () => {
    for (const [before, after] of [
      [1, "1"],
      [null, {}],
      [[], {}],
      [{}, null],
      [{ 0: 1 }, [1]],
      [0, false],
    ]) {
      expect(checkDiff(before, after)).toEqual([{ op: "replace", path: "", value: after }]);
    }
  });
});

describe("costs no more than it must", () => {
  it("uses one replacement for a part that changed through and through", () => {
    const before = { keep: "a long text that stays as it is, and is dear to send again", point: { x: 1, y: 2, z: 3 } };
    expect(checkDiff(before, { ...before, point: { x: 4, y: 5, z: 6 } })).toEqual([
      { op: "replace", path: "/point", value: { x: 4, y: 5, z: 6 } },
    ]);
  });

  it("never has more operations than applyPatch accepts", () => {
    const rows = (n: number) =>
      Array.from({ length: 10_001 }, (_, i) => ({
        text: `row ${i}, which is long enough to be worth keeping as it is`,
        n,
      }));
    expect(checkDiff(rows(1), rows(2))).toHaveLength(1);
  });

  it("does not look into what both share", () => {
    const untouchable = new Proxy([], {
      get() {
        throw new Error("looked into");
      },
    });
    const before = { changed: { n: 1 }, shared: untouchable, list: [untouchable, 1, untouchable] };
    expect(diff(before, { ...before, changed: { n: 2 } })).toEqual([{ op: "replace", path: "/changed/n", value: 2 }]);
  });

  it("looks into few of the items that both share, however deep the change", () => {
    let looks = 0;
    const shared = (n: number) =>
      new Proxy(card(n), {
        ownKeys(target) {
          looks++;
          return Reflect.ownKeys(target);
        },
      });
    const board = {
      columns: [0, 1, 2].map((n) => ({ title: `Column ${n}`, cards: cards.slice(0, 1000).map((_, i) => shared(i)) })),
    };
    const change = (column: { cards: unknown[] }) => ({ ...column, cards: column.cards.with(500, card(-1)) });
    const after = { columns: [change(board.columns[0]!), board.columns[1], change(board.columns[2]!)] };
    for (const { path } of diff(board, after)) expect(path).toMatch(/^\/columns\/[02]\/cards\/500/);
    expect(looks).toBeLessThan(200);
  });

  it("survives documents nested deeper than it looks", () => {
    const nested = (depth: number, core: string) => JSON.parse(`${"[".repeat(depth)}${core}${"]".repeat(depth)}`);
    expect(diff(nested(5_000, "1"), nested(5_000, "1"))).toHaveLength(1);
    expect(diff(nested(5_000, "1"), nested(5_000, "2"))).toHaveLength(1);
    expect(diff([nested(5_000, "1"), 1], [2, nested(5_000, "1"), 1])).toHaveLength(1);
    expect(diff(nested(100, "1"), nested(100, "2"))).toHaveLength(1);
  });
});
