// The class that components hold: the state of a replica or a thread as reactive values, and the
// way to change it.
//
// The value stays in its source, readonly and shared between versions; here are only signals, made
// by `createSubscriber`. So there is no deep proxy, and because no rune is used the built file
// loads anywhere, in plain Node too.

import type { Actor, AnyDefinition, OperationOf, Readable, Rejection } from "@opstate/core";
import { type HistoryIn, historyIn } from "./history.ts";
import { getterOf, Present } from "./present.ts";
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
 * A replica, a thread, or anything with their `getState`, `getInitialState` and `subscribe`, as
 * Svelte follows it. It subscribes while a template, a `$derived` or an `$effect` reads it: nothing
 * has to be closed, and a server never connects.
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
   * The source's own; each call is one submission with its own id. Undefined when the source has
   * none.
   */
  readonly dispatch: DispatchIn<Source>;
  readonly #source: () => Followed<Source>;
  readonly #given: Source | Present<Source>;
  readonly #whole: Selected<StateIn<Source>>;
  readonly #sync: Selected<SyncIn<Source>> | undefined;
  #history: HistoryIn<Source> | undefined;
  #undo: UndoIn<Source> | undefined;
  #proposals: ProposalsIn<Source> | undefined;

  constructor(source: Source | Present<Source>) {
    // TypeScript does not look into the conditional types of a parameter that is still open.
    const present = getterOf<unknown>(source) as () => Followed<Source>;
    const { dispatch, sync } = present();
    this.#given = source;
    this.#source = present;
    this.dispatch = source instanceof Present ? forward(() => present().dispatch) : dispatch;
    this.#whole = this.select(same);
    // Of one source or another: all are of one kind.
    this.#sync = sync && new Selection(new Present(() => present().sync ?? sync), same);
  }

  get source(): Source {
    return getterOf(this.#given)();
  }

  /**
   * The state as it is: nothing is copied or proxied, and untouched parts keep their reference from
   * one version to the next.
   */
  get current(): StateIn<Source> {
    return this.#whole.current;
  }

  /**
   * One slice, for readers that shall run again only when it changed, by reference or by `isEqual`.
   * Make it once, not in a template. Where a reference or a primitive is picked,
   * `$derived(board.current.title)` does as well.
   */
  select<Slice>(selector: (state: StateIn<Source>) => Slice, isEqual?: IsEqual<Slice>): Selected<Slice> {
    return new Selection<StateIn<Source>, Slice>(new Present(this.#source), selector, isEqual);
  }

  /**
   * The rejection that `operation` would get in the state at hand, or undefined when it would be
   * taken (or when there is no operation to ask about). Without `actor` no permission is asked: a
   * replica does not know who its authority takes it for.
   */
  can(operation: OperationIn<Source> | undefined, actor?: Actor): Rejection | undefined {
    return operation === undefined ? undefined : this.#source().definition?.can(this.current, operation, actor);
  }

  /**
   * How a replica stands with its authority: `{ status, version, pending, rejections }`. Undefined
   * when the source is no replica.
   */
  get sync(): SyncIn<Source> {
    return this.#sync?.current as SyncIn<Source>;
  }

  /**
   * The log, `{ entries, hasOlder, loading, error, older }`, newest first; with options: `new
   * History(source, options)`. Undefined when the source has none.
   */
  get history(): HistoryIn<Source> {
    return (this.#history ??= historyIn(this.#given));
  }

  /**
   * One's own last edits, when the source says whose: `{ ...thread, ...accessThread(thread, actor)
   * }` does, in this order. For any other: `new Undo(source, own)`.
   */
  get undo(): UndoIn<Source> {
    return (this.#undo ??= undoIn(this.#given));
  }

  /**
   * What waits for a decision, when the source is a participant's access. Undefined of a thread,
   * which must be told who decides.
   */
  get proposals(): ProposalsIn<Source> {
    return (this.#proposals ??= proposalsIn(this.#given));
  }
}

/** What is used of a source. */
interface Followed<Source extends Readable<unknown>> extends Readable<StateIn<Source>> {
  readonly dispatch: DispatchIn<Source>;
  readonly sync?: Readable<SyncIn<Source>>;
  readonly definition?: {
    can(state: StateIn<Source>, operation: OperationIn<Source>, actor?: Actor): Rejection | undefined;
  };
}

/** The present source's, for whoever keeps it. */
function forward<Dispatch>(present: () => Dispatch): Dispatch {
  const call = (...given: unknown[]) => (present() as (...given: unknown[]) => unknown)(...given);
  return call as Dispatch;
}

function same<Value>(value: Value): Value {
  return value;
}
