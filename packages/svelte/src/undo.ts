// Undo and redo as reactive values: of one's own edits, whatever others did in between.

import type { Actor, Commit, AnyOperation } from "@opstate/core";
import { createUndoStack, type UndoSource, type UndoStack, type UndoState, type UndoStep } from "@opstate/core/feeds";
import { Parts } from "./parts.ts";
import { getterOf, madeOf, Present } from "./present.ts";

/** The undo of a source that says whose it is; undefined of any other. */
export type UndoIn<Source> =
  Source extends UndoOfActor<infer Operation extends AnyOperation> ? Undo<Operation> : undefined;

type Own<Operation> = Actor | ((commit: Commit<Operation>) => boolean);

type UndoOfActor<Operation> = UndoSource<Operation> & { readonly actor: Actor };

/**
 * One's own last edits. The source is `accessThread(thread, actor)`, or `{
 * ...threadClient(options), ...replica }`; `own` says whose edits are meant, by actor or by a
 * function that picks commits. Make it once, not in a template.
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
 */
export class Undo<Operation extends AnyOperation = AnyOperation> {
  /**
   * Takes the last own edit back. Undefined when there is none; refused, and the verdict says why,
   * when later edits need it.
   */
  readonly undo: UndoStack<Operation>["undo"];
  /** Brings back what the last undo took. */
  readonly redo: UndoStack<Operation>["redo"];
  readonly #parts: Parts<UndoState<Operation>>;

  constructor(
    source: UndoSource<Operation> | Present<UndoSource<Operation>>,
    own: Own<Operation> | Present<Own<Operation>>,
    options?: Parameters<typeof createUndoStack>[2],
  ) {
    const stack = madeOf(source, (now) => createUndoStack(now, getterOf(own)(), options));
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

  /** A call is under way. */
  get busy(): boolean {
    return this.#parts.read("busy");
  }

  /** What `undo` would take back. */
  get last(): UndoStep<Operation> | undefined {
    return this.#parts.read("last");
  }

  /** What `redo` would bring back. */
  get next(): UndoStep<Operation> | undefined {
    return this.#parts.read("next");
  }
}

/** Made anew with each call. */
export function undoIn<Source>(source: Source | Present<Source>): UndoIn<Source> {
  const present = getterOf<unknown>(source);
  // TypeScript does not look into the conditional type of a parameter that is still open.
  return (
    isOfActor(present) ? new Undo(new Present(present), new Present(() => present().actor)) : undefined
  ) as UndoIn<Source>;
}

function isOfActor(present: () => unknown): present is () => UndoOfActor<AnyOperation> {
  const source = present();
  return typeof source === "object" && source !== null && "undo" in source && "onCommit" in source && "actor" in source;
}
