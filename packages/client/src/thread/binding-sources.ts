// What both bindings read of a thread in the shape of the feeds.

import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import type { UndoStack } from "@opstate/core/feeds";
import type { ThreadUndo } from "../client-thread.ts";

/** The undo of a thread as a stack of own edits. For bindings. */
export function undoStackOf<D extends AnyDefinition>(undo: ThreadUndo<D>): UndoStack<AcceptedOperationOf<D>> {
  const { getState, getInitialState, subscribe, redo } = undo;
  return { getState, getInitialState, subscribe, undo: (options) => undo("last", options), redo };
}
