import type { ChatMessage, ChatState } from "@opstate/ag-ui";
import type { Readable, Rejection, Replica, Snapshot, Sync, Thread, Transport, Verdict } from "@opstate/core";
import { AgentState, agentState, type Chat, createAgentStateContext, type Selected } from "@opstate/svelte";
import type { Readable as Store } from "svelte/store";
import { expectTypeOf, test } from "vitest";
import { ada, shelf } from "./shelf.ts";

type Shelf = { title: string; count: number; boxes: { id: string; label: string }[] };
declare const replica: Replica<typeof shelf>;
declare const thread: Thread<typeof shelf>;
declare const plain: Readable<number>;

test("state and slices have the definition's types", () => {
  const board = new AgentState(replica);
  expectTypeOf(board).toEqualTypeOf<AgentState<Replica<typeof shelf>>>();
  expectTypeOf(board.current).toEqualTypeOf<Shelf>();
  expectTypeOf(new AgentState(thread).select((state) => state.count)).toEqualTypeOf<Selected<number>>();
  expectTypeOf(new AgentState(plain).current).toEqualTypeOf<number>();
  // @ts-expect-error -- the state has no such field
  board.select((state) => state.shelves);
  // @ts-expect-error -- what is selected is read only
  board.select((state) => state.count).current = 1;
});

test("dispatch takes the definition's operations", () => {
  const { dispatch } = new AgentState(replica);
  expectTypeOf(dispatch(shelf.op.rename({ title: "" }))).resolves.toExtend<Verdict>();
  const local = new AgentState(thread);
  void local.dispatch({ type: "rename", title: "" }, { actor: ada });
  // @ts-expect-error -- a thread has to know who
  void local.dispatch({ type: "rename", title: "" });
  expectTypeOf(new AgentState(plain).dispatch).toEqualTypeOf<undefined>();
});

test("can and sync", () => {
  const board = new AgentState(replica);
  expectTypeOf(board.can(shelf.op.seal({}))).toEqualTypeOf<Rejection | undefined>();
  // @ts-expect-error -- no such operation
  board.can({ type: "burn" });
  expectTypeOf(board.sync).toEqualTypeOf<Sync>();
  expectTypeOf(new AgentState(thread).sync).toEqualTypeOf<undefined>();
});

test("a store is one of Svelte's", () => {
  const store = agentState(replica);
  expectTypeOf(store).toExtend<Store<Shelf>>();
  void store.dispatch({ type: "rename", title: "" });
});

test("a context knows its definition", (transport: unknown) => {
  const context = createAgentStateContext(shelf);
  expectTypeOf(context.get()).toEqualTypeOf<AgentState<Replica<typeof shelf>>>();
  context.set({ replica });
  context.set({ transport: transport as Transport, initial: { version: 1, state: {} as Shelf } satisfies Snapshot<Shelf> });
  // @ts-expect-error -- the snapshot is another definition's
  context.set({ transport: transport as Transport, initial: { version: 1, state: { count: "one" } } });
});

test("a chat has its session's state", () => {
  interface Mine extends ChatState {
    readonly mood: string;
  }
  type Parts = Pick<Chat, "phase" | "messages" | "error">;
  expectTypeOf<Parts["messages"]>().toEqualTypeOf<readonly ChatMessage[]>();
  expectTypeOf<Chat<Mine>["current"]["mood"]>().toEqualTypeOf<string>();
  // @ts-expect-error -- whatever a chat shows comes from its session
  ((chat: Chat) => void (chat.messages = []))({} as Chat);
});
