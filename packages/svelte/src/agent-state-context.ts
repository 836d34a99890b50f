// A context for one definition: a component sets the replica, the components below get it.
//
// Invariants:
// - The replica is created for one rendering of a page, never for a module, so that two requests to
//   a server cannot share it.
// - It is connected while a component subscribes to it: a server never connects, and nothing needs
//   to be closed.

import {
  defined,
  type Actor,
  type AnyDefinition,
  type Replica,
  type ReplicaOptions,
  type Transport,
  type AcceptedOperationOf,
} from "@opstate/core";
import {
  createReplicaCache,
  type HistoryFeedOptions,
  type PageReplicaOptions,
  type ThreadAccess,
} from "@opstate/core/feeds";
import { getContext, setContext } from "svelte";
import { AgentState } from "./agent-state.svelte.ts";
import { History } from "./history.ts";
import { SourceRef } from "./source-ref.ts";
import { Proposals } from "./proposals.ts";
import { Undo } from "./undo.ts";

/**
 * A replica, or the options to create one; and `access`, which history, undo and proposals need.
 */
export type AgentStateSetting<D extends AnyDefinition> = {
  /** `threadClient(options)`, or `accessThread(thread, actor)`. */
  readonly access?: ThreadAccess<D>;
  /**
   * The actor who uses the page. With it, permissions are checked before anything is sent, and
   * `undo` has the edits of this actor.
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

/** Call these while a component is initialised. All components below `set` share what it set. */
export interface AgentStateContext<D extends AnyDefinition> {
  /**
   * Sets the context of the components below. Call it once. A function is tracked: with another
   * thread, address or actor the components switch to another replica, and pending edits of the
   * earlier one are still sent to their own thread.
   */
  set(setting: AgentStateSetting<D> | (() => AgentStateSetting<D>)): AgentState<Replica<D>>;
  /** The state that a component above set. */
  get(): AgentState<Replica<D>>;
  /** The access: `stateAt`, `explain`, `branch` and the rest. */
  access(): ThreadAccess<D>;
  /** The shared history; with options, one of its own. */
  history(options?: HistoryFeedOptions): History<AcceptedOperationOf<D>>;
  /** Undo and redo of the edits of the actor that was set. */
  undo(): Undo<AcceptedOperationOf<D>>;
  proposals(): Proposals<AcceptedOperationOf<D>>;
}

/**
 * Creates a typed context for one definition, so that components need no replica as a prop.
 *
 * @example
 * ```svelte
 * <!-- board-context.ts: export const boardContext = createAgentStateContext(board); -->
 *
 * <!-- +page.svelte; `data.board` is what its `load` gave: { version, state } -->
 * <!-- A page of another `id` is this component with other data. -->
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

  function provided(): Provided<D> {
    const value = getContext<Provided<D> | undefined>(key);
    if (value === undefined)
      throw new TypeError(
        `No component above this one has set the context of "${definition.name}". Call set({ transport }) of the context there.`,
      );
    return value;
  }

  return {
    set: (setting) => setContext(key, new Provided(definition, setting)).agent,
    get: () => provided().agent,
    access: () => provided().access,
    history: (options) => (options === undefined ? provided().history : new History(provided().source, options)),
    undo: () => provided().undo,
    proposals: () => provided().proposals,
  };
}

/** A setting and what was created from it. */
interface Setup<D extends AnyDefinition> {
  readonly setting: AgentStateSetting<D>;
  readonly replica: Replica<D>;
  readonly source?: ThreadAccess<D> & Replica<D>;
}

/**
 * The value of the context. None of it is active before a component subscribes. It follows the
 * setting where that is a function.
 */
class Provided<D extends AnyDefinition> {
  readonly agent: AgentState<Replica<D>>;
  readonly #setup: () => Setup<D>;
  readonly #name: string;
  readonly #isDynamic: boolean;
  #history: History<AcceptedOperationOf<D>> | undefined;
  #undo: Undo<AcceptedOperationOf<D>> | undefined;
  #proposals: Proposals<AcceptedOperationOf<D>> | undefined;

  constructor(definition: D, setting: AgentStateSetting<D> | (() => AgentStateSetting<D>)) {
    this.#name = definition.name;
    this.#isDynamic = typeof setting === "function";
    this.#setup = createSetup(definition, typeof setting === "function" ? setting : () => setting);
    this.agent = new AgentState(new SourceRef(() => this.#setup().replica));
  }

  get source(): SourceRef<ThreadAccess<D> & Replica<D>> {
    const source = new SourceRef(
      () => this.#setup().source ?? this.#throwMissing("access, such as threadClient(options)"),
    );
    // A missing access throws here, not at the first read.
    source.get();
    return source;
  }

  get access(): ThreadAccess<D> {
    const getAccess = () => this.#setup().setting.access ?? this.#throwMissing("access, such as threadClient(options)");
    const access = getAccess();
    if (!this.#isDynamic) return access;
    const forwarded = Object.keys(access).map((name) => [
      name,
      (...given: unknown[]) => (Reflect.get(getAccess(), name) as (...given: unknown[]) => unknown)(...given),
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
    const own = new SourceRef(
      () => this.#setup().setting.actor ?? this.#throwMissing('actor, such as { kind: "user", id: "ada" }'),
    );
    own.get();
    return (this.#undo ??= new Undo(source, own));
  }

  #throwMissing(missing: string): never {
    throw new TypeError(`The context of "${this.#name}" was set without an ${missing}.`);
  }
}

/**
 * Returns a function that gives the setup of the current setting: the same one until the thread,
 * address or actor changes.
 */
function createSetup<D extends AnyDefinition>(definition: D, setting: () => AgentStateSetting<D>): () => Setup<D> {
  // For one rendering of a page: a thread that is chosen again gets its earlier replica.
  const replicas = createReplicaCache(definition);
  let last: Setup<D> | undefined;
  return () => {
    const now = setting();
    if (last?.setting === now) return last;
    const replica = now.replica ?? replicas.get(replicaOptions(now));
    if (last?.replica === replica && isSameSetting(last.setting, now)) return last;
    last = { setting: now, replica, ...defined({ source: now.access && { ...now.access, ...replica } }) };
    return last;
  };
}

function isSameSetting<D extends AnyDefinition>(a: AgentStateSetting<D>, b: AgentStateSetting<D>): boolean {
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
  return { transport, ...defined({ snapshot: initial, actor }) };
}
