// A context for one definition: a provider of a client's thread, and hooks bound to it.
//
// Invariants:
// - The thread is connected while a component subscribes to it. So rendering connects nothing: a
//   server never connects, a discarded render leaves nothing behind, and StrictMode's second mount
//   opens no second connection.
// - The client keeps its threads outside of the tree, because React drops the state of a tree that
//   suspends before its first mount.
// - On a server, and until the page is hydrated, each render has a thread of its own.

import type { Client, ClientThread, HistoryOptions, ThreadOptions, ThreadSync } from "@opstate/client";
import { detachedThread, type IsEqual } from "@opstate/client/binding";
import type { Actor, AnyDefinition, OperationOf, Rejection, StateOf } from "@opstate/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useAgentState } from "./agent-state.ts";
import { useCan } from "./can.ts";
import { useDispatch } from "./dispatch.ts";
import { type History, useHistory } from "./history.ts";
import { type Presence, usePresence } from "./presence.ts";
import { type Proposals, useProposals } from "./proposals.ts";
import { useIsServer } from "./server.ts";
import { useSuspenseAgentState } from "./suspense.ts";
import { useSync } from "./sync.ts";
import { type Undo, useUndo } from "./undo.ts";

/**
 * A thread of a client; or one that is there already, such as that of `createLocal` or of a branch.
 *
 * The provider follows its props: with another `threadId` or client it switches to that thread, and
 * pending edits of the earlier one are still sent to their own thread. `initial` is the snapshot
 * that the page was rendered from: the first render shows it, and the connection continues from its
 * version.
 */
export type ProviderProps<D extends AnyDefinition> = { readonly children?: ReactNode } & (
  | ({ readonly client: Client; readonly threadId: string; readonly thread?: never } & ThreadOptions<D>)
  | { readonly thread: ClientThread<D>; readonly client?: never; readonly threadId?: never; readonly initial?: never }
);

export interface AgentStateContext<D extends AnyDefinition> {
  readonly Provider: (props: ProviderProps<D>) => ReactNode;
  /** The provider's thread: everything of it in one object. */
  readonly useThread: () => ClientThread<D>;
  readonly useAgentState: {
    (): StateOf<D>;
    <Slice>(selector: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>): Slice;
  };
  /** As `useAgentState`, but suspends until there is a confirmed state. */
  readonly useSuspenseAgentState: AgentStateContext<D>["useAgentState"];
  readonly useDispatch: () => ClientThread<D>["dispatch"];
  readonly useCan: (operation: OperationOf<D> | undefined, actor?: Actor) => Rejection | undefined;
  readonly useSync: {
    (): ThreadSync;
    <Slice>(selector: (sync: ThreadSync) => Slice, isEqual?: IsEqual<Slice>): Slice;
  };
  readonly useHistory: (options?: HistoryOptions) => History<D>;
  /** Undo and redo of the edits of the connection's actor. */
  readonly useUndo: () => Undo<D>;
  readonly useProposals: () => Proposals<D>;
  /** Who else is here. */
  readonly usePresence: () => Presence;
}

/**
 * Creates a provider and hooks for one definition, so that components need no thread as a prop.
 *
 * @example
 * ```tsx
 * export const Board = createAgentStateContext(board);
 *
 * <Board.Provider client={client} threadId="launch" initial={{ version, state }}>
 *   <Columns />
 * </Board.Provider>;
 *
 * function Columns() {
 *   const columns = Board.useAgentState((state) => state.columns);
 *   const dispatch = Board.useDispatch();
 *   // ...
 * }
 * ```
 */
export function createAgentStateContext<D extends AnyDefinition>(definition: D): AgentStateContext<D> {
  const Context = createContext<ClientThread<D> | undefined>(undefined);

  function Provider({ children, client, threadId, initial, thread: own }: ProviderProps<D>): ReactNode {
    const onServer = useIsServer();
    // The thread of a render on the server, and of the page until it is hydrated.
    const [rendered] = useState(() =>
      onServer && client !== undefined ? detachedThread(definition, threadId, { initial }) : undefined,
    );
    const thread = own ?? (onServer ? rendered : client?.thread(definition, threadId, { initial }));
    return <Context value={thread}>{children}</Context>;
  }

  function useThread(): ClientThread<D> {
    const thread = useContext(Context);
    if (thread !== undefined) return thread;
    throw new TypeError(`This component has no provider of "${definition.name}" above it.`);
  }

  return {
    Provider,
    useThread,
    useAgentState: <Slice,>(selector?: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>) =>
      useAgentState(useThread(), selector as (state: StateOf<D>) => Slice, isEqual),
    useSuspenseAgentState: <Slice,>(selector?: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>) =>
      useSuspenseAgentState(useThread(), selector as (state: StateOf<D>) => Slice, isEqual),
    useDispatch: () => useDispatch(useThread()),
    useCan: (operation, actor) => useCan(useThread(), operation, actor),
    useSync: <Slice,>(selector?: (sync: ThreadSync) => Slice, isEqual?: IsEqual<Slice>) =>
      useSync(useThread(), selector as (sync: ThreadSync) => Slice, isEqual),
    useHistory: (options) => useHistory(useThread(), options),
    useUndo: () => useUndo(useThread()),
    useProposals: () => useProposals(useThread()),
    usePresence: () => usePresence(useThread()),
  };
}
