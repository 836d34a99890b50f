import type { ChatMessage, ChatState } from "@opstate/ag-ui";
import type {
  HistoryEntry,
  OperationOf,
  ReadonlyDeep,
  Proposal,
  Readable,
  Rejection,
  Replica,
  Snapshot,
  Sync,
  AcceptedOperation,
  Thread,
  Verdict,
} from "@opstate/core";
import type { Client, ClientThread, ThreadSync } from "@opstate/client";
import {
  AgentState,
  agentState,
  type Chat,
  createAgentStateContext,
  History,
  Proposals,
  type Selected,
  type Dependents,
  dependentsOf,
  Undo,
  type UndoOutcome,
  undoOutcome,
} from "@opstate/svelte";
import type { Readable as Store } from "svelte/store";
import { expectTypeOf, test } from "vitest";
import { createStore, type StoreApi } from "zustand/vanilla";
import { ada, shelf } from "./support/shelf.ts";

type Shelf = ReadonlyDeep<{ title: string; count: number; boxes: { id: string; label: string }[] }>;
declare const replica: Replica<typeof shelf>;
declare const thread: Thread<typeof shelf>;
declare const page: ClientThread<typeof shelf>;
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

test("a state is readonly to who selects from it", () => {
  // @ts-expect-error -- a field
  new AgentState(replica).current.title = "";
  // @ts-expect-error -- a list
  new AgentState(replica).select((state) => state.boxes).current.push({ id: "a", label: "A" });
  // @ts-expect-error -- reverses in place
  new AgentState(replica).select((state) => state.boxes).current.reverse();
  // @ts-expect-error -- in a selector
  new AgentState(thread).select((state) => state.boxes.reverse());
});

test("dispatch accepts the definition's operations", () => {
  const { dispatch } = new AgentState(replica);
  expectTypeOf(dispatch(shelf.op.rename({ title: "" }))).resolves.toExtend<Verdict>();
  const local = new AgentState(thread);
  void local.dispatch({ type: "rename", title: "" }, { actor: ada });
  // @ts-expect-error -- a thread has to know who
  void local.dispatch({ type: "rename", title: "" });
  void dispatch({ title: "", boxes: [] });
  // @ts-expect-error -- no such operation
  void dispatch({ type: "burn" });
  // @ts-expect-error -- a field is missing
  void dispatch({ type: "rename" });
  // @ts-expect-error -- an excess key
  void dispatch({ type: "rename", title: "", extra: 1 });
  // @ts-expect-error -- an excess key that a replacement has
  void local.dispatch({ type: "rename", title: "", boxes: [] }, { actor: ada });
  // @ts-expect-error -- an excess key of a replacement
  void dispatch({ title: "", boxes: [], label: "" });
  expectTypeOf(new AgentState(plain).dispatch).toEqualTypeOf<undefined>();
});

test("can and sync", () => {
  const board = new AgentState(replica);
  expectTypeOf(board.can(shelf.op.seal({}))).toEqualTypeOf<Rejection | undefined>();
  // @ts-expect-error -- no such operation
  board.can({ type: "burn" });
  expectTypeOf(board.sync).toEqualTypeOf<Sync>();
  expectTypeOf(new AgentState(page).sync).toEqualTypeOf<ThreadSync>();
  expectTypeOf(new AgentState(thread).sync).toEqualTypeOf<undefined>();
});

test("a store is one of Svelte's", () => {
  const store = agentState(replica);
  expectTypeOf(store).toExtend<Store<Shelf>>();
  void store.dispatch({ type: "rename", title: "" });
});

declare const client: Client;

test("a context knows its definition", () => {
  const context = createAgentStateContext(shelf);
  expectTypeOf(context.get()).toEqualTypeOf<AgentState<ClientThread<typeof shelf>>>();
  context.set(() => ({ thread: page }));
  context.set(() => ({ client, threadId: "a", initial: { version: 1, state: {} as Shelf } satisfies Snapshot<Shelf> }));
  // @ts-expect-error -- the snapshot is another definition's
  context.set(() => ({ client, threadId: "a", initial: { version: 1, state: { count: "one" } } }));
  // @ts-expect-error -- an object would not be followed
  context.set({ thread: page });
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

type Done = AcceptedOperation<OperationOf<typeof shelf>>;

test("a history knows the definition's operations", () => {
  expectTypeOf(new History(page)).toEqualTypeOf<History<typeof shelf>>();
  expectTypeOf(new History(page, { pageSize: 3 }).entries).toEqualTypeOf<readonly HistoryEntry<Done>[]>();
  expectTypeOf(new History(() => page).entries).toEqualTypeOf<readonly HistoryEntry<Done>[]>();
  // @ts-expect-error -- a replica has no history
  void new History(replica);
});

test("an undo knows the definition's operations", () => {
  expectTypeOf(new Undo(page).undo).returns.resolves.toEqualTypeOf<Verdict<Done> | undefined>();
  expectTypeOf(new Undo(() => page).last?.operation).toEqualTypeOf<Done | undefined>();
  // @ts-expect-error -- an opened thread does not know whose edits to undo
  void new Undo(thread);
});

test("proposals know the definition's operations", () => {
  expectTypeOf(new Proposals(page).proposals).toEqualTypeOf<readonly Proposal<Done>[]>();
  expectTypeOf(new Proposals(page).approve).returns.resolves.toEqualTypeOf<Verdict<Done>>();
});

test("a component may accept history, undo and proposals of any definition", () => {
  expectTypeOf(new History(page)).toExtend<History>();
  expectTypeOf(new Undo(page)).toExtend<Undo>();
  expectTypeOf(new Proposals(page)).toExtend<Proposals>();
});

test("a source may be given by a function", () => {
  expectTypeOf(new AgentState(() => page)).toEqualTypeOf<AgentState<ClientThread<typeof shelf>>>();
  expectTypeOf(new AgentState(page.undo).current.canUndo).toEqualTypeOf<boolean>();
});

test("an undo can keep what depends on it, and says what it kept", () => {
  const edits = new Undo(page);
  expectTypeOf(edits.undo).parameter(0).toExtend<{ onDependent?: "refuse" | "drop" | "keep" } | undefined>();
  void edits.redo({ onDependent: "keep" });
  // @ts-expect-error -- there is no such way
  void edits.undo({ onDependent: "ask" });
  expectTypeOf(undoOutcome).returns.toEqualTypeOf<UndoOutcome | undefined>();
  expectTypeOf(dependentsOf).returns.toEqualTypeOf<Dependents | undefined>();
});

test("a context gives them", () => {
  const context = createAgentStateContext(shelf);
  expectTypeOf(context.history({ rejections: true })).toEqualTypeOf<History<typeof shelf>>();
  expectTypeOf(context.undo()).toEqualTypeOf<Undo<typeof shelf>>();
  expectTypeOf(context.proposals()).toEqualTypeOf<Proposals<typeof shelf>>();
  expectTypeOf(context.thread()()).toEqualTypeOf<ClientThread<typeof shelf>>();
});

test("accepts a zustand store", () => {
  const store = createStore<Shelf>()(() => ({ title: "", count: 0, boxes: [] }));
  expectTypeOf(new AgentState(store)).toEqualTypeOf<AgentState<StoreApi<Shelf>>>();
  expectTypeOf(new AgentState(store).current).toEqualTypeOf<Shelf>();
  expectTypeOf(new AgentState(store).select((state) => state.count)).toEqualTypeOf<Selected<number>>();
  expectTypeOf(agentState(store)).toExtend<Store<Shelf>>();
  expectTypeOf(new AgentState(store).dispatch).toEqualTypeOf<undefined>();
});
