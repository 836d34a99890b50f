// Undo and redo of a participant's own edits in a component. Edits of others in between stay.

import type { Actor, Commit, AnyOperation } from "@opstate/core";
import { createUndoStack, type UndoSource, type UndoStack, type UndoState } from "@opstate/core/feeds";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";
import { useStable } from "./stable.ts";

export type Undo<Operation = AnyOperation> = UndoState<Operation> & Pick<UndoStack<Operation>, "undo" | "redo">;

/**
 * Returns undo and redo of own edits, `{ canUndo, canRedo, busy, last?, next?, undo, redo }`. The
 * source is `accessThread(thread, actor)`, or `{ ...replica, ...threadClient(options) }`. `own`
 * says which edits are own: an actor, or a function that must stay the same. To share one stack
 * between components, pass a stack made by `createUndoStack`.
 *
 * @example
 * ```tsx
 * const { canUndo, undo, last } = useUndo(access, ada);
 * <button disabled={!canUndo} onClick={() => void undo()}>Undo {last?.operation.type}</button>
 * ```
 *
 * `undo` and `redo` resolve to the verdict. `undoOutcome(verdict)` says what became of later edits;
 * when some would do something else now, it is refused, and `dependentsOf(rejection)` names them:
 * `undo({ onDependent: "keep" })` keeps what they did, `"drop"` takes them back too.
 */
export function useUndo<Operation extends AnyOperation>(stack: UndoStack<Operation>): Undo<Operation>;
export function useUndo<Operation extends AnyOperation>(
  source: UndoSource<Operation>,
  own: Actor | ((commit: Commit<Operation>) => boolean),
): Undo<Operation>;
export function useUndo<Operation extends AnyOperation>(
  source: UndoSource<Operation> | UndoStack<Operation>,
  own?: Actor | ((commit: Commit<Operation>) => boolean),
): Undo<Operation> {
  // An inline actor is a new object on each render.
  const ownKey = typeof own === "object" ? JSON.stringify([own.kind, own.id]) : own;
  const stack = useStable(() => (isSource(source, own) ? createUndoStack(source, own!) : source), source, ownKey);
  const state = useAgentState(stack);
  return useMemo(() => ({ ...state, undo: stack.undo, redo: stack.redo }), [state, stack]);
}

/** Both have an `undo`. Only a source comes with `own`. */
function isSource<Operation extends AnyOperation>(
  source: UndoSource<Operation> | UndoStack<Operation>,
  own: unknown,
): source is UndoSource<Operation> {
  return own !== undefined && "onCommit" in source;
}
