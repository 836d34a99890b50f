// Undo and redo of a participant's own edits as reactive values. Edits of others in between stay.

import type { ClientThread, ThreadUndo, ThreadUndoState, UndoCallOptions } from "@opstate/client";
import type { AnyDefinition } from "@opstate/core";
import { getterOf, type Given } from "./given.ts";
import { Parts } from "./parts.ts";

/**
 * Undo and redo of the edits of a thread's own actor. Create it once, not in a template.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const edits = new Undo(thread);
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
export class Undo<D extends AnyDefinition = AnyDefinition> {
  /** Undoes the last own edit. Resolves with undefined when there is none. */
  readonly undo: (options?: UndoCallOptions) => ReturnType<ThreadUndo<D>["redo"]>;
  /** Restores the edit of the last undo. */
  readonly redo: ThreadUndo<D>["redo"];
  readonly #parts: Parts<ThreadUndoState<D>>;

  constructor(thread: Given<Pick<ClientThread<D>, "undo">>) {
    const getThread = getterOf(thread);
    this.undo = (options) => getThread().undo("last", options);
    this.redo = (options) => getThread().undo.redo(options);
    this.#parts = new Parts(() => getThread().undo);
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

  /** What the last call threw, such as a lost connection. */
  get error(): unknown {
    return this.#parts.read("error");
  }

  /** The edit that `undo` would undo. */
  get last(): ThreadUndoState<D>["last"] {
    return this.#parts.read("last");
  }

  /** The edit that `redo` would restore. */
  get next(): ThreadUndoState<D>["next"] {
    return this.#parts.read("next");
  }
}
