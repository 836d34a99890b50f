// What a participant may undo and redo, as a pure fold of commits in version order. The order in
// which the commits were received does not matter.
//
// - An own commit is a step that can be undone.
// - An undo that names the commit of a step removes the step from the undo stack. An own undo puts
//   it on the redo stack: to redo is to undo that undo.
// - An own redo puts the step back on the undo stack: to undo it again is to undo the redo.
// - A new own step clears the redo stack.

import type { AnyOperation, Commit } from "@opstate/core";
import { hasVersion, isUndo } from "@opstate/core/log";

/** An edit on the stack. */
export interface UndoStep<Operation = AnyOperation> {
  /** The id of the submission that made the edit. */
  readonly id: string;
  readonly operation: Operation;
}

/** A step, and the commit that an undo or redo of it must name. */
export interface StackedStep<Operation> {
  readonly step: UndoStep<Operation>;
  readonly by: Commit<Operation>;
}

/** The last step is the top of the stack. */
export interface Stacks<Operation> {
  readonly undo: readonly StackedStep<Operation>[];
  readonly redo: readonly StackedStep<Operation>[];
}

/**
 * Whether a commit may change the stacks: an own commit does, one of others only if it is an undo.
 */
export function isRelevant<Operation extends AnyOperation>(commit: Commit<Operation>, own: boolean): boolean {
  return own || isUndo(commit.operation);
}

/** `commits`: the relevant ones, oldest first. */
export function foldSteps<Operation extends AnyOperation>(
  commits: readonly Commit<Operation>[],
  isOwn: (commit: Commit<Operation>) => boolean,
): Stacks<Operation> {
  let undo: readonly StackedStep<Operation>[] = [];
  let redo: readonly StackedStep<Operation>[] = [];
  for (const commit of commits) {
    const operation: AnyOperation = commit.operation;
    const named = isUndo(operation) ? operation.versions : [];
    const isNamed = ({ by }: StackedStep<Operation>) => hasVersion(named, by.version);
    const undone = undo.filter(isNamed);
    const redone = redo.filter(isNamed);
    undo = undo.filter((each) => !isNamed(each));
    redo = redo.filter((each) => !isNamed(each));
    if (!isOwn(commit)) continue;
    const [first] = undone.length > 0 ? undone : redone;
    if (undone.length > 0 && first) redo = [...redo, { step: first.step, by: commit }];
    else if (redone.length > 0 && first) undo = [...undo, { step: first.step, by: commit }];
    else [undo, redo] = [[...undo, { step: { id: commit.id, operation: commit.operation }, by: commit }], []];
  }
  return { undo, redo };
}
