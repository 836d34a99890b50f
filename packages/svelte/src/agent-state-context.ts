// A context for one definition: a component sets the thread of a client, the components below get
// it.
//
// Invariants:
// - On a server each rendering has a thread of its own, so that two requests cannot share it.
// - It is connected while a component subscribes to it: a server never connects, and nothing needs
//   to be closed.
//
// A replica or a transport, from before there was a client, may be set as well.

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
  type ReplicaCache,
  type ThreadAccess,
} from "@opstate/core/feeds";
import { type Client, type ClientThread, detachedThread, type ThreadOptions } from "@opstate/client";
import { getContext, setContext } from "svelte";
import { AgentState } from "./agent-state.svelte.ts";
import { History } from "./history.ts";
import { isClientThread } from "./client-thread.ts";
import { mapSource, SourceRef } from "./source-ref.ts";
import { Presence } from "./presence.ts";
import { Proposals } from "./proposals.ts";
import { Undo, undoStackOf } from "./undo.ts";

/**
 * A thread of a client; or one that is there already, such as that of `createLocal` or of a branch.
 * `initial` is the snapshot that the page was rendered from: the first render shows it, and the
 * connection continues from its version.
 */
export type ThreadSetting<D extends AnyDefinition> =
  | ({ readonly client: Client; readonly threadId: string; readonly thread?: never } & ThreadOptions<D>)
  | { readonly thread: ClientThread<D>; readonly client?: never };

export type AgentStateSetting<D extends AnyDefinition> = ThreadSetting<D> | ReplicaSetting<D>;

/**
 * A replica, or the options to create one; and `access`, which history, undo and proposals need.
 */
export type ReplicaSetting<D extends AnyDefinition> = {
  readonly client?: never;
  readonly thread?: never;
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
  /** The thread of a client: everything of it in one object. A function, since it may change. */
  thread(): () => ClientThread<D>;
  /** Who else is here. Needs a client. */
  presence(): Presence;
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
    thread: () => provided().thread,
    presence: () => provided().presence,
  };
}

/** A setting and what was created from it. A client's thread reads and edits as a replica does. */
interface Setup<D extends AnyDefinition> {
  readonly setting: AgentStateSetting<D>;
  readonly replica: Replica<D>;
  readonly thread?: ClientThread<D>;
  readonly access?: ThreadAccess<D>;
  readonly actor?: Actor;
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
    const next = setUp(definition, now, replicas, last);
    if (last !== undefined && isSameSetup(last, next)) return last;
    last = next;
    return last;
  };
}

function setUp<D extends AnyDefinition>(
  definition: D,
  setting: AgentStateSetting<D>,
  replicas: ReplicaCache<D>,
  last: Setup<D> | undefined,
): Setup<D> {
  if (setting.client !== undefined || setting.thread !== undefined) {
    const thread = threadOf(definition, setting, last?.thread);
    // What the context gives out is what both have: reading, editing, and the sync.
    return { setting, thread, replica: thread as unknown as Replica<D> };
  }
  const replica = setting.replica ?? replicas.get(replicaOptions(setting));
  const { access, actor } = setting;
  return { setting, replica, ...defined({ access, actor, source: access && { ...access, ...replica } }) };
}

function threadOf<D extends AnyDefinition>(
  definition: D,
  setting: ThreadSetting<D>,
  last: ClientThread<D> | undefined,
): ClientThread<D> {
  if (setting.thread !== undefined) return setting.thread;
  const { client, threadId } = setting;
  if (typeof document !== "undefined") return client.thread(definition, threadId, setting);
  return last?.threadId === threadId ? last : detachedThread(definition, threadId, setting);
}

function isSameSetup<D extends AnyDefinition>(a: Setup<D>, b: Setup<D>): boolean {
  return (
    a.replica === b.replica &&
    (a.access === undefined) === (b.access === undefined) &&
    a.actor?.kind === b.actor?.kind &&
    a.actor?.id === b.actor?.id
  );
}

function replicaOptions<D extends AnyDefinition>({
  transport,
  initial,
  actor,
}: Extract<ReplicaSetting<D>, { readonly transport: Transport }>): PageReplicaOptions<D> {
  return { transport, ...defined({ snapshot: initial, actor }) };
}
