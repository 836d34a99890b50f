// One definition for a part of the tree: a component sets the replica, those below it get it.
//
// The replica is made for one rendering of a page, never for a module, so two requests to a server
// cannot share it. It is connected while a component watches it: a server never connects, and
// nothing has to be closed.

import type { Actor, AnyDefinition, Replica, ReplicaOptions, Transport, AcceptedOperationOf } from "@opstate/core";
import {
  createReplicaCache,
  type HistoryFeedOptions,
  type PageReplicaOptions,
  type ThreadAccess,
} from "@opstate/core/feeds";
import { getContext, setContext } from "svelte";
import { AgentState } from "./agent-state.svelte.ts";
import { History } from "./history.ts";
import { Present } from "./present.ts";
import { Proposals } from "./proposals.ts";
import { Undo } from "./undo.ts";

/**
 * A replica that is somebody else's, or what one is made from; and for history, undo and proposals,
 * the access beside it.
 */
export type AgentStateSetting<D extends AnyDefinition> = {
  /** `threadClient(options)`, or `accessThread(thread, actor)`. */
  readonly access?: ThreadAccess<D>;
  /**
   * Who uses it: then permissions are asked before anything is sent, and `undo` knows whose edits
   * are meant.
   */
  readonly actor?: Actor;
} & (
  | { readonly replica: Replica<D> }
  | {
      readonly replica?: never;
      readonly transport: Transport;
      /**
       * The snapshot that the page was rendered from: the first render shows it, the connection
       * goes on from its version.
       */
      readonly initial?: NonNullable<ReplicaOptions<D>["snapshot"]>;
    }
);

/** Call these while a component is set up. What a component above set is the same for all below. */
export interface AgentStateContext<D extends AnyDefinition> {
  /**
   * For the components below, once. A function is followed: with another thread, address or actor
   * the components go on to another replica, and edits of the one before that have no verdict yet
   * are still sent, by it and to its thread.
   */
  set(setting: AgentStateSetting<D> | (() => AgentStateSetting<D>)): AgentState<Replica<D>>;
  /** The state that a component above set. */
  get(): AgentState<Replica<D>>;
  /** The access: `stateAt`, `explain`, `branch` and the rest. */
  access(): ThreadAccess<D>;
  /** The history; with options one of one's own. */
  history(options?: HistoryFeedOptions): History<AcceptedOperationOf<D>>;
  /** Of the actor that was set. */
  undo(): Undo<AcceptedOperationOf<D>>;
  proposals(): Proposals<AcceptedOperationOf<D>>;
}

/**
 * A typed context for one definition, so that components need not be handed a replica.
 *
 * @example
 * ```svelte
 * <!-- board-context.ts: export const boardContext = createAgentStateContext(board); -->
 *
 * <!-- +page.svelte; `data.board` is what its `load` gave: { version, state }; a page of another `id` is this component with other data -->
 * <script lang="ts">
 *   const server = $derived({ url: "", threadId: data.id });
 *   boardContext.set(() => ({ transport: httpTransport(server), access: threadClient(server), initial: data.board }));
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
      throw new TypeError(
        `No component above this one has set the context of "${definition.name}". Call its set({ transport }) there.`,
      );
    return provided;
  }

  return {
    set: (setting) => setContext(key, new Provided(definition, setting)).agent,
    get: () => above().agent,
    access: () => above().access,
    history: (options) => (options === undefined ? above().history : new History(above().source, options)),
    undo: () => above().undo,
    proposals: () => above().proposals,
  };
}

/** What there is of a setting. */
interface Made<D extends AnyDefinition> {
  readonly setting: AgentStateSetting<D>;
  readonly replica: Replica<D>;
  readonly source?: ThreadAccess<D> & Replica<D>;
}

/**
 * What the components below share. All of it rests until one of them watches it, and follows the
 * setting where that is a function.
 */
class Provided<D extends AnyDefinition> {
  readonly agent: AgentState<Replica<D>>;
  readonly #made: () => Made<D>;
  readonly #name: string;
  readonly #follows: boolean;
  #history: History<AcceptedOperationOf<D>> | undefined;
  #undo: Undo<AcceptedOperationOf<D>> | undefined;
  #proposals: Proposals<AcceptedOperationOf<D>> | undefined;

  constructor(definition: D, setting: AgentStateSetting<D> | (() => AgentStateSetting<D>)) {
    this.#name = definition.name;
    this.#follows = typeof setting === "function";
    this.#made = making(definition, typeof setting === "function" ? setting : () => setting);
    this.agent = new AgentState(new Present(() => this.#made().replica));
  }

  get source(): Present<ThreadAccess<D> & Replica<D>> {
    const present = new Present(() => this.#made().source ?? this.#without("access, such as threadClient(options)"));
    // Whoever asks for what is not there learns it at once.
    present.get();
    return present;
  }

  get access(): ThreadAccess<D> {
    const present = () => this.#made().setting.access ?? this.#without("access, such as threadClient(options)");
    const access = present();
    if (!this.#follows) return access;
    const forwarded = Object.keys(access).map((name) => [
      name,
      (...given: unknown[]) => (Reflect.get(present(), name) as (...given: unknown[]) => unknown)(...given),
    ]);
    return Object.fromEntries(forwarded) as ThreadAccess<D>;
  }

  get history(): History<AcceptedOperationOf<D>> {
    return (this.#history ??= new History(this.source));
  }

  get proposals(): Proposals<AcceptedOperationOf<D>> {
    return (this.#proposals ??= new Proposals(this.source));
  }

  get undo(): Undo<AcceptedOperationOf<D>> {
    const { source } = this;
    const own = new Present(
      () => this.#made().setting.actor ?? this.#without('actor, such as { kind: "user", id: "ada" }'),
    );
    own.get();
    return (this.#undo ??= new Undo(source, own));
  }

  #without(missing: string): never {
    throw new TypeError(`The context of "${this.#name}" was set without an ${missing}.`);
  }
}

/**
 * The replica of the setting as it is now, and what stands beside it: the same until that is of
 * another thread, address or actor.
 */
function making<D extends AnyDefinition>(definition: D, setting: () => AgentStateSetting<D>): () => Made<D> {
  // Of one rendering of a page: what it left comes back as it was.
  const replicas = createReplicaCache(definition);
  let last: Made<D> | undefined;
  return () => {
    const now = setting();
    if (last?.setting === now) return last;
    const replica = now.replica ?? replicas.get(replicaOptions(now));
    if (last?.replica === replica && sameBeside(last.setting, now)) return last;
    last = { setting: now, replica, ...(now.access && { source: { ...now.access, ...replica } }) };
    return last;
  };
}

function sameBeside<D extends AnyDefinition>(a: AgentStateSetting<D>, b: AgentStateSetting<D>): boolean {
  return (
    (a.access === undefined) === (b.access === undefined) &&
    a.actor?.kind === b.actor?.kind &&
    a.actor?.id === b.actor?.id
  );
}

function replicaOptions<D extends AnyDefinition>({
  transport,
  initial,
  actor,
}: Exclude<AgentStateSetting<D>, { readonly replica: Replica<D> }>): PageReplicaOptions<D> {
  return { transport, ...(initial && { snapshot: initial }), ...(actor && { actor }) };
}
