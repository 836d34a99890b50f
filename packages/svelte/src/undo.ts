// Undo and redo of a participant's own edits as reactive values. Edits of others in between stay.

import { type ClientThread, undoStackOf } from "@opstate/client";
import type { AcceptedOperationOf, Actor, Commit, AnyOperation } from "@opstate/core";
import { createUndoStack, type UndoSource, type UndoStack, type UndoState, type UndoStep } from "@opstate/core/feeds";
import { isClientThread } from "./client-thread.ts";
import { Parts } from "./parts.ts";
import { sourceGetter, mapSource, SourceRef } from "./source-ref.ts";

/** The undo of a source that has an `actor`; undefined for any other. */
export type UndoIn<Source> =
  Source extends ClientThread<infer D>
    ? Undo<AcceptedOperationOf<D>>
    : Source extends UndoOfActor<infer Operation extends AnyOperation>
      ? Undo<Operation>
      : undefined;

type Own<Operation> = Actor | ((commit: Commit<Operation>) => boolean);

type UndoIs<Operation> = UndoSource<Operation> | UndoStack<Operation>;

type UndoOfActor<Operation> = UndoSource<Operation> & { readonly actor: Actor };

/**
 * Undo and redo of own edits. The source is `accessThread(thread, actor)`, or `{
 * ...threadClient(options), ...replica }`. `own` says which edits are own: an actor, or a function
 * that picks commits. Create it once, not in a template.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const edits = new Undo(access, ada);
 * </script>
 *
 * <button disabled={!edits.canUndo} onclick={() => edits.undo()}>Undo {edits.last?.operation.type}</button>
 * <button disabled={!edits.canRedo} onclick={() => edits.redo()}>Redo</button>
 * ```
 *
 * `undo` and `redo` resolve to the verdict. `undoOutcome(verdict)` says what became of later edits;
 * when some would do something else now, it is refused, and `dependentsOf(rejection)` names them:
 * `edits.undo({ onDependent: "keep" })` keeps what they did, `"drop"` takes them back too.
 */
export class Undo<Operation extends AnyOperation = AnyOperation> {
  /**
   * Undoes the last own edit. Resolves with undefined when there is none. When later edits would do
   * something else without it, the verdict is a refusal that names them.
   */
  readonly undo: UndoStack<Operation>["undo"];
  /** Restores the edit of the last undo. */
  readonly redo: UndoStack<Operation>["redo"];
  readonly #parts: Parts<UndoState<Operation> & { readonly error?: unknown }>;

  /** Without `own`, the source is a stack, such as `undoStackOf(thread.undo)`. */
  constructor(stack: UndoStack<Operation> | SourceRef<UndoStack<Operation>>);
  constructor(
    source: UndoSource<Operation> | SourceRef<UndoSource<Operation>>,
    own: Own<Operation> | SourceRef<Own<Operation>>,
    options?: Parameters<typeof createUndoStack>[2],
  );
  constructor(
    source: UndoIs<Operation> | SourceRef<UndoIs<Operation>>,
    own?: Own<Operation> | SourceRef<Own<Operation>>,
    options?: Parameters<typeof createUndoStack>[2],
  ) {
    const getOwn = own && sourceGetter(own);
    const stack = mapSource(source, (now) => ("onCommit" in now ? createUndoStack(now, getOwn!(), options) : now));
    this.undo = (...given) => stack.get().undo(...given);
    this.redo = (...given) => stack.get().redo(...given);
    this.#parts = new Parts(stack);
  }

  get canUndo(): boolean {
    return this.#parts.read("canUndo");
  }

  get canRedo(): boolean {
    return this.#parts.read("canRedo");
  }

  /** Whether a call is under way. */
  get busy(): boolean {
    return this.#parts.read("busy");
  }

  /** What the last call of a client's thread threw, such as a lost connection. */
  get error(): unknown {
    return this.#parts.read("error");
  }

  /** The edit that `undo` would undo. */
  get last(): UndoStep<Operation> | undefined {
    return this.#parts.read("last");
  }

  /** The edit that `redo` would restore. */
  get next(): UndoStep<Operation> | undefined {
    return this.#parts.read("next");
  }
}

/** Returns a new object with each call. */
export function undoIn<Source>(source: Source | SourceRef<Source>): UndoIn<Source> {
  const getSource = sourceGetter<unknown>(source);
  return undoOfAny(getSource) as UndoIn<Source>;
}

/** TypeScript does not resolve conditional types of a type parameter. */
function undoOfAny(getSource: () => unknown): Undo | undefined {
  if (isClientThread(getSource())) return new Undo(new SourceRef(() => stackIn(getSource())));
  return isOfActor(getSource) ? new Undo(new SourceRef(getSource), new SourceRef(() => getSource().actor)) : undefined;
}

/** The stack of each thread: a source that stays the same. */
const stacks = new WeakMap<object, UndoStack>();

function stackIn(source: unknown): UndoStack {
  if (!isClientThread(source)) throw new TypeError("All sources of one context are of one kind.");
  const stack = stacks.get(source) ?? undoStackOf(source.undo);
  stacks.set(source, stack);
  return stack;
}

function isOfActor(getSource: () => unknown): getSource is () => UndoOfActor<AnyOperation> {
  const source = getSource();
  return typeof source === "object" && source !== null && "undo" in source && "onCommit" in source && "actor" in source;
}
