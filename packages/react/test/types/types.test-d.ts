import type { ChatMessage, ChatSession, ChatState } from "@opstate/ag-ui";
import type {
  HistoryEntry,
  OperationOf,
  ReadonlyDeep,
  Rejection,
  Replica,
  Sync,
  AcceptedOperation,
  Thread,
  Verdict,
} from "@opstate/core";
import type { ClientThread, ThreadSync } from "@opstate/client";
import {
  createAgentStateContext,
  createAgentStore,
  useAgentState,
  useCan,
  useChat,
  useDispatch,
  useHistory,
  useProposals,
  useSync,
  type Dependents,
  dependentsOf,
  type UndoOutcome,
  undoOutcome,
  useUndo,
} from "@opstate/react";
import { connectDevtools } from "@opstate/react/devtools";
import { expectTypeOf, test } from "vitest";
import { ada, shelf } from "../support/shelf.ts";

type Shelf = ReadonlyDeep<{ title: string; count: number; boxes: { id: string; label: string }[] }>;
declare const replica: Replica<typeof shelf>;
declare const thread: Thread<typeof shelf>;
declare const page: ClientThread<typeof shelf>;

test("state and slices have the definition's types", () => {
  expectTypeOf(useAgentState(replica)).toEqualTypeOf<Shelf>();
  expectTypeOf(useAgentState(thread, (state) => state.count)).toEqualTypeOf<number>();
  expectTypeOf(useAgentState(page)).toEqualTypeOf<Shelf>();
  expectTypeOf(useAgentState(createAgentStore(replica))).toEqualTypeOf<Shelf>();
  // @ts-expect-error -- the state has no such field
  useAgentState(replica, (state) => state.shelves);
});

test("a state is readonly to who selects from it", () => {
  // @ts-expect-error -- a field
  useAgentState(replica).title = "";
  // @ts-expect-error -- a list
  useAgentState(replica, (state) => state.boxes).push({ id: "a", label: "A" });
  // @ts-expect-error -- reverses in place
  useAgentState(replica, (state) => state.boxes).reverse();
  // @ts-expect-error -- in a selector
  useAgentState(thread, (state) => state.boxes.reverse());
});

test("dispatch accepts the definition's operations", () => {
  const dispatch = useDispatch(replica);
  expectTypeOf(dispatch(shelf.op.rename({ title: "" }))).resolves.toExtend<Verdict>();
  const submit = useDispatch(thread);
  void submit({ type: "rename", title: "" }, { actor: ada });
  // @ts-expect-error -- a thread has to know who
  void submit({ type: "rename", title: "" });
  void dispatch({ title: "", boxes: [] });
  // @ts-expect-error -- no such operation
  void dispatch({ type: "burn" });
  // @ts-expect-error -- a field is missing
  void dispatch({ type: "rename" });
  // @ts-expect-error -- an excess key
  void dispatch({ type: "rename", title: "", extra: 1 });
  // @ts-expect-error -- an excess key that a replacement has
  void submit({ type: "rename", title: "", boxes: [] }, { actor: ada });
  // @ts-expect-error -- an excess key of a replacement
  void dispatch({ title: "", boxes: [], label: "" });
});

test("can and sync", () => {
  expectTypeOf(useCan(replica, shelf.op.seal({}))).toEqualTypeOf<Rejection | undefined>();
  // @ts-expect-error -- no such operation
  useCan(replica, { type: "burn" });
  expectTypeOf(useCan(page, shelf.op.seal({}))).toEqualTypeOf<Rejection | undefined>();
  expectTypeOf(useSync(replica)).toEqualTypeOf<Sync>();
  expectTypeOf(useSync(page)).toEqualTypeOf<ThreadSync>();
  expectTypeOf(useSync(replica, (sync) => sync.version)).toEqualTypeOf<number>();
});

type Entry = HistoryEntry<AcceptedOperation<OperationOf<typeof shelf>>>;

test("history, undo and proposals have the definition's operations", () => {
  type Done = AcceptedOperation<OperationOf<typeof shelf>>;
  expectTypeOf(useHistory(page).entries).toEqualTypeOf<readonly Entry[]>();
  expectTypeOf(useHistory(page, { pageSize: 3, rejections: true }).entries).toEqualTypeOf<readonly Entry[]>();
  expectTypeOf(useProposals(page).proposals[0]?.operation).toEqualTypeOf<Done | undefined>();
  expectTypeOf(useProposals(page).approve).returns.resolves.toEqualTypeOf<Verdict<Done>>();
  expectTypeOf(useUndo(page).last?.operation).toEqualTypeOf<Done | undefined>();
  expectTypeOf(useUndo(page).undo).returns.resolves.toEqualTypeOf<Verdict<Done> | undefined>();
  // @ts-expect-error -- an opened thread does not know whose edits to undo
  useUndo(thread);
  // @ts-expect-error -- a replica has no history
  useHistory(replica);
});

test("a context has them without the source as an argument", () => {
  const Shelf = createAgentStateContext(shelf);
  expectTypeOf(Shelf.useHistory().entries).toEqualTypeOf<readonly Entry[]>();
  expectTypeOf(Shelf.useThread()).toEqualTypeOf<ClientThread<typeof shelf>>();
  expectTypeOf(Shelf.useAgentState((state) => state.count)).toEqualTypeOf<number>();
});

declare const session: ChatSession;
declare const mine: ChatSession<ChatState & { readonly drafts: number }>;

test("an undo can keep what depends on it, and says what it kept", () => {
  const stack = useUndo(page);
  expectTypeOf(stack.undo).parameter(0).toExtend<{ onDependent?: "refuse" | "drop" | "keep" } | undefined>();
  void stack.redo({ onDependent: "keep" });
  void page.undo({ runId: "run" }, { onDependent: "keep" });
  // @ts-expect-error -- there is no such way
  void stack.undo({ onDependent: "ask" });
  expectTypeOf(undoOutcome).returns.toEqualTypeOf<UndoOutcome | undefined>();
  expectTypeOf(dependentsOf).returns.toEqualTypeOf<Dependents | undefined>();
});

test("a chat has the session's state, and its calls", () => {
  expectTypeOf(useChat(session).messages).toEqualTypeOf<readonly ChatMessage[]>();
  expectTypeOf(useChat(session).send).toEqualTypeOf<ChatSession["send"]>();
  expectTypeOf(useChat(mine).drafts).toEqualTypeOf<number>();
  expectTypeOf(useChat(mine, (chat) => chat.drafts)).toEqualTypeOf<number>();
});

test("devtools give a view of the state", () => {
  expectTypeOf(connectDevtools(replica, { name: "shelf" }).getState()).toEqualTypeOf<Shelf>();
  expectTypeOf(connectDevtools(page, { name: "shelf" })).toExtend<ClientThread<typeof shelf>>();
});
