// One definition for a part of the tree: a component sets the replica, those below it get it.
//
// The replica is made for one rendering of a page, never for a module, so two requests to a server cannot share it. It is connected while
// a component watches it: a server never connects, and nothing has to be closed.

import { type Actor, type AnyDefinition, createReplica, type Replica, type ReplicaOptions, type Transport } from "@opstate/core";
import { getContext, setContext } from "svelte";
import { AgentState } from "./agent-state.svelte.ts";

/** A replica that is somebody else's, or what one is made from. */
export type AgentStateSetting<D extends AnyDefinition> =
  | { readonly replica: Replica<D> }
  | {
      readonly replica?: never;
      readonly transport: Transport;
      /** The snapshot that the page was rendered from: the first render shows it, the connection goes on from its version. */
      readonly initial?: NonNullable<ReplicaOptions<D>["snapshot"]>;
      readonly actor?: Actor;
    };

export interface AgentStateContext<D extends AnyDefinition> {
  /** For the components below. Call it while a component is set up, once. */
  set(setting: AgentStateSetting<D>): AgentState<Replica<D>>;
  /** What a component above set. Call it while a component is set up. */
  get(): AgentState<Replica<D>>;
}

/**
 * A typed context for one definition, so that components need not be handed a replica.
 *
 * @example
 * ```svelte
 * <!-- board-context.ts: export const boardContext = createAgentStateContext(board); -->
 *
 * <!-- +page.svelte; `data.board` is what its `load` gave: { version, state } -->
 * <script lang="ts">
 *   boardContext.set({ transport: httpTransport({ url: "", threadId: "demo" }), initial: data.board });
 * </script>
 *
 * <!-- Columns.svelte, anywhere below -->
 * <script lang="ts">
 *   const board = boardContext.get();
 *   const columns = $derived(board.current.columns);
 * </script>
 * ```
 */
export function createAgentStateContext<D extends AnyDefinition>(definition: D): AgentStateContext<D> {
  const key = Symbol(definition.name);
  return {
    set: (setting) => setContext(key, new AgentState(setting.replica ?? replicaOf(definition, setting))),
    get() {
      const agent = getContext<AgentState<Replica<D>> | undefined>(key);
      if (agent === undefined)
        throw new TypeError(`No component above this one has set the context of "${definition.name}". Call its set({ transport }) there.`);
      return agent;
    },
  };
}

function replicaOf<D extends AnyDefinition>(
  definition: D,
  { transport, initial, actor }: Exclude<AgentStateSetting<D>, { readonly replica: Replica<D> }>,
): Replica<D> {
  return createReplica({
    definition,
    transport,
    connect: "while watched",
    ...(initial === undefined ? {} : { snapshot: initial }),
    ...(actor === undefined ? {} : { actor }),
  });
}
