// A context for one definition: a provider of a client's thread, and hooks bound to it.
//
// Invariants:
// - The thread is connected while a component subscribes to it. So rendering connects nothing: a
//   server never connects, a discarded render leaves nothing behind, and StrictMode's second mount
//   opens no second connection.
// - The client keeps its threads outside of the tree, because React drops the state of a tree that
//   suspends before its first mount.
// - On a server, and until the page is hydrated, each render has a thread of its own.
//
// A provider of a replica or a transport, from before there was a client, follows the same rules.

import type {
  AcceptedOperationOf,
  Actor,
  AnyDefinition,
  OperationOf,
  Rejection,
  Replica,
  StateOf,
  Sync,
} from "@opstate/core";
import {
  type CachedReplica,
  createReplicaCache,
  type HistoryFeedOptions,
  type ThreadAccess,
} from "@opstate/core/feeds";
import { type ClientThread, detachedThread } from "@opstate/client";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useAgentState } from "./agent-state.ts";
import { useCan } from "./can.ts";
import { useDispatch } from "./dispatch.ts";
import { type History, useHistory } from "./history.ts";
import { useStable } from "./stable.ts";
import { type Presence, usePresence } from "./presence.ts";
import { type Proposals, useProposals } from "./proposals.ts";
import { missingFor, type Provided, provideReplica, provideThread } from "./provided.ts";
import { type ProviderProps, type ReplicaProviderProps, replicaOptions } from "./provider-props.ts";
import type { IsEqual } from "./selection.ts";
import { useIsServer } from "./server.ts";
import { useSuspenseAgentState } from "./suspense.ts";
import { useSync } from "./sync.ts";
import { type Undo, useUndo } from "./undo.ts";

export interface AgentStateContext<D extends AnyDefinition> {
  readonly Provider: (props: ProviderProps<D>) => ReactNode;
  /** The thread of a provider with a client: everything of it in one object. */
  readonly useThread: () => ClientThread<D>;
  /** The replica of a provider with a replica or a transport. */
  readonly useReplica: () => Replica<D>;
  /** The provider's access: `approve`, `undo`, `stateAt` and the rest. */
  readonly useAccess: () => ThreadAccess<D>;
  readonly useAgentState: {
    (): StateOf<D>;
    <Slice>(selector: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>): Slice;
  };
  /** As `useAgentState`, but suspends until there is a confirmed state. */
  readonly useSuspenseAgentState: AgentStateContext<D>["useAgentState"];
  readonly useDispatch: () => Replica<D>["dispatch"];
  readonly useCan: (operation: OperationOf<D> | undefined, actor?: Actor) => Rejection | undefined;
  readonly useSync: {
    (): Sync;
    <Slice>(selector: (sync: Sync) => Slice, isEqual?: IsEqual<Slice>): Slice;
  };
  readonly useHistory: (options?: Omit<HistoryFeedOptions, "onError">) => History<AcceptedOperationOf<D>>;
  /** Undo and redo of the edits of the provider's actor. */
  readonly useUndo: () => Undo<AcceptedOperationOf<D>>;
  readonly useProposals: () => Proposals<AcceptedOperationOf<D>>;
  /** Who else is here. Needs a client. */
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
  const Context = createContext<Provided<D> | undefined>(undefined);

  const replicas = createReplicaCache(definition);

  /** The source that the hooks read. */
  function useSource(props: ProviderProps<D>): Replica<D> | ClientThread<D> {
    const onServer = useIsServer();
    // That of a render on the server, and of the page until it is hydrated.
    const [rendered] = useState(() => (onServer ? renderedOnce(props) : undefined));
    if (props.thread !== undefined) return props.thread;
    if (props.client !== undefined) {
      if (onServer && rendered?.thread !== undefined) return rendered.thread;
      return props.client.thread(definition, props.threadId, props);
    }
    if (props.replica !== undefined) return props.replica;
    if (onServer && rendered?.cached !== undefined) return rendered.cached.replica;
    return replicas.get(replicaOptions(props), rendered?.cached);
  }

  function renderedOnce(props: ProviderProps<D>): Rendered<D> {
    if (props.client !== undefined) return { thread: detachedThread(definition, props.threadId, props) };
    if (props.thread !== undefined || props.replica !== undefined) return {};
    return { cached: replicas.create(replicaOptions(props)) };
  }

  function Provider({ children, ...props }: ProviderProps<D>): ReactNode {
    const source = useSource(props);
    const beside: Pick<ReplicaProviderProps<D>, "access" | "actor"> = (props.client ?? props.thread) ? {} : props;
    const provided = useStable(
      () => ("presence" in source ? provideThread(source) : provideReplica(source, beside)),
      source,
      beside.access === undefined,
      beside.actor?.kind,
      beside.actor?.id,
    );
    return <Context value={provided}>{children}</Context>;
  }

  function useProvided(): Provided<D> {
    const provided = useContext(Context);
    if (provided === undefined)
      throw new TypeError(
        `This component has no provider of "${definition.name}" above it. Wrap it in the context's Provider.`,
      );
    return provided;
  }

  function useProvidedPart<Name extends keyof Provided<D>>(name: Name): NonNullable<Provided<D>[Name]> {
    const provided = useProvided();
    const part = provided[name];
    if (part !== undefined) return part;
    throw new TypeError(`The provider of "${definition.name}" needs ${missingFor(name, provided)}.`);
  }

  const useProvidedSource = () => useProvidedPart("source");

  return {
    Provider,
    useThread: () => useProvidedPart("thread"),
    useReplica: () => useProvidedPart("replica"),
    useAccess: () => useProvidedPart("access"),
    useAgentState: <Slice,>(selector?: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>) =>
      useAgentState(useProvidedSource(), selector as (state: StateOf<D>) => Slice, isEqual),
    useSuspenseAgentState: <Slice,>(selector?: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>) =>
      useSuspenseAgentState(useProvidedSource(), selector as (state: StateOf<D>) => Slice, isEqual),
    useDispatch: () => useDispatch(useProvidedSource()),
    useCan: (operation, actor) => useCan(useProvidedSource(), operation, actor),
    useSync: <Slice,>(selector?: (sync: Sync) => Slice, isEqual?: IsEqual<Slice>) =>
      useSync(useProvidedSource(), selector as (sync: Sync) => Slice, isEqual),
    useHistory: (options) => useHistory(useProvidedPart("history"), options),
    useUndo: () => useUndo(useProvidedPart("undo")),
    useProposals: () => useProposals(useProvidedPart("proposals")),
    usePresence: () => usePresence(useProvidedPart("thread")),
  };
}

/** What is rendered on a server, and until the page is hydrated. */
interface Rendered<D extends AnyDefinition> {
  readonly thread?: ClientThread<D>;
  readonly cached?: CachedReplica<D>;
}
