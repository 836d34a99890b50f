// The main class of the binding: the state of a thread or any other source as reactive values, and
// its dispatch.
//
// The value stays in its source, readonly and shared between versions. Here are only signals of
// `createSubscriber`, so there is no deep proxy.

import { readOnlyRejection } from "@opstate/client/binding";
import type { Actor, AnyDefinition, OperationOf, Readable, Rejection, Sync } from "@opstate/core";
import { getterOf, type Given } from "./given.ts";
import { type IsEqual, type Selected, Selection } from "./selection.svelte.ts";

/** The state of a source. */
export type StateIn<Source extends Readable<unknown>> = ReturnType<Source["getState"]>;

/** The `dispatch` of a source; undefined when it has none. */
export type DispatchIn<Source> = Source extends { readonly dispatch: infer Dispatch } ? Dispatch : undefined;

/** The operations of a source that has a definition. */
export type OperationIn<Source> = Source extends { readonly definition: infer D extends AnyDefinition }
  ? OperationOf<D>
  : never;

/** The sync of a client's thread or a replica; undefined of any other source. */
export type SyncIn<Source> = Source extends { readonly sync: Readable<infer Sync> } ? Sync : undefined;

/**
 * Reactive values of a client's thread, or of any source with `getState`, `getInitialState` and
 * `subscribe`; or of the source that a function gives, which is followed. It subscribes while a
 * template, a `$derived` or an `$effect` reads it: nothing needs to be closed, and a server never
 * connects.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const board = new AgentState(thread);
 *   const add = board.dispatch;
 * </script>
 *
 * <h1>{board.current.title}</h1>
 * <button disabled={board.can(op.clear({})) !== undefined} onclick={() => board.dispatch(op.clear({}))}>Clear</button>
 * <p>{board.sync.pending.length} edits wait</p>
 * ```
 */
export class AgentState<Source extends Readable<unknown>> {
  /**
   * The source's `dispatch`; each call is one submission with its own id. Undefined when the source
   * has none.
   */
  readonly dispatch: DispatchIn<Source>;
  readonly #source: () => UsedSource<Source>;
  readonly #whole: Selected<StateIn<Source>>;
  readonly #sync: Selected<SyncIn<Source>>;
  readonly #actor: Selected<Actor | undefined>;
  readonly #isReadOnly: Selected<boolean | undefined>;

  constructor(source: Source);
  constructor(source: () => Source);
  constructor(source: Given<Source>) {
    // TypeScript does not resolve conditional types of a type parameter.
    const getSource = getterOf<object>(source) as () => UsedSource<Source>;
    const { dispatch } = getSource();
    this.#source = getSource;
    this.dispatch = (dispatch && ((...given: unknown[]) => getSource().dispatch?.(...given))) as DispatchIn<Source>;
    this.#whole = this.select((state) => state);
    this.#sync = new Selection(getSource, "sync", (sync) => sync);
    this.#actor = new Selection(getSource, "sync", (sync) => (sync as ClientSync | undefined)?.actor);
    this.#isReadOnly = new Selection(getSource, "sync", (sync) => (sync as ClientSync | undefined)?.isReadOnly);
  }

  get source(): Source {
    return this.#source() as object as Source;
  }

  /**
   * The state itself, neither copied nor proxied. Unchanged parts keep their reference from one
   * version to the next.
   */
  get current(): StateIn<Source> {
    return this.#whole.current;
  }

  /**
   * Selects a slice whose readers run again only when it changed, by reference or by `isEqual`.
   * Call it once, not in a template. For a reference or a primitive,
   * `$derived(board.current.title)` is enough.
   */
  select<Slice>(selector: (state: StateIn<Source>) => Slice, isEqual?: IsEqual<Slice>): Selected<Slice> {
    return new Selection(this.#source, "state", selector, isEqual);
  }

  /**
   * Returns the rejection that `operation` would get in the current state. Returns undefined when
   * it would be accepted, or when there is no operation. Permissions are checked for `actor`, by
   * default the actor of a client's thread, who may have lost the right to write.
   */
  can(operation: OperationIn<Source> | undefined, actor?: Actor): Rejection | undefined {
    if (operation === undefined) return undefined;
    return (
      readOnlyRejection(actor === undefined && this.#isReadOnly.current, operation) ??
      this.#source().definition?.can(this.current, operation, actor ?? this.#actor.current)
    );
  }

  /**
   * Resolves when there is a confirmed state, and rejects when the actor is not admitted: for
   * `{#await board.ready()}`. A source that is no thread of a client is ready.
   */
  async ready(): Promise<void> {
    await this.#source().ready?.();
  }

  /** The sync of the thread: `{ status, version, pending, rejections, actor }`. */
  get sync(): SyncIn<Source> {
    return this.#sync.current;
  }
}

/** What is used here of a thread's sync. */
type ClientSync = Partial<Pick<Sync, "isReadOnly">> & { readonly actor?: Actor };

/** The members of a source that are used here. */
interface UsedSource<Source extends Readable<unknown>> extends Readable<StateIn<Source>> {
  readonly dispatch?: (...given: unknown[]) => unknown;
  readonly sync?: Readable<SyncIn<Source>>;
  readonly ready?: () => Promise<void>;
  readonly definition?: {
    can(state: StateIn<Source>, operation: OperationIn<Source>, actor?: Actor): Rejection | undefined;
  };
}
