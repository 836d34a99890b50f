import { defineState } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { effectOf, nameAt, nameState, pointerTo } from "../../../src/engine/things/index.ts";
import type { Patch } from "../../../src/patch/index.ts";

const Leaf = z.object({ text: z.string() });
const tree = defineState({
  name: "tree",
  schema: z.object({
    nodes: z.array(z.object({ text: z.string(), kids: z.array(Leaf) })),
    point: z.tuple([z.number(), z.number()]),
    people: z.record(z.string(), z.object({ age: z.number(), kids: z.array(Leaf) })),
  }),
  initial: { nodes: [], point: [0, 0], people: {} },
  operations: {},
});

const node = (text: string) => ({ text, kids: [{ text: `${text}'s` }] });
const start = nameState({ nodes: ["a", "b", "c"].map(node), point: [0, 0], people: { "x/y": { age: 1, kids: [] } } });
const origin = { source: "s", operation: { type: "do" } };
const after = (patches: Patch, operation: { type: string; [key: string]: unknown } = origin.operation) =>
  effectOf(tree.model, start, patches, { source: "s", operation });

describe("a thing", () => {
  it("that moves into one behind it keeps its name, though the path of that one changes", () => {
    const moved = after([{ op: "move", from: "/nodes/0", path: "/nodes/1/kids/0" }]);
    expect(pointerTo(moved.after, "/nodes#0")).toBe("/nodes/1/kids/0");
    expect(pointerTo(moved.after, "/nodes#2/kids#0")).toBe("/nodes/1/kids/1");
    expect([...moved.moved]).toEqual([["/nodes#0", { from: "/nodes", to: "/nodes#2/kids" }]]);
  });

  it("goes with what it is in", () => {
    const { after: moved } = after([{ op: "move", from: "/nodes/2", path: "/nodes/0" }]);
    expect(pointerTo(moved, "/nodes#2/kids#0")).toBe("/nodes/0/kids/0");
    expect(nameAt(tree.model, moved, "/nodes/1/text")).toBe("/nodes#0/text");
  });

  it("is another one where a replacement wrote into it, and the things in it are not", () => {
    const { after: replaced, renamed } = after([{ op: "replace", path: "/nodes/1/text", value: "B" }], {
      type: "$replace",
      value: {},
    });
    expect([...renamed.keys()]).toEqual(["/nodes#1"]);
    expect(pointerTo(replaced, "/nodes#1")).toBeUndefined();
    expect(pointerTo(replaced, "/nodes#1/kids#0")).toBe("/nodes/1/kids/0");
  });

  it("is another one where the operation's input has its place", () => {
    const given = node("new");
    const patches: Patch = [
      { op: "replace", path: "/nodes/1/text", value: "new" },
      { op: "replace", path: "/nodes/1/kids/0/text", value: "new's" },
    ];
    expect([...after(patches, { type: "put", node: given }).renamed.keys()]).toEqual(["/nodes#1", "/nodes#1/kids#0"]);
    expect(after(patches).renamed.size).toBe(0);
  });

  it("of a record is known by its key, whatever characters that has", () => {
    const { after: added, sets } = after([
      { op: "add", path: "/people/a~1b #c", value: { age: 2, kids: [{ text: "k" }] } },
      { op: "replace", path: "/people/x~1y/age", value: 3 },
    ]);
    expect([...sets].filter(([, { born }]) => born).map(([name]) => name)).toEqual(["/people/a~1b~3~2c"]);
    for (const pointer of ["/people/a~1b #c", "/people/a~1b #c/kids/0", "/people/x~1y/age"])
      expect(pointerTo(added, nameAt(tree.model, added, pointer) ?? "")).toBe(pointer);
  });

  it("that comes back under a key is not what was in it before", () => {
    const { after: again } = after([
      { op: "add", path: "/people/x~1y/kids/0", value: { text: "k" } },
      { op: "remove", path: "/people/x~1y" },
      { op: "add", path: "/people/x~1y", value: { age: 1, kids: [{ text: "other" }] } },
    ]);
    expect(nameAt(tree.model, again, "/people/x~1y/kids/0")).not.toBe("^s.0");
  });

  it("is no part of a tuple: that is one value", () => {
    const { sets } = after([{ op: "replace", path: "/point/1", value: 5 }]);
    expect([...sets]).toEqual([["/point", { before: [0, 0], after: [0, 5], born: false }]]);
  });
});
