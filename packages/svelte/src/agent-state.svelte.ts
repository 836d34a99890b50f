// The main class of the binding: the state of a replica or a thread as reactive values, and its
// dispatch.
//
// The value stays in its source, readonly and shared between versions. Here are only signals of
// `createSubscriber`, so there is no deep proxy. No rune is used, so the built file loads in plain
// Node too.

import type { Actor, AnyDefinition, OperationOf, Readable, Rejection } from "@opstate/core";
import { type HistoryIn, historyIn } from "./history.ts";
import { sourceGetter, SourceRef } from "./source-ref.ts";
import { type ProposalsIn, proposalsIn } from "./proposals.ts";
import { type IsEqual, type Selected, Selection } from "./selection.ts";
import { type UndoIn, undoIn } from "./undo.ts";

/** The state of a source. */
export type StateIn<Source extends Readable<unknown>> = ReturnType<Source["getState"]>;

/** The `dispatch` of a source; undefined when it has none. */
export type DispatchIn<Source> = Source extends { readonly dispatch: infer Dispatch } ? Dispatch : undefined;

/** The operations of a source that has a definition. */
export type OperationIn<Source> = Source extends { readonly definition: infer D extends AnyDefinition }
  ? OperationOf<D>
  : never;

/** The sync of a source that is a replica; undefined of any other. */
export type SyncIn<Source> = Source extends { readonly sync: Readable<infer Sync> } ? Sync : undefined;

/**
 * Reactive values of a replica, a thread, or any source with `getState`, `getInitialState` and
 * `subscribe`. It subscribes while a template, a `$derived` or an `$effect` reads it: nothing needs
 * to be closed, and a server never connects.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const board = new AgentState(replica);
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
  readonly #given: Source | SourceRef<Source>;
  readonly #whole: Selected<StateIn<Source>>;
  readonly #sync: Selected<SyncIn<Source>> | undefined;
  #history: HistoryIn<Source> | undefined;
  #undo: UndoIn<Source> | undefined;
  #proposals: ProposalsIn<Source> | undefined;

  constructor(source: Source | SourceRef<Source>) {
    // TypeScript does not resolve conditional types of a type parameter.
    const getSource = sourceGetter<unknown>(source) as () => UsedSource<Source>;
    const { dispatch, sync } = getSource();
    this.#given = source;
    this.#source = getSource;
    this.dispatch = source instanceof SourceRef ? forward(() => getSource().dispatch) : dispatch;
    this.#whole = this.select(identity);
    // All sources of one context are of one kind.
    this.#sync = sync && new Selection(new SourceRef(() => getSource().sync ?? sync), identity);
  }

  get source(): Source {
    return sourceGetter(this.#given)();
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
    return new Selection<StateIn<Source>, Slice>(new SourceRef(this.#source), selector, isEqual);
  }

  /**
   * Returns the rejection that `operation` would get in the current state. Returns undefined when
   * it would be accepted, or when there is no operation. Permissions are checked only with `actor`.
   */
  can(operation: OperationIn<Source> | undefined, actor?: Actor): Rejection | undefined {
    return operation === undefined ? undefined : this.#source().definition?.can(this.current, operation, actor);
  }

  /**
   * The sync of a replica, `{ status, version, pending, rejections }`. Undefined when the source is
   * no replica.
   */
  get sync(): SyncIn<Source> {
    return this.#sync?.current as SyncIn<Source>;
  }

  /**
   * The history, `{ entries, hasOlder, loading, error, older }`, newest first. Undefined when the
   * source has none. With options: `new History(source, options)`.
   */
  get history(): HistoryIn<Source> {
    return (this.#history ??= historyIn(this.#given));
  }

  /**
   * Undo and redo of own edits, where the source has an `actor`, such as `{ ...thread,
   * ...accessThread(thread, actor) }`, in this order. For any other source: `new Undo(source,
   * own)`.
   */
  get undo(): UndoIn<Source> {
    return (this.#undo ??= undoIn(this.#given));
  }

  /**
   * The open proposals, where the source is the access of a participant. Undefined for a thread,
   * whose decisions need an actor.
   */
  get proposals(): ProposalsIn<Source> {
    return (this.#proposals ??= proposalsIn(this.#given));
  }
}

/** The members of a source that are used here. */
interface UsedSource<Source extends Readable<unknown>> extends Readable<StateIn<Source>> {
  readonly dispatch: DispatchIn<Source>;
  readonly sync?: Readable<SyncIn<Source>>;
  readonly definition?: {
    can(state: StateIn<Source>, operation: OperationIn<Source>, actor?: Actor): Rejection | undefined;
  };
}

/** A function that calls the dispatch of the current source. */
function forward<Dispatch>(getSource: () => Dispatch): Dispatch {
  const call = (...given: unknown[]) => (getSource() as (...given: unknown[]) => unknown)(...given);
  return call as Dispatch;
}

function identity<Value>(value: Value): Value {
  return value;
}
