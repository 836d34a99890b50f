// Undo and redo of a participant's own edits in a component. Edits of others in between stay.

import type { ClientThread, ThreadUndo, ThreadUndoState, UndoCallOptions } from "@opstate/client";
import type { AnyDefinition } from "@opstate/core";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";

export type Undo<D extends AnyDefinition = AnyDefinition> = ThreadUndoState<D> &
  Pick<ThreadUndo<D>, "redo"> & {
    /** Undoes the last own edit. Resolves with undefined when there is none. */
    readonly undo: (options?: UndoCallOptions) => ReturnType<ThreadUndo<D>["redo"]>;
  };

/**
 * Returns undo and redo of own edits:
 * `{ canUndo, canRedo, busy, last?, next?, error?, undo, redo }`.
 *
 * @example
 * ```tsx
 * const { canUndo, undo, last } = useUndo(thread);
 * <button disabled={!canUndo} onClick={() => void undo()}>Undo {last?.operation.type}</button>
 * ```
 *
 * `undo` and `redo` resolve to the verdict. `undoOutcome(verdict)` says what became of later edits;
 * when some would do something else now, it is refused, and `dependentsOf(rejection)` names them:
 * `undo({ onDependent: "keep" })` keeps what they did, `"drop"` takes them back too.
 */
export function useUndo<D extends AnyDefinition>({ undo }: Pick<ClientThread<D>, "undo">): Undo<D> {
  const state = useAgentState<ThreadUndoState<D>>(undo);
  return useMemo(
    () => ({ ...state, undo: (options?: UndoCallOptions) => undo("last", options), redo: undo.redo }),
    [state, undo],
  );
}
