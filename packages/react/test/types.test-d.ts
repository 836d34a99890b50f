import type { Rejection, Replica, Sync, Thread, Verdict } from "@opstate/core";
import { createAgentStore, useAgentState, useCan, useDispatch, useSync } from "@opstate/react";
import { expectTypeOf, test } from "vitest";
import { ada, shelf } from "./shelf.ts";

type Shelf = { title: string; count: number; boxes: { id: string; label: string }[] };
declare const replica: Replica<typeof shelf>;
declare const thread: Thread<typeof shelf>;

test("state and slices have the definition's types", () => {
  expectTypeOf(useAgentState(replica)).toEqualTypeOf<Shelf>();
  expectTypeOf(useAgentState(thread, (state) => state.count)).toEqualTypeOf<number>();
  expectTypeOf(useAgentState(createAgentStore(replica))).toEqualTypeOf<Shelf>();
  // @ts-expect-error -- the state has no such field
  useAgentState(replica, (state) => state.shelves);
});

test("dispatch takes the definition's operations", () => {
  const dispatch = useDispatch(replica);
  expectTypeOf(dispatch(shelf.op.rename({ title: "" }))).resolves.toExtend<Verdict>();
  const submit = useDispatch(thread);
  void submit({ type: "rename", title: "" }, { actor: ada });
  // @ts-expect-error -- a thread has to know who
  void submit({ type: "rename", title: "" });
});

test("can and sync", () => {
  expectTypeOf(useCan(replica, shelf.op.seal({}))).toEqualTypeOf<Rejection | undefined>();
  // @ts-expect-error -- no such operation
  useCan(replica, { type: "burn" });
  expectTypeOf(useSync(replica)).toEqualTypeOf<Sync>();
  expectTypeOf(useSync(replica, (sync) => sync.version)).toEqualTypeOf<number>();
});
