// Undo and redo in a component: of one's own edits, whatever others did in between.

import type { Actor, Commit, AnyOperation } from "@opstate/core";
import { createUndoStack, type UndoSource, type UndoStack, type UndoState } from "@opstate/core/feeds";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";
import { useStable } from "./stable.ts";

export type Undo<Operation = AnyOperation> = UndoState<Operation> & Pick<UndoStack<Operation>, "undo" | "redo">;

/**
 * One's own last edits, `{ canUndo, canRedo, busy, last?, next?, undo, redo }`. The source is
 * `accessThread(thread, actor)`, or `{ ...replica, ...threadClient(options) }`; `own` says whose
 * edits are meant, by actor or by a function that stays the same. Components that shall share one
 * hand it a stack, made by `createUndoStack`.
 *
 * @example
 * ```tsx
 * const { canUndo, undo, last } = useUndo(access, ada);
 * <button disabled={!canUndo} onClick={() => void undo()}>Undo {last?.operation.type}</button>
 * ```
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
  // An actor may be written where it is used: a new object on each render.
  const whose = typeof own === "object" ? JSON.stringify([own.kind, own.id]) : own;
  const stack = useStable(() => (isSource(source, own) ? createUndoStack(source, own!) : source), source, whose);
  const state = useAgentState(stack);
  return useMemo(() => ({ ...state, undo: stack.undo, redo: stack.redo }), [state, stack]);
}

/** Both have an `undo`; only with a source it is said whose. */
function isSource<Operation extends AnyOperation>(
  source: UndoSource<Operation> | UndoStack<Operation>,
  own: unknown,
): source is UndoSource<Operation> {
  return own !== undefined && "onCommit" in source;
}
