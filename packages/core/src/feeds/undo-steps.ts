// What one person may undo and redo, as a fold of the commits in version order: it does not matter
// how or when they were learnt.
//
// An own commit is a step that may be taken back. An undo that names a step's commit takes the step
// off; if it is an own one, the step may be redone, by undoing that undo; then it is a step to undo
// again, by undoing the redo. A new own step ends what could be redone.

import type { Commit } from "../thread/commit.ts";
import { isUndo } from "../thread/entries.ts";

/** Something that was done. */
export interface UndoStep<Operation = { readonly type: string }> {
  /** Of the submission that did it first. */
  readonly id: string;
  readonly operation: Operation;
}

/** A step, and the commit that is to be undone for it. */
export interface StackedStep<Operation> {
  readonly step: UndoStep<Operation>;
  readonly by: Commit<Operation>;
}

/** The last is on top. */
export interface Stacks<Operation> {
  readonly undo: readonly StackedStep<Operation>[];
  readonly redo: readonly StackedStep<Operation>[];
}

/**
 * Whether a commit may change what one can undo: others' may only when they take something back.
 */
export function matters<Operation extends { readonly type: string }>(commit: Commit<Operation>, own: boolean): boolean {
  return own || isUndo(commit.operation);
}

/** `commits`: those that matter, oldest first. */
export function foldSteps<Operation extends { readonly type: string }>(
  commits: readonly Commit<Operation>[],
  isOwn: (commit: Commit<Operation>) => boolean,
): Stacks<Operation> {
  let undo: readonly StackedStep<Operation>[] = [];
  let redo: readonly StackedStep<Operation>[] = [];
  for (const commit of commits) {
    const operation: { readonly type: string } = commit.operation;
    const named = new Set(isUndo(operation) ? operation.versions : []);
    const isNamed = ({ by }: StackedStep<Operation>) => named.has(by.version);
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
