// A context for one definition: a component sets the thread of a client, the components below get
// it.
//
// Invariants:
// - On a server each rendering has a thread of its own, so that two requests cannot share it.
// - The thread is connected while a component subscribes to it: a server never connects, and
//   nothing needs to be closed.

import type { Client, ClientThread, HistoryOptions, ThreadOptions } from "@opstate/client";
import { detachedThread } from "@opstate/client/binding";
import type { AnyDefinition } from "@opstate/core";
import { getContext, setContext } from "svelte";
import { AgentState } from "./agent-state.ts";
import { History } from "./history.ts";
import { Presence } from "./presence.ts";
import { Proposals } from "./proposals.ts";
import { Undo } from "./undo.ts";

/**
 * A thread of a client; or one that is there already, such as that of `createLocal` or of a branch.
 * `initial` is the snapshot that the page was rendered from: the first render shows it, and the
 * connection continues from its version.
 */
export type ThreadSetting<D extends AnyDefinition> =
  | ({ readonly client: Client; readonly threadId: string; readonly thread?: never } & ThreadOptions<D>)
  | { readonly thread: ClientThread<D>; readonly client?: never };

/** Call these while a component is initialised. All components below `set` share what it set. */
export interface AgentStateContext<D extends AnyDefinition> {
  /**
   * Sets the context of the components below. Call it once. The function is tracked: with another
   * thread or client the components switch to that thread, and pending edits of the earlier one are
   * still sent to their own thread.
   */
  set(setting: () => ThreadSetting<D>): AgentState<ClientThread<D>>;
  /** The state that a component above set. */
  get(): AgentState<ClientThread<D>>;
  /** The thread: everything of it in one object. A function, since it may change. */
  thread(): () => ClientThread<D>;
  history(options?: HistoryOptions): History<D>;
  /** Undo and redo of the edits of the connection's actor. */
  undo(): Undo<D>;
  proposals(): Proposals<D>;
  /** Who else is here. */
  presence(): Presence;
}

/**
 * Creates a typed context for one definition, so that components need no thread as a prop.
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

  function provided(): () => ClientThread<D> {
    const thread = getContext<(() => ClientThread<D>) | undefined>(key);
    if (thread !== undefined) return thread;
    throw new TypeError(
      `No component above this one has set the context of "${definition.name}". Call set(() => ({ client, threadId })) of the context there.`,
    );
  }

  return {
    set(setting) {
      if (typeof setting !== "function")
        throw new TypeError(`The context of "${definition.name}" takes a function: set(() => ({ client, threadId })).`);
      return new AgentState(setContext(key, threadOf(definition, setting)));
    },
    get: () => new AgentState(provided()),
    thread: provided,
    history: (options) => new History(provided(), options),
    undo: () => new Undo(provided()),
    proposals: () => new Proposals(provided()),
    presence: () => new Presence(provided()),
  };
}

function threadOf<D extends AnyDefinition>(definition: D, setting: () => ThreadSetting<D>): () => ClientThread<D> {
  let last: { readonly from: readonly unknown[]; readonly thread: ClientThread<D> } | undefined;
  return () => {
    const now = setting();
    if (now.thread !== undefined) return now.thread;
    const { client, threadId, initial } = now;
    const from = [client, threadId, initial?.version];
    if (last?.from.every((part, index) => part === from[index])) return last.thread;
    const isInBrowser = typeof document !== "undefined";
    const thread = isInBrowser ? client.thread(definition, threadId, now) : detachedThread(definition, threadId, now);
    last = { from, thread };
    return thread;
  };
}
