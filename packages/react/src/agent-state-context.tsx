// One definition for a part of the tree: a provider that owns (or is given) a replica, and the hooks bound to it.
//
// The provider's replica is connected while a component watches it. So it may be made while rendering: a server never connects, a render
// that React throws away leaves nothing behind, and StrictMode's second mount costs no second connection.

import {
  type Actor,
  type AnyDefinition,
  createReplica,
  type OperationOf,
  type Rejection,
  type Replica,
  type ReplicaOptions,
  type StateOf,
  type Sync,
  type Transport,
} from "@opstate/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useAgentState } from "./agent-state.ts";
import { useCan } from "./can.ts";
import { useDispatch } from "./dispatch.ts";
import type { IsEqual } from "./selection.ts";
import { useSync } from "./sync.ts";

/** A replica that is somebody else's, or what one is made from. The latter is read once, when the provider is first rendered. */
export type ProviderProps<D extends AnyDefinition> = { readonly children?: ReactNode } & (
  | { readonly replica: Replica<D> }
  | {
      readonly replica?: never;
      readonly transport: Transport;
      /** The snapshot that the page was rendered from: the first render shows it, the connection goes on from its version. */
      readonly initial?: NonNullable<ReplicaOptions<D>["snapshot"]>;
      readonly actor?: Actor;
    }
);

export interface AgentStateContext<D extends AnyDefinition> {
  readonly Provider: (props: ProviderProps<D>) => ReactNode;
  /** The provider's replica. */
  readonly useReplica: () => Replica<D>;
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
}

/**
 * A provider and hooks for one definition, so that components need not be handed a replica.
 *
 * @example
 * ```tsx
 * export const Board = createAgentStateContext(board);
 *
 * <Board.Provider transport={httpTransport({ url: "", threadId: "demo" })} initial={{ version, state }}>
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
  const Context = createContext<Replica<D> | undefined>(undefined);

  function Provider({ children, ...props }: ProviderProps<D>): ReactNode {
    const [own] = useState(() => (props.replica === undefined ? replicaOf(definition, props) : undefined));
    const replica = props.replica ?? own;
    if (replica === undefined)
      throw new TypeError(`The provider of "${definition.name}" was given a replica at first: go on giving one, or give it another key.`);
    return <Context value={replica}>{children}</Context>;
  }

  function useReplica(): Replica<D> {
    const replica = useContext(Context);
    if (replica === undefined)
      throw new TypeError(`There is no provider of "${definition.name}" above this component. Wrap it in the context's Provider.`);
    return replica;
  }

  return {
    Provider,
    useReplica,
    useAgentState: <Slice,>(selector?: (state: StateOf<D>) => Slice, isEqual?: IsEqual<Slice>) =>
      useAgentState(useReplica(), selector as (state: StateOf<D>) => Slice, isEqual),
    useDispatch: () => useDispatch(useReplica()),
    useCan: (operation, actor) => useCan(useReplica(), operation, actor),
    useSync: <Slice,>(selector?: (sync: Sync) => Slice, isEqual?: IsEqual<Slice>) =>
      useSync(useReplica(), selector as (sync: Sync) => Slice, isEqual),
  };
}

function replicaOf<D extends AnyDefinition>(
  definition: D,
  { transport, initial, actor }: Exclude<ProviderProps<D>, { readonly replica: Replica<D> }>,
): Replica<D> {
  return createReplica({
    definition,
    transport,
    connect: "while watched",
    ...(initial === undefined ? {} : { snapshot: initial }),
    ...(actor === undefined ? {} : { actor }),
  });
}
