// One definition for a part of the tree: a component sets the replica, those below it get it.
//
// The replica is made for one rendering of a page, never for a module, so two requests to a server cannot share it. It is connected while
// a component watches it: a server never connects, and nothing has to be closed.

import {
  type Actor,
  type AnyDefinition,
  createReplica,
  type HistoryFeedOptions,
  type OperationOf,
  type Replica,
  type ReplicaOptions,
  type Taken,
  type ThreadAccess,
  type Transport,
} from "@opstate/core";
import { getContext, setContext } from "svelte";
import { AgentState } from "./agent-state.svelte.ts";
import { History } from "./history.ts";
import { Proposals } from "./proposals.ts";
import { Undo } from "./undo.ts";

/** A replica that is somebody else's, or what one is made from; and for history, undo and proposals, the access beside it. */
export type AgentStateSetting<D extends AnyDefinition> = {
  /** `threadClient(options)`, or `accessThread(thread, actor)`. */
  readonly access?: ThreadAccess<D>;
  /** Who uses it: then permissions are asked before anything is sent, and `undo` knows whose edits are meant. */
  readonly actor?: Actor;
} & (
  | { readonly replica: Replica<D> }
  | {
      readonly replica?: never;
      readonly transport: Transport;
      /** The snapshot that the page was rendered from: the first render shows it, the connection goes on from its version. */
      readonly initial?: NonNullable<ReplicaOptions<D>["snapshot"]>;
    }
);

/** Call these while a component is set up. What a component above set is the same for all below. */
export interface AgentStateContext<D extends AnyDefinition> {
  /** For the components below, once. */
  set(setting: AgentStateSetting<D>): AgentState<Replica<D>>;
  /** The state that a component above set. */
  get(): AgentState<Replica<D>>;
  /** The access: `stateAt`, `explain`, `branch` and the rest. */
  access(): ThreadAccess<D>;
  /** The history; with options one of one's own. */
  history(options?: HistoryFeedOptions): History<Taken<OperationOf<D>>>;
  /** Of the actor that was set. */
  undo(): Undo<Taken<OperationOf<D>>>;
  proposals(): Proposals<Taken<OperationOf<D>>>;
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
 *   const server = { url: "", threadId: "demo" };
 *   boardContext.set({ transport: httpTransport(server), access: threadClient(server), initial: data.board });
 * </script>
 *
 * <!-- Columns.svelte, anywhere below -->
 * <script lang="ts">
 *   const board = boardContext.get();
 *   const log = boardContext.history();
 *   const columns = $derived(board.current.columns);
 * </script>
 * ```
 */
export function createAgentStateContext<D extends AnyDefinition>(definition: D): AgentStateContext<D> {
  const key = Symbol(definition.name);

  function above(): Provided<D> {
    const provided = getContext<Provided<D> | undefined>(key);
    if (provided === undefined)
      throw new TypeError(`No component above this one has set the context of "${definition.name}". Call its set({ transport }) there.`);
    return provided;
  }

  function beside<Name extends "access" | "source" | "history" | "undo" | "proposals">(name: Name): NonNullable<Provided<D>[Name]> {
    const provided = above();
    const found = provided[name];
    if (found !== undefined) return found;
    const missing = provided.access === undefined ? "access, such as threadClient(options)" : 'actor, such as { kind: "user", id: "ada" }';
    throw new TypeError(`The context of "${definition.name}" was set without an ${missing}.`);
  }

  return {
    set: (setting) => setContext(key, provide(setting.replica ?? replicaOf(definition, setting), setting)).agent,
    get: () => above().agent,
    access: () => beside("access"),
    history: (options) => (options === undefined ? beside("history") : new History(beside("source"), options)),
    undo: () => beside("undo"),
    proposals: () => beside("proposals"),
  };
}

/** What the components below share. All of it rests until one of them watches it. */
interface Provided<D extends AnyDefinition> {
  readonly agent: AgentState<Replica<D>>;
  readonly access?: ThreadAccess<D>;
  readonly source?: ThreadAccess<D> & Replica<D>;
  readonly history?: History<Taken<OperationOf<D>>>;
  readonly undo?: Undo<Taken<OperationOf<D>>>;
  readonly proposals?: Proposals<Taken<OperationOf<D>>>;
}

function provide<D extends AnyDefinition>(
  replica: Replica<D>,
  { access, actor }: Pick<AgentStateSetting<D>, "access" | "actor">,
): Provided<D> {
  const agent = new AgentState(replica);
  if (access === undefined) return { agent };
  const source = { ...access, ...replica };
  return {
    agent,
    access,
    source,
    history: new History(source),
    proposals: new Proposals(source),
    ...(actor && { undo: new Undo(source, actor) }),
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
