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
import type { LocalAccess, ThreadAccess } from "@opstate/core/feeds";
import {
  connectDevtools,
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
import { expectTypeOf, test } from "vitest";
import { ada, shelf } from "./shelf.ts";

type Shelf = ReadonlyDeep<{ title: string; count: number; boxes: { id: string; label: string }[] }>;
declare const replica: Replica<typeof shelf>;
declare const thread: Thread<typeof shelf>;

test("state and slices have the definition's types", () => {
  expectTypeOf(useAgentState(replica)).toEqualTypeOf<Shelf>();
  expectTypeOf(useAgentState(thread, (state) => state.count)).toEqualTypeOf<number>();
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

test("dispatch takes the definition's operations", () => {
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
  expectTypeOf(useSync(replica)).toEqualTypeOf<Sync>();
  expectTypeOf(useSync(replica, (sync) => sync.version)).toEqualTypeOf<number>();
});

type Entry = HistoryEntry<AcceptedOperation<OperationOf<typeof shelf>>>;
declare const access: LocalAccess<typeof shelf>;
declare const client: ThreadAccess<typeof shelf>;

test("history, undo and proposals have the definition's operations", () => {
  expectTypeOf(useHistory(thread).entries).toEqualTypeOf<readonly Entry[]>();
  expectTypeOf(useHistory({ ...replica, ...client }).entries).toEqualTypeOf<readonly Entry[]>();
  expectTypeOf(useProposals(thread).proposals[0]?.operation).toEqualTypeOf<
    AcceptedOperation<OperationOf<typeof shelf>> | undefined
  >();
  expectTypeOf(useUndo(access, ada).last?.operation).toEqualTypeOf<
    AcceptedOperation<OperationOf<typeof shelf>> | undefined
  >();
  expectTypeOf(useUndo({ ...replica, ...client }, (commit) => commit.actor.id === "ada").undo()).resolves.toExtend<
    Verdict | undefined
  >();
  // @ts-expect-error -- a thread does not know whose edits are meant, nor who takes them back
  useUndo(thread, ada);
});

test("a context has them without being told the source", () => {
  const Shelf = createAgentStateContext(shelf);
  expectTypeOf(Shelf.useHistory().entries).toEqualTypeOf<readonly Entry[]>();
  expectTypeOf(Shelf.useAccess()).toEqualTypeOf<ThreadAccess<typeof shelf>>();
  expectTypeOf(Shelf.useAgentState((state) => state.count)).toEqualTypeOf<number>();
});

declare const session: ChatSession;
declare const mine: ChatSession<ChatState & { readonly drafts: number }>;

test("an undo can keep what depends on it, and says what it kept", () => {
  const stack = useUndo(access, ada);
  expectTypeOf(stack.undo).parameter(0).toExtend<{ onDependent?: "refuse" | "drop" | "keep" } | undefined>();
  void stack.redo({ onDependent: "keep" });
  void client.undo({ runId: "run" }, { onDependent: "keep" });
  void access.redo("undo", { onDependent: "keep" });
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
  expectTypeOf(createAgentStore(thread, { devtools: { name: "shelf" } }).getState()).toEqualTypeOf<Shelf>();
});
