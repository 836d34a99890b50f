// The state that a history leads to, computed by the reducer from the beginning: undone commits are
// left out, and an approved operation is its proposer's.

import type { Commit } from "@opstate/core";
import { type ApproveOperation, hasVersion, type UndoOperation } from "@opstate/core/log";
import { type Tally, tally } from "./tally.ts";

/** The state after all commits of a thread, given the state before the last one. */
export function stateAfter(commits: readonly Commit[], before: Tally): Tally {
  const last = commits.at(-1);
  if (last === undefined) return before;
  return isUndo(last)
    ? commits.reduce((state, commit) => (counts(commit, commits) ? step(state, commit) : state), tally.initial)
    : step(before, last);
}

function step(state: Tally, { operation, actor, id, at }: Commit): Tally {
  switch (operation.type) {
    case "$undo":
    case "$propose":
    case "$decline":
      return state;
    case "$approve":
      return tally.transition(state, (operation as ApproveOperation).operation).state;
    default:
      // What a page submits makes ids, which come from its submission.
      return tally.transition(state, operation, actor.kind === "user" ? { actor, id, at } : {}).state;
  }
}

/** A commit counts unless an undo that counts names it. */
function counts({ version }: Commit, commits: readonly Commit[]): boolean {
  return !commits.some(
    (undo) => isUndo(undo) && hasVersion((undo.operation as UndoOperation).versions, version) && counts(undo, commits),
  );
}

function isUndo({ operation }: Commit): boolean {
  return operation.type === "$undo";
}
