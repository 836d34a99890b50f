// A context for one definition: a provider that creates or receives a replica, and hooks bound to
// it.
//
// Invariants:
// - The provider's replica is connected while a component subscribes to it. So it may be created
//   while rendering: a server never connects, a discarded render leaves nothing behind, and
//   StrictMode's second mount opens no second connection.
// - The replica is cached outside of the tree, because React drops the state of a tree that
//   suspends before its first mount.
// - On a server, each render has its own replica.

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
  type PageReplicaOptions,
  type ProposalFeed,
  type ThreadAccess,
  type UndoStack,
} from "@opstate/core/feeds";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useAgentState } from "./agent-state.ts";
import { useCan } from "./can.ts";
import { useDispatch } from "./dispatch.ts";
import { type History, useHistory } from "./history.ts";
import { useStable } from "./stable.ts";
import { type Proposals, useProposals } from "./proposals.ts";
import type { IsEqual } from "./selection.ts";
import { useIsServer } from "./server.ts";
import { useSync } from "./sync.ts";
import { type Undo, useUndo } from "./undo.ts";

/**
 * A replica, or the options to create one; and `access`, which history, undo and proposals need.
 * All of them may be created while rendering. With another thread, address or actor the provider
 * switches to another replica; pending edits of the earlier one are still sent to their own thread.
 * Only a new replica reads `initial`.
 */
export type ProviderProps<D extends AnyDefinition> = {
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

export interface AgentStateContext<D extends AnyDefinition> {
  readonly Provider: (props: ProviderProps<D>) => ReactNode;
  /** The provider's replica. */
  readonly useReplica: () => Replica<D>;
  /** The provider's access: `approve`, `undo`, `stateAt` and the rest. */
  readonly useAccess: () => ThreadAccess<D>;
  readonly useAgentState: {
    (): StateOf<D>;
    <Slice>(selector: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>): Slice;
  };
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

  function useProvidedReplica(props: ProviderProps<D>): Replica<D> {
    const onServer = useIsServer();
    // The replica of a render on the server, and of the page until it is hydrated.
    const [rendered] = useState(() =>
      onServer && props.replica === undefined ? replicas.create(replicaOptions(props)) : undefined,
    );
    if (props.replica !== undefined) return props.replica;
    return onServer && rendered !== undefined ? rendered.replica : replicas.get(replicaOptions(props), rendered);
  }

  function Provider({ children, ...props }: ProviderProps<D>): ReactNode {
    const replica = useProvidedReplica(props);
    const { access, actor } = props;
    const provided = useStable(() => provide(replica, props), replica, access === undefined, actor?.kind, actor?.id);
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

  function useProvidedPart<Name extends "access" | "source" | "proposals" | "undo">(
    name: Name,
  ): NonNullable<Provided<D>[Name]> {
    const provided = useProvided();
    const part = provided[name];
    if (part !== undefined) return part;
    const missing =
      provided.access === undefined
        ? "access, such as threadClient(options)"
        : 'actor, such as { kind: "user", id: "ada" }';
    throw new TypeError(`The provider of "${definition.name}" needs an ${missing}.`);
  }

  const useReplica = () => useProvided().replica;

  return {
    Provider,
    useReplica,
    useAccess: () => useProvidedPart("access"),
    useAgentState: <Slice,>(selector?: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>) =>
      useAgentState(useReplica(), selector as (state: StateOf<D>) => Slice, isEqual),
    useDispatch: () => useDispatch(useReplica()),
    useCan: (operation, actor) => useCan(useReplica(), operation, actor),
    useSync: <Slice,>(selector?: (sync: Sync) => Slice, isEqual?: IsEqual<Slice>) =>
      useSync(useReplica(), selector as (sync: Sync) => Slice, isEqual),
    useHistory: (options) => useHistory(useProvidedPart("source"), options),
    useUndo: () => useUndo(useProvidedPart("undo")),
    useProposals: () => useProposals(useProvidedPart("proposals")),
  };
}

/** The value of the context. None of it is active before a component subscribes. */
interface Provided<D extends AnyDefinition> {
  readonly replica: Replica<D>;
  readonly access?: ThreadAccess<D>;
  readonly source?: HistorySource<AcceptedOperationOf<D>>;
  readonly proposals?: ProposalFeed<AcceptedOperationOf<D>>;
  readonly undo?: UndoStack<AcceptedOperationOf<D>>;
}

function provide<D extends AnyDefinition>(
  replica: Replica<D>,
  { access, actor }: Pick<ProviderProps<D>, "access" | "actor">,
): Provided<D> {
  if (access === undefined) return { replica };
  const source = { ...access, ...replica };
  const proposals = createProposalFeed(source);
  return { replica, access, source, proposals, ...defined({ undo: actor && createUndoStack(source, actor) }) };
}

function replicaOptions<D extends AnyDefinition>({
  transport,
  initial,
  actor,
}: Exclude<ProviderProps<D>, { readonly replica: Replica<D> }>): PageReplicaOptions<D> {
  return { transport, ...defined({ snapshot: initial, actor }) };
}
