// The patches of everyday edits, word for word: minimal, both ways, and in an order in which they
// apply.

import { describe, expect, test } from "vitest";
import { recordingDrafts } from "../../../../src/engine/draft/draft.ts";
import { applyPatch, type Patch } from "../../../../src/patch/index.ts";

interface Item {
  id: number;
  n?: number;
}
interface State {
  title: string;
  a: Item[];
  b: Item[];
  tags: string[];
  deep: { x?: { y: number } };
  "k/e~y"?: number;
}

const base: State = {
  title: "t",
  a: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
  b: [{ id: 5 }],
  tags: ["p", "q", "r"],
  deep: { x: { y: 1 } },
};
const item = (id: number): Item => base.a[id - 1]!;

const cases: [string, (draft: State) => void, Patch, Patch?][] = [
  [
    "an assignment",
    (d) => void (d.title = "u"),
    [{ op: "replace", path: "/title", value: "u" }],
    [{ op: "replace", path: "/title", value: "t" }],
  ],
  [
    "a new key, escaped",
    (d) => void (d["k/e~y"] = 1),
    [{ op: "add", path: "/k~1e~0y", value: 1 }],
    [{ op: "remove", path: "/k~1e~0y" }],
  ],
  [
    "a deleted key",
    (d) => void delete d.deep.x,
    [{ op: "remove", path: "/deep/x" }],
    [{ op: "add", path: "/deep/x", value: { y: 1 } }],
  ],
  [
    "repeated writes",
    (d) => [1, 2, 3].forEach((y) => (d.deep.x!.y = y + 1)),
    [{ op: "replace", path: "/deep/x/y", value: 4 }],
  ],
  ["a write that is reversed", (d) => [2, 1].forEach((y) => (d.deep.x!.y = y)), []],
  ["a deleted key that is set again", (d) => void (delete (d as Partial<State>).title, (d.title = "t")), []],
  [
    "a push",
    (d) => void d.a.push({ id: 9 }),
    [{ op: "add", path: "/a/4", value: { id: 9 } }],
    [{ op: "remove", path: "/a/4" }],
  ],
  ["a pop", (d) => void d.a.pop(), [{ op: "remove", path: "/a/3" }], [{ op: "add", path: "/a/3", value: item(4) }]],
  ["a shift", (d) => void d.a.shift(), [{ op: "remove", path: "/a/0" }]],
  ["an unshift", (d) => void d.a.unshift({ id: 9 }), [{ op: "add", path: "/a/0", value: { id: 9 } }]],
  [
    "one item spliced out",
    (d) => void d.a.splice(1, 1),
    [{ op: "remove", path: "/a/1" }],
    [{ op: "add", path: "/a/1", value: item(2) }],
  ],
  [
    "two items spliced out",
    (d) => void d.a.splice(1, 2),
    [
      { op: "remove", path: "/a/1" },
      { op: "remove", path: "/a/1" },
    ],
    [
      { op: "add", path: "/a/1", value: item(3) },
      { op: "add", path: "/a/1", value: item(2) },
    ],
  ],
  ["one item in another's place", (d) => void (d.a[2] = { id: 3, n: 1 }), [{ op: "add", path: "/a/2/n", value: 1 }]],
  [
    "an item spliced for another",
    (d) => void d.tags.splice(1, 1, "z"),
    [{ op: "replace", path: "/tags/1", value: "z" }],
  ],
  [
    "an edit before an item's removal",
    (d) => void ((d.a[1]!.n = 1), d.a.splice(1, 1)),
    [{ op: "remove", path: "/a/1" }],
  ],
  [
    "an edit in what was inserted",
    (d) => void (d.a.push({ id: 9 }), (d.a.at(-1)!.n = 1)),
    [{ op: "add", path: "/a/4", value: { id: 9, n: 1 } }],
  ],
  ["an insertion that is removed", (d) => void (d.a.splice(2, 0, { id: 9 }), d.a.splice(2, 1)), []],
  [
    "an edit behind a removal, at the index of the base",
    (d) => void (d.a.shift(), (d.a[1]!.n = 1), (d.a[2]!.n = 2)),
    [
      { op: "add", path: "/a/2/n", value: 1 },
      { op: "add", path: "/a/3/n", value: 2 },
      { op: "remove", path: "/a/0" },
    ],
    [
      { op: "add", path: "/a/0", value: item(1) },
      { op: "remove", path: "/a/3/n" },
      { op: "remove", path: "/a/2/n" },
    ],
  ],
  [
    "removals apart from one another",
    (d) => void (d.a.splice(2, 1), d.a.splice(0, 1)),
    [
      { op: "remove", path: "/a/0" },
      { op: "remove", path: "/a/1" },
    ],
    [
      { op: "add", path: "/a/1", value: item(3) },
      { op: "add", path: "/a/0", value: item(1) },
    ],
  ],
  [
    "a move up in the list",
    (d) => void d.a.unshift(d.a.pop()!),
    [{ op: "move", from: "/a/3", path: "/a/0" }],
    [{ op: "move", from: "/a/0", path: "/a/3" }],
  ],
  [
    "a move down in the list",
    (d) => void d.a.push(d.a.shift()!),
    [{ op: "move", from: "/a/0", path: "/a/3" }],
    [{ op: "move", from: "/a/3", path: "/a/0" }],
  ],
  [
    "a move to the list behind",
    (d) => void d.b.push(...d.a.splice(1, 1)),
    [{ op: "move", from: "/a/1", path: "/b/1" }],
    [{ op: "move", from: "/b/1", path: "/a/1" }],
  ],
  [
    "a move to the list before",
    (d) => void d.a.unshift(d.b.pop()!),
    [{ op: "move", from: "/b/0", path: "/a/0" }],
    [{ op: "move", from: "/a/0", path: "/b/0" }],
  ],
  [
    "a move of an item that was edited, too",
    (d) => {
      const moved = d.a.shift()!;
      moved.n = 1;
      d.b.push(moved);
    },
    [
      { op: "move", from: "/a/0", path: "/b/1" },
      { op: "add", path: "/b/1/n", value: 1 },
    ],
    [
      { op: "remove", path: "/b/1/n" },
      { op: "move", from: "/b/1", path: "/a/0" },
    ],
  ],
  ["a filtered list", (d) => void (d.a = d.a.filter(({ id }) => id !== 2)), [{ op: "remove", path: "/a/1" }]],
  [
    "a mapped list",
    (d) => void (d.a = d.a.map((one) => (one.id === 2 ? { ...one, n: 1 } : one))),
    [{ op: "add", path: "/a/1/n", value: 1 }],
  ],
  ["a spread list", (d) => void (d.a = [{ id: 9 }, ...d.a]), [{ op: "add", path: "/a/0", value: { id: 9 } }]],
  [
    "a sort",
    (d) => void d.a.sort((x, y) => y.id - x.id),
    [{ op: "replace", path: "/a", value: [item(4), item(3), item(2), item(1)] }],
    [{ op: "replace", path: "/a", value: base.a }],
  ],
  ["a reversal", (d) => void d.tags.reverse(), [{ op: "replace", path: "/tags", value: ["r", "q", "p"] }]],
  ["a sort of what is sorted", (d) => void d.a.sort((x, y) => x.id - y.id), []],
  ["a fill", (d) => void d.tags.fill("z"), [{ op: "replace", path: "/tags", value: ["z", "z", "z"] }]],
  [
    "a list emptied",
    (d) => void (d.tags.length = 0),
    [{ op: "replace", path: "/tags", value: [] }],
    [{ op: "replace", path: "/tags", value: base.tags }],
  ],
  ["a list cut", (d) => void (d.tags.length = 2), [{ op: "remove", path: "/tags/2" }]],
  ["an item within the list", (d) => void d.tags.copyWithin(0, 2), [{ op: "replace", path: "/tags/0", value: "r" }]],
  [
    "another object in the place of one",
    (d) => void (d.deep = { x: { y: 2 } }),
    [{ op: "replace", path: "/deep/x/y", value: 2 }],
  ],
  ["an equal object in the place of one", (d) => void (d.deep = { x: { y: 1 } }), []],
];

describe.each(cases)("%s", (_, recipe, patches, inverse) => {
  test.each([false, true])("frozen: %s", (freeze) => {
    const before = structuredClone(base);
    const drafting = recordingDrafts.begin(before, { freeze });
    recipe(drafting.draft as State);
    const edited = drafting.finish();
    expect(edited.patches).toEqual(patches);
    if (inverse !== undefined) expect(edited.inverse).toEqual(inverse);
    expect(applyPatch(before, edited.patches)).toMatchObject({ ok: true, document: edited.state });
    expect(applyPatch(edited.state, edited.inverse)).toMatchObject({ ok: true, document: base });
  });
});

interface Line {
  id: number;
  lines: Line[];
}

// JSON Patch moves nothing to a path below its own, as RFC 6902 says, whatever is there.
test.each<[string, (lines: Line[]) => void]>([
  ["into the one behind it", (lines) => void lines[1]!.lines.push(lines.shift()!)],
  ["out of one, to the place before it", (lines) => void lines.splice(1, 0, lines[1]!.lines.shift()!)],
  ["into the last one", (lines) => void lines[2]!.lines.unshift(...lines.splice(1, 1))],
])("an item moves %s, there and back", (_, recipe) => {
  const line = (id: number, ...lines: Line[]): Line => ({ id, lines });
  const before = { lines: [line(1), line(2, line(3)), line(4)] };
  const drafting = recordingDrafts.begin(before, { freeze: false });
  recipe((drafting.draft as typeof before).lines);
  const edited = drafting.finish();
  expect(edited.patches.map(({ op }) => op)).toContain("move");
  expect(new Set([...edited.patches, ...edited.inverse].map(({ op }) => op))).toEqual(new Set(["move"]));
  expect(applyPatch(before, edited.patches)).toMatchObject({ ok: true, document: edited.state });
  expect(applyPatch(edited.state, edited.inverse)).toMatchObject({ ok: true, document: before });
});

test("an edit in a list of 10,000 is one operation, wherever it is", () => {
  const state = { list: Array.from({ length: 10_000 }, (_, id) => ({ id })) };
  const drafting = recordingDrafts.begin(state, { freeze: false });
  const { list } = drafting.draft as typeof state;
  list.splice(5000, 1);
  expect(drafting.finish()).toMatchObject({
    patches: [{ op: "remove", path: "/list/5000" }],
    inverse: [{ op: "add", path: "/list/5000", value: { id: 5000 } }],
  });
});
