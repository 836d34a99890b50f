// States are readonly to all code but `apply`.

import {
  type DraftOf,
  defineAgentState,
  defineState,
  type ReadonlyDeep,
  type Replica,
  replay,
  type StateOf,
  type Thread,
} from "@opstate/core";
import { replayLog } from "@opstate/core/log";
import { checkDefinition } from "@opstate/core/testing";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";

const Shelf = z.object({
  title: z.string(),
  boxes: z.array(z.object({ id: z.string(), tags: z.array(z.string()) })),
  byId: z.record(z.string(), z.object({ count: z.int() })),
  size: z.int(),
});
const shelf = defineState({
  name: "shelf",
  schema: Shelf,
  initial: { title: "", boxes: [], byId: {}, size: 0 },
  derive: {
    // @ts-expect-error a rule reverses its container's list in place
    "/size": (state) => state.boxes.reverse().length,
  },
  operations: {
    tag: {
      input: z.object({ id: z.string() }),
      // @ts-expect-error `narrow` writes
      narrow: (state) => ({ id: [(state.title = "x")] }),
      // @ts-expect-error `describe` writes
      describe: (_, before) => (before.title = "x"),
      apply(draft, { id }) {
        draft.title = id;
        draft.boxes.push({ id, tags: [] });
        draft.boxes.reverse();
        draft.byId[id] = { count: 1 };
        delete draft.byId[id];
        expectTypeOf(draft).toEqualTypeOf<z.infer<typeof Shelf>>();
      },
    },
  },
});
type Held = StateOf<typeof shelf>;
declare const thread: Thread<typeof shelf>;
declare const replica: Replica<typeof shelf>;

describe("a state", () => {
  it("is the same readonly type wherever it is read", async () => {
    expectTypeOf<Held>().toEqualTypeOf<ReadonlyDeep<z.infer<typeof Shelf>>>();
    expectTypeOf(shelf.initial).toEqualTypeOf<Held>();
    expectTypeOf(shelf.reduce(undefined, null)).toEqualTypeOf<Held>();
    expectTypeOf(shelf.transition(undefined, {}).state).toEqualTypeOf<Held>();
    expectTypeOf(thread.getState()).toEqualTypeOf<Held>();
    expectTypeOf(thread.subscribe).parameter(0).parameter(0).toEqualTypeOf<Held>();
    expectTypeOf(await thread.stateAt(1)).toEqualTypeOf<Held>();
    expectTypeOf(replica.getState()).toEqualTypeOf<Held>();
    expectTypeOf(replay(shelf, []).state).toEqualTypeOf<Held>();
    expectTypeOf(replayLog(shelf, await thread.history()).state).toEqualTypeOf<Held>();
    expectTypeOf(defineAgentState({ shelf }).initial.shelf).toEqualTypeOf<Held>();
    checkDefinition(shelf, {
      // @ts-expect-error an invariant writes
      invariants: { empty: (state) => (state.title = "") === "" },
    });
  });

  it("cannot be written to", () => {
    const state = thread.getState();
    // @ts-expect-error a field
    state.title = "";
    // @ts-expect-error a list
    state.boxes.push({ id: "a", tags: [] });
    // @ts-expect-error in place
    state.boxes.reverse();
    // @ts-expect-error a field of an item
    state.boxes[0]!.id = "b";
    // @ts-expect-error a list of an item
    state.boxes[0]!.tags.push("new");
    // @ts-expect-error a record
    state.byId["a"] = { count: 1 };
    // @ts-expect-error a value of a record
    state.byId["b"]!.count = 2;
    // Nor passed to who might.
    expectTypeOf(state).not.toExtend<z.infer<typeof Shelf>>();
    expectTypeOf([...state.boxes].reverse()).toExtend<readonly { readonly id: string }[]>();
  });

  it("is accepted again, and so is a mutable one", () => {
    const edited = {} as z.infer<typeof Shelf>;
    shelf.reduce(thread.getState(), thread.getState());
    shelf.reduce(edited, edited);
    shelf.transition(edited, null);
    shelf.can(edited, shelf.op.tag({ id: "a" }));
    replay(shelf, [], { version: 1, state: edited });
    defineState({ name: "copy", schema: Shelf, initial: shelf.initial, operations: {} });
    checkDefinition(shelf, { states: [edited, shelf.initial] });
  });

  it("is mutable as a draft", () => {
    expectTypeOf<DraftOf<typeof shelf>>().toEqualTypeOf<z.infer<typeof Shelf>>();
    const nullable = defineState({ name: "shelf", schema: Shelf, initial: null, operations: {} });
    expectTypeOf<DraftOf<typeof nullable>>().toEqualTypeOf<z.infer<typeof Shelf>>();
    expectTypeOf<StateOf<typeof nullable>>().toEqualTypeOf<Held | null>();
  });
});

describe("ReadonlyDeep", () => {
  type Tree = { name: string; children: Tree[]; byName: Record<string, Tree> };
  type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
  type Id = string & z.core.$brand<"Id">;

  it("leaves what is no container as it is", () => {
    type Plain = string | 1 | true | null | undefined | bigint;
    expectTypeOf<ReadonlyDeep<Plain>>().toEqualTypeOf<Plain>();
    expectTypeOf<ReadonlyDeep<unknown>>().toBeUnknown();
    expectTypeOf<ReadonlyDeep<any>>().toBeAny();
    expectTypeOf<ReadonlyDeep<never>>().toBeNever();
    expectTypeOf<ReadonlyDeep<Id>>().toEqualTypeOf<Id>();
    expectTypeOf<ReadonlyDeep<{ id: Id }>["id"]>().toEqualTypeOf<Id>();
    expectTypeOf<ReadonlyDeep<() => string[]>>().toEqualTypeOf<() => string[]>();
  });

  it("makes lists, tuples and records readonly, and keeps what is optional", () => {
    expectTypeOf<ReadonlyDeep<{ a: string }[][]>>().toEqualTypeOf<readonly (readonly { readonly a: string }[])[]>();
    expectTypeOf<ReadonlyDeep<[string, { a: 1 }?]>>().toEqualTypeOf<readonly [string, { readonly a: 1 }?]>();
    expectTypeOf<ReadonlyDeep<[string, ...number[]]>>().toEqualTypeOf<readonly [string, ...number[]]>();
    expectTypeOf<ReadonlyDeep<[]>>().toEqualTypeOf<readonly []>();
    expectTypeOf<ReadonlyDeep<Record<string, string[]>>>().toEqualTypeOf<Readonly<Record<string, readonly string[]>>>();
    expectTypeOf<ReadonlyDeep<{ a?: string[]; b: unknown }>>().toEqualTypeOf<{
      readonly a?: readonly string[];
      readonly b: unknown;
    }>();
    expectTypeOf<ReadonlyDeep<readonly { a: 1 }[]>>().toEqualTypeOf<readonly { readonly a: 1 }[]>();
  });

  it("goes into each member of a union, which stays discriminated", () => {
    type Shape = { kind: "dot" } | { kind: "line"; points: number[] };
    const count = (shape: ReadonlyDeep<Shape>) => (shape.kind === "line" ? shape.points.length : 0);
    expectTypeOf(count).returns.toBeNumber();
    // @ts-expect-error a list
    const grow = (shape: ReadonlyDeep<Shape>) => shape.kind === "line" && shape.points.push(1);
    expectTypeOf(grow).toBeFunction();
  });

  it("ends for types that contain themselves", () => {
    const tree = {} as ReadonlyDeep<Tree>;
    // @ts-expect-error three levels down
    tree.children[0]!.byName["a"]!.children.push(tree);
    expectTypeOf<Tree>().toExtend<ReadonlyDeep<Tree>>();
    expectTypeOf(tree).not.toExtend<Tree>();
    const json: ReadonlyDeep<{ list: Json[] }> = { list: [{ a: [1, "b", null] }] };
    // @ts-expect-error a list of any JSON
    json.list.push(1);
    expectTypeOf<Json>().toExtend<ReadonlyDeep<Json>>();
    const any = defineState({ name: "any", schema: z.record(z.string(), z.json()), initial: {}, operations: {} });
    any.reduce(any.initial, { a: { b: [1] } });
  });

  it("is itself when it is applied again", () => {
    expectTypeOf<ReadonlyDeep<Held>>().toEqualTypeOf<Held>();
  });
});
