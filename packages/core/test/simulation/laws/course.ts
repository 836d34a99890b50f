// The state that a history leads to, computed by the reducer from the beginning: undone commits are
// left out, and what is approved or merged is its author's operation.
//
// Where the agent's work on cards is merged, undone or carried, a reducer that goes by position
// says nothing, nor does it where an undo carried what it kept: there the patches lead on, and what
// they did is compared with the ledger (`ledger.ts`).

import type { Actor, Commit } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { type ApproveOperation, hasVersion, type MergeOperation, type UndoOperation } from "@opstate/core/log";
import { type Tally, tally } from "../tally.ts";
import { insist } from "./violation.ts";

/** What a commit carries out, and whose operation it is. */
export interface Deed {
  readonly operation: { readonly type: string };
  readonly actor: Actor;
  readonly id: string;
  readonly at: string;
  readonly branch?: string;
}

/** The version 0 of a thread, and the incarnation of a branch. */
export interface Beginning {
  readonly state: Tally;
  readonly branch?: string | undefined;
}

const NOTES = new Set(["$undo", "$propose", "$decline"]);
const CARD_TYPES = new Set(["put", "write", "writeOn", "drop", "lift"]);

/** Undefined: it changes nothing by itself. */
export function deedOf(commit: Commit, branch: string | undefined): Deed | undefined {
  const { operation, actor, id, at } = commit;
  if (NOTES.has(operation.type)) return undefined;
  if (operation.type !== "$approve" && operation.type !== "$merge")
    return { operation, actor, id, at, ...(branch === undefined ? {} : { branch }) };
  const { operation: inner, source } = operation as ApproveOperation | MergeOperation;
  insist(source !== undefined, () => `version ${commit.version} does not say whose work it is`);
  return { operation: inner, ...source };
}

/** Whether the reducer alone says what a history with the commit leads to when some of it goes. */
export function isRefolded(commit: Commit, branch: string | undefined): boolean {
  const deed = deedOf(commit, branch);
  if (deed === undefined) return !isUndo(commit) || (commit.operation as UndoOperation).carried === undefined;
  return !isCarried(commit) && !(deed.actor.kind === "agent" && CARD_TYPES.has(deed.operation.type));
}

/** The state after all commits of a thread, given the state before the last one. */
export function stateAfter(
  commits: readonly Commit[],
  before: Tally,
  { state: base, branch }: Beginning,
  refolds: boolean,
): Tally {
  const last = commits.at(-1);
  if (last === undefined) return before;
  if (isUndo(last) ? !refolds : isCarried(last)) return patched(before, last);
  return isUndo(last)
    ? commits.reduce((state, commit) => (counts(commit, commits) ? step(state, commit, branch) : state), base)
    : step(before, last, branch);
}

function step(state: Tally, commit: Commit, branch: string | undefined): Tally {
  const deed = deedOf(commit, branch);
  if (deed === undefined) return state;
  const { operation, ...source } = deed;
  return tally.transition(state, operation, source).state;
}

function patched(before: Tally, { patches, version }: Commit): Tally {
  const applied = applyPatch(before, patches);
  insist(applied.ok, () => `the patches of version ${version} do not apply`);
  return applied.document as Tally;
}

/** A commit counts unless an undo that counts names it. */
export function counts({ version }: Commit, commits: readonly Commit[]): boolean {
  return !commits.some(
    (undo) => isUndo(undo) && hasVersion((undo.operation as UndoOperation).versions, version) && counts(undo, commits),
  );
}

function isUndo({ operation }: Commit): boolean {
  return operation.type === "$undo";
}

function isCarried({ operation }: Commit): boolean {
  return operation.type === "$merge" && (operation as MergeOperation).carried === true;
}
