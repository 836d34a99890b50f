// What both bindings read of a thread in the shape of the feeds.

import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import type { HistorySource, UndoStack } from "@opstate/core/feeds";
import type { ClientThread, ThreadUndo } from "../client-thread.ts";

/** A thread as the source of a history with options of its own. For bindings. */
export function historySourceOf<D extends AnyDefinition>(
  thread: ClientThread<D>,
): HistorySource<AcceptedOperationOf<D>> {
  const { onCommit, onRejection, sync, history } = thread;
  return { onCommit, onRejection, sync, history: history.read };
}

/** The undo of a thread as a stack of own edits. For bindings. */
export function undoStackOf<D extends AnyDefinition>(undo: ThreadUndo<D>): UndoStack<AcceptedOperationOf<D>> {
  const { getState, getInitialState, subscribe, redo } = undo;
  return { getState, getInitialState, subscribe, undo: (options) => undo("last", options), redo };
}
