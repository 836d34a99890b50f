// Taking back and doing again. Loaded when it is first used.

import type { AcceptedOperationOf, Actor, AnyDefinition, AnyOperation, Replica, Verdict } from "@opstate/core";
import { createSource, type Readable } from "@opstate/core/readable";
import { sameActor, type UndoTarget } from "@opstate/core/thread";
import type { UndoCallOptions } from "../client-thread.ts";
import { createUndoStack, type UndoSource, type UndoStack, type UndoState } from "../undo/undo-stack.ts";
import type { Call } from "./call.ts";
import { editOf } from "./edit.ts";
import { mergeReadables } from "./merge-readables.ts";

type Failed = { readonly error?: unknown };
type Undone<Operation> = Promise<Verdict<Operation> | undefined>;

export interface UndoPart<Operation> extends Readable<UndoState<Operation> & Failed> {
  undo(target: "last" | UndoTarget, options?: UndoCallOptions): Undone<Operation>;
  redo(options?: UndoCallOptions): Undone<Operation>;
}

interface UndoPartSource<Operation> extends UndoSource<Operation> {
  undo(target: UndoTarget, options?: UndoCallOptions): Promise<Verdict<Operation>>;
  /** Whose edits are the own ones; undefined while it is not known. */
  actor(): Actor | undefined;
}

export function threadUndoPart<D extends AnyDefinition>(
  { onCommit, sync }: Replica<D>,
  actor: () => Actor | undefined,
  call: Call<D>,
): UndoPart<AcceptedOperationOf<D>> {
  const edit = editOf({ sync }, call);
  return undoPart<AcceptedOperationOf<D>>({
    onCommit,
    sync,
    undo: (target, how) => edit((of) => of.undo(target, how)),
    history: (range) => call((of) => of.history(range)),
    actor,
  });
}

function undoPart<Operation extends AnyOperation>(source: UndoPartSource<Operation>): UndoPart<Operation> {
  const stack: UndoStack<Operation> = createUndoStack(source, (commit) => {
    const actor = source.actor();
    return actor !== undefined && sameActor(commit.actor, actor);
  });
  const failed = createSource<Failed>({});

  /** The call, whose failure is shown too. */
  async function shown(call: Undone<Operation>): Undone<Operation> {
    if ("error" in failed.getState()) failed.set({})();
    try {
      return await call;
    } catch (error) {
      failed.set({ error })();
      throw error;
    }
  }

  return {
    ...mergeReadables(stack, failed),
    undo: (target, options) => shown(target === "last" ? stack.undo(options) : source.undo(target, options)),
    redo: (options) => shown(stack.redo(options)),
  };
}
