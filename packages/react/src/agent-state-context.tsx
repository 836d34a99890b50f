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

import {
  defined,
  type Actor,
  type AnyDefinition,
  type OperationOf,
  type Rejection,
  type Replica,
  type ReplicaOptions,
  type StateOf,
  type Sync,
  type Transport,
  type AcceptedOperationOf,
} from "@opstate/core";
import {
  createProposalFeed,
  createReplicaCache,
  createUndoStack,
  type HistoryFeedOptions,
  type HistorySource,
  type CachedReplica,
  type PageReplicaOptions,
  type ProposalFeed,
  type ThreadAccess,
  type UndoStack,
} from "@opstate/core/feeds";
import { type Client, type ClientThread, detachedThread, type ThreadOptions } from "@opstate/client";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useAgentState } from "./agent-state.ts";
import { useCan } from "./can.ts";
import { useDispatch } from "./dispatch.ts";
import { type History, useHistory } from "./history.ts";
import { useStable } from "./stable.ts";
import { type Presence, usePresence } from "./presence.ts";
import { type Proposals, useProposals } from "./proposals.ts";
import type { IsEqual } from "./selection.ts";
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
export type ThreadProviderProps<D extends AnyDefinition> = { readonly children?: ReactNode } & (
  | ({ readonly client: Client; readonly threadId: string; readonly thread?: never } & ThreadOptions<D>)
  | { readonly thread: ClientThread<D>; readonly client?: never }
);

/**
 * A replica, or the options to create one; and `access`, which history, undo and proposals need.
 * All of them may be created while rendering. With another thread, address or actor the provider
 * switches to another replica; pending edits of the earlier one are still sent to their own thread.
 * Only a new replica reads `initial`.
 */
export type ReplicaProviderProps<D extends AnyDefinition> = {
  readonly client?: never;
  readonly thread?: never;
  readonly children?: ReactNode;
  /** `threadClient(options)`, or `accessThread(thread, actor)`. */
  readonly access?: ThreadAccess<D>;
  /**
   * The actor who uses the page. With it, permissions are checked before anything is sent, and
   * `useUndo` has the edits of this actor.
   */
  readonly actor?: Actor;
} & (
  | { readonly replica: Replica<D> }
  | {
      readonly replica?: never;
      readonly transport: Transport;
      /**
       * The snapshot that the page was rendered from. The first render shows it, and the connection
       * continues from its version.
       */
      readonly initial?: NonNullable<ReplicaOptions<D>["snapshot"]>;
    }
);

export type ProviderProps<D extends AnyDefinition> = ThreadProviderProps<D> | ReplicaProviderProps<D>;

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
 * Creates a provider and hooks for one definition, so that components need no replica as a prop.
 *
 * @example
 * ```tsx
 * export const Board = createAgentStateContext(board);
 *
 * <Board.Provider transport={httpTransport(options)} access={threadClient(options)} initial={{ version, state }}>
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

/** What the hooks read of a provider; what both a thread and a replica have. */
type Source<D extends AnyDefinition> = Pick<
  Replica<D>,
  "definition" | "getState" | "getInitialState" | "subscribe" | "dispatch" | "sync" | "ready"
>;

/** The value of the context. None of it is active before a component subscribes. */
interface Provided<D extends AnyDefinition> {
  readonly source: Source<D>;
  readonly thread?: ClientThread<D>;
  readonly replica?: Replica<D>;
  readonly access?: ThreadAccess<D>;
  readonly history?: HistorySource<AcceptedOperationOf<D>>;
  readonly proposals?: ProposalFeed<AcceptedOperationOf<D>>;
  readonly undo?: UndoStack<AcceptedOperationOf<D>>;
}

function provideThread<D extends AnyDefinition>(thread: ClientThread<D>): Provided<D> {
  const { history, proposals, undo, onCommit, onRejection, sync } = thread;
  const { getState, getInitialState, subscribe, redo } = undo;
  return {
    source: thread,
    thread,
    history: { onCommit, onRejection, sync, history: history.read },
    proposals,
    undo: { getState, getInitialState, subscribe, undo: (options) => undo("last", options), redo },
  };
}

function provideReplica<D extends AnyDefinition>(
  replica: Replica<D>,
  { access, actor }: Pick<ReplicaProviderProps<D>, "access" | "actor">,
): Provided<D> {
  if (access === undefined) return { source: replica, replica };
  const history = { ...access, ...replica };
  const undo = actor && createUndoStack(history, actor);
  return { source: replica, replica, access, history, proposals: createProposalFeed(history), ...defined({ undo }) };
}

function missingFor(name: string, { thread, access }: Provided<AnyDefinition>): string {
  if (thread !== undefined)
    return `no ${name}: with a client, useThread has all of it. It needs a transport or a replica`;
  if (name === "thread") return "a client: <Provider client={client} threadId={id}>";
  return access === undefined
    ? "an access, such as threadClient(options)"
    : 'an actor, such as { kind: "user", id: "ada" }';
}

function replicaOptions<D extends AnyDefinition>({
  transport,
  initial,
  actor,
}: Extract<ReplicaProviderProps<D>, { readonly transport: Transport }>): PageReplicaOptions<D> {
  return { transport, ...defined({ snapshot: initial, actor }) };
}
