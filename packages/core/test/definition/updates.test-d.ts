// What `dispatch` and its like accept, and what does not compile.

import { defineState, type Replica, type Thread, type UpdateOf } from "@opstate/core";
import { checkDefinition } from "@opstate/core/testing";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";

const Board = z.object({
  title: z.string(),
  columns: z.array(z.object({ columnId: z.string(), count: z.int(), cards: z.array(z.object({ id: z.string() })) })),
});
const board = defineState({
  name: "board",
  schema: Board,
  initial: null,
  derive: { "/columns/*/count": (column) => column.cards.length },
  operations: {
    move: { input: z.object({ cardId: z.string(), toColumn: z.string() }), apply: () => undefined },
    add: { input: z.object({ card: z.object({ id: z.string(), tags: z.array(z.string()) }) }), apply: () => undefined },
    rename: { input: z.object({ title: z.string() }), apply: () => undefined },
    clear: { input: z.object({}), apply: () => undefined },
  },
});
const scores = defineState({
  name: "scores",
  schema: z.record(z.string(), z.string()),
  initial: {},
  operations: { set: { input: z.object({ name: z.string() }), apply: () => undefined } },
});
declare const whole: z.infer<typeof Board>;
declare const bare: { title: string; columns: { columnId: string; cards: { id: string }[] }[] };
declare const read: NonNullable<ReturnType<typeof board.reduce>>;
declare const tags: readonly string[];
declare const json: unknown;
declare const record: Record<string, string>;
declare const named: { type: string };

/** The same calls for every door. */
type Door = (update: UpdateOf<typeof board>) => unknown;

describe("every door is the same", () => {
  it("of a thread, a replica, a proposal, the reducer and the test kit", () => {
    expectTypeOf<Parameters<Thread<typeof board>["dispatch"]>[0]>().toEqualTypeOf<UpdateOf<typeof board>>();
    expectTypeOf<Parameters<Thread<typeof board>["propose"]>[0]>().toEqualTypeOf<UpdateOf<typeof board>>();
    expectTypeOf<Parameters<Replica<typeof board>["dispatch"]>[0]>().toEqualTypeOf<UpdateOf<typeof board>>();
    expectTypeOf<Parameters<typeof board.reduce>[1]>().toEqualTypeOf<UpdateOf<typeof board> | null | undefined>();
    // @ts-expect-error no such operation
    checkDefinition(board, { examples: [{ type: "mvoe", cardId: "T-1", toColumn: "done" }] });
  });

  it("`submit` accepts anything", () => {
    expectTypeOf<Parameters<Thread<typeof board>["submit"]>[0]>().toBeUnknown();
    expectTypeOf<Parameters<Replica<typeof board>["submit"]>[0]>().toBeUnknown();
    expectTypeOf<ReturnType<Thread<typeof board>["submit"]>>().toEqualTypeOf<
      ReturnType<Thread<typeof board>["dispatch"]>
    >();
  });

  it("a thread of any definition accepts anything", () => {
    const thread = {} as Thread;
    void thread.dispatch(json, { actor: { kind: "user", id: "ada" } });
    expectTypeOf<Thread<typeof board>>().toExtend<Thread>();
    expectTypeOf<Replica<typeof board>>().toExtend<Replica>();
  });
});

describe("an operation", () => {
  const dispatch = {} as Door;

  it("is accepted as a literal, from its creator, and with parts of a state", () => {
    dispatch({ type: "move", cardId: "T-1", toColumn: "done" });
    dispatch({ type: "clear" });
    dispatch(board.op.move({ cardId: "T-1", toColumn: "done" }));
    dispatch({ type: "add", card: { id: "T-1", tags } });
    dispatch(board.op.add({ card: { id: "T-1", tags } }));
    dispatch({ type: "$batch", operations: [board.op.clear({}), { type: "rename", title: "Launch" }] });
  });

  it("does not compile with another name, a missing field, or a field of another type", () => {
    // @ts-expect-error there is no such operation
    dispatch({ type: "mvoe", cardId: "T-1", toColumn: "done" });
    // @ts-expect-error `cardId` is missing
    dispatch({ type: "move", toColumn: "done" });
    // @ts-expect-error a card id is a string
    dispatch({ type: "move", cardId: 1, toColumn: "done" });
    // @ts-expect-error any string is not the name of an operation
    dispatch(named);
    // @ts-expect-error any value
    dispatch(json);
    // @ts-expect-error nothing
    dispatch(null);
    // @ts-expect-error nothing
    dispatch({});
  });

  it("does not compile with an excess key, also when another operation has that key", () => {
    // @ts-expect-error no operation has it
    dispatch({ type: "move", cardId: "T-1", toColumn: "done", extra: 1 });
    // @ts-expect-error a replacement has it, and another operation
    dispatch({ type: "move", cardId: "T-1", toColumn: "done", title: "Launch" });
    // @ts-expect-error a replacement has it
    dispatch({ type: "rename", title: "Launch", columns: [] });
    // @ts-expect-error an operation without input has none
    dispatch({ type: "clear", extra: 1 });
    // @ts-expect-error further down
    dispatch({ type: "add", card: { id: "T-1", tags, extra: 1 } });
    // @ts-expect-error in a batch
    dispatch({ type: "$batch", operations: [{ type: "move", cardId: "T-1", toColumn: "done", extra: 1 }] });
    // @ts-expect-error of its creator
    board.op.move({ cardId: "T-1", toColumn: "done", extra: 1 });
  });
});

describe("a replacement", () => {
  const dispatch = {} as Door;

  it("is accepted from zod's inferred type, without derived fields, and as it was read", () => {
    dispatch(whole);
    dispatch(bare);
    dispatch(read);
    dispatch({ ...read, title: "Launch" });
    dispatch({ ...whole, columns: read.columns.filter(({ count }) => count > 0) });
    dispatch({ title: "Launch", columns: [] });
    dispatch({ type: "$replace", value: whole });
    dispatch({ type: "$replace", value: read });
    dispatch({ type: "$replace", value: { title: "Launch", columns: [] } });
  });

  it("does not compile without a field, or with an excess key", () => {
    // @ts-expect-error `columns` is missing
    dispatch({ title: "Launch" });
    // @ts-expect-error no operation has it
    dispatch({ title: "Launch", columns: [], extra: 1 });
    // @ts-expect-error an operation has it
    dispatch({ title: "Launch", columns: [], cardId: "T-1" });
    // @ts-expect-error further down
    dispatch({ title: "Launch", columns: [{ columnId: "todo", cards: [], extra: 1 }] });
    // @ts-expect-error spelled out
    dispatch({ type: "$replace", value: { title: "Launch", columns: [], extra: 1 } });
    // @ts-expect-error spelled out, with a key of the wrong side
    dispatch({ type: "$replace", value: { title: "Launch", columns: [] }, extra: 1 });
  });

  it("of a record may have any key but `type`", () => {
    const send = {} as (update: UpdateOf<typeof scores>) => unknown;
    send({ ada: "10", bob: "7" });
    send(record);
    send({ type: "set", name: "ada" });
    // @ts-expect-error a mistyped operation is no record
    send({ type: "sett", name: "ada" });
    // @ts-expect-error nor is one with an excess key
    send({ type: "set", name: "ada", extra: "1" });
  });
});
