// A context for one definition: a component sets the thread of a client, the components below get
// it.
//
// Invariants:
// - On a server each rendering has a thread of its own, so that two requests cannot share it.
// - It is connected while a component subscribes to it: a server never connects, and nothing needs
//   to be closed.
//
// A replica or a transport, from before there was a client, may be set as well.

import type { AcceptedOperationOf, AnyDefinition, Replica } from "@opstate/core";
import type { HistoryFeedOptions, ThreadAccess } from "@opstate/core/feeds";
import { type ClientThread, undoStackOf } from "@opstate/client";
import { getContext, setContext } from "svelte";
import { AgentState } from "./agent-state.svelte.ts";
import { History } from "./history.ts";
import { isClientThread } from "./client-thread.ts";
import { mapSource, SourceRef } from "./source-ref.ts";
import { Presence } from "./presence.ts";
import { Proposals } from "./proposals.ts";
import { type AgentStateSetting, createSetup, type Setup } from "./setup.ts";
import { Undo } from "./undo.ts";

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
  /** The thread of a client: everything of it in one object. A function, since it may change. */
  thread(): () => ClientThread<D>;
  /** Who else is here. Needs a client. */
  presence(): Presence;
  /** The access: `stateAt`, `explain`, `branch` and the rest. */
  access(): ThreadAccess<D>;
  /** The shared history; with options, the one that is shared by all of the same options. */
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
 *   boardContext.set(() => ({ client, threadId: data.id, initial: data.board }));
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
    history: (options) => (options === undefined ? provided().history : provided().historyWith(options)),
    undo: () => provided().undo,
    proposals: () => provided().proposals,
    thread: () => provided().thread,
    presence: () => provided().presence,
  };
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
  /** Whether it is a client's thread, whose parts are its own. */
  readonly #ofThread: boolean;
  #history: History<AcceptedOperationOf<D>> | undefined;
  #undo: Undo<AcceptedOperationOf<D>> | undefined;
  #proposals: Proposals<AcceptedOperationOf<D>> | undefined;

  constructor(definition: D, setting: AgentStateSetting<D> | (() => AgentStateSetting<D>)) {
    this.#name = definition.name;
    this.#isDynamic = typeof setting === "function";
    this.#setup = createSetup(definition, typeof setting === "function" ? setting : () => setting);
    this.agent = new AgentState(new SourceRef(() => this.#setup().replica));
    this.#ofThread = isClientThread(this.#setup().replica);
  }

  get thread(): () => ClientThread<D> {
    const thread = () => this.#setup().thread ?? this.#throwMissing("client and threadId");
    thread();
    return thread;
  }

  get presence(): Presence {
    const { thread } = this;
    return new Presence(new SourceRef(() => thread().presence));
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
    const getAccess = () => this.#setup().access ?? this.#throwMissing("access, such as threadClient(options)");
    const access = getAccess();
    if (!this.#isDynamic) return access;
    const forwarded = Object.keys(access).map((name) => [
      name,
      (...given: unknown[]) => (Reflect.get(getAccess(), name) as (...given: unknown[]) => unknown)(...given),
    ]);
    return Object.fromEntries(forwarded) as ThreadAccess<D>;
  }

  get history(): History<AcceptedOperationOf<D>> {
    return (this.#history ??= new History(this.#ofThread ? this.#part("history") : this.source));
  }

  historyWith(options: HistoryFeedOptions): History<AcceptedOperationOf<D>> {
    return new History<AcceptedOperationOf<D>>(this.#ofThread ? this.#part("history") : this.source, options);
  }

  get proposals(): Proposals<AcceptedOperationOf<D>> {
    return (this.#proposals ??= new Proposals(this.#ofThread ? this.#part("proposals") : this.source));
  }

  get undo(): Undo<AcceptedOperationOf<D>> {
    if (this.#ofThread) return (this.#undo ??= new Undo(mapSource(this.#part("undo"), undoStackOf<D>)));
    const { source } = this;
    const own = new SourceRef(
      () => this.#setup().actor ?? this.#throwMissing('actor, such as { kind: "user", id: "ada" }'),
    );
    own.get();
    return (this.#undo ??= new Undo(source, own));
  }

  #part<Name extends "history" | "undo" | "proposals">(name: Name): SourceRef<ClientThread<D>[Name]> {
    const { thread } = this;
    return new SourceRef(() => thread()[name]);
  }

  #throwMissing(missing: string): never {
    throw new TypeError(`The context of "${this.#name}" was set without an ${missing}.`);
  }
}
