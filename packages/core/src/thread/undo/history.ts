// The lines of a stretch of history, read from its commits: line by line, up to what counts now.
//
// An undo stores what it took back, and of what it kept only what does not follow: patches of
// commits that were computed anew or carried, or that put a thing among other neighbours. All
// others did the same to the same things as on the line before, so their effect is carried.
//
// Invariant: each line ends with the state that the log has there, whatever today's code says. An
// undo of an earlier release, or a derived field that is computed differently today, leaves a rest:
// the rest becomes a step of its own, under the version of the undo.

import type { AnyDefinition } from "../../definition/definition.ts";
import { deepFreeze } from "../../engine/freeze.ts";
import type { Model } from "../../engine/model.ts";
import {
  carry,
  compareEffects,
  type Effect,
  effectOf,
  type NamedState,
  noEffect,
  sourceText,
} from "../../engine/things/index.ts";
import { NO_LIMITS } from "../../engine/limits/no-limits.ts";
import { equal } from "../../json/equal.ts";
import { applyPatch, diff, type Patch } from "../../patch/index.ts";
import type { Commit } from "../commit.ts";
import { droppedVersions, isApprove, isMigrate, isRefoldedUndo, isUndo, type UndoOperation } from "../entries.ts";
import { originOf } from "../origin.ts";
import type { Pace } from "../pace.ts";
import { withAllPermissions } from "./all-permissions.ts";
import { again, putPatches } from "./again.ts";
import { excluded } from "./excluded.ts";
import { versionsIn } from "../version-ranges.ts";
import { beginLine, firstEffect, isReturn, Line, newestEffect, newestMark } from "./line.ts";

export interface Stretch {
  readonly definition: AnyDefinition;
  /** The incarnation of the branch that it is of. */
  readonly branch: string | undefined;
  /** The state before the first commit. */
  readonly base: NamedState;
  /** Consecutive, and with everything that an undo among them took back. */
  readonly commits: readonly Commit[];
  /** What a commit did, with other names for what it bore. */
  readonly rename?: (commit: Commit, effect: Effect) => Effect;
}

/** The lines of a stretch, the one that counts now last. */
export async function readLines(stretch: Stretch, pace: Pace): Promise<readonly Line[]> {
  const { base, commits } = stretch;
  const first = new Line(base, new Set());
  const lines = [first];
  const undos: Commit[] = [];
  let line = first;
  let state = base.state;
  for (const [index, commit] of commits.entries()) {
    if (pace.isOver) await pace.next();
    if (isUndo(commit.operation)) {
      state = patched(state, commit);
      line.until = commit.version;
      line = await restore(stretch, { lines, undos, index, operation: commit.operation, state }, pace);
      lines.push(line);
      undos.push(commit);
    } else {
      addRecorded(stretch, line, commit);
      state = line.end.state;
    }
  }
  return lines;
}

/** A commit of the log, other than an undo, as the newest step of the line that counts. */
export function addRecorded(
  { definition, branch, rename = (_, effect) => effect }: Pick<Stretch, "definition" | "branch" | "rename">,
  line: Line,
  commit: Commit,
): void {
  if (!mayHaveEffect(commit)) return;
  line.add(commit.version, rename(commit, recordedEffect(definition, line.end, commit, branch)));
}

/**
 * Whether a commit changes a state. An approval that changed nothing may change something on
 * another line, so it counts.
 */
export function mayHaveEffect({ operation, patches }: Commit): boolean {
  return !isUndo(operation) && (patches.length > 0 || isApprove(operation));
}

/** What a commit of the log did. */
export function recordedEffect(
  definition: AnyDefinition,
  before: NamedState,
  commit: Commit,
  branch: string | undefined,
): Effect {
  const { source, operation } = originOf(commit, branch);
  const compared = isMigrate(operation) || (isUndo(operation) && isRefoldedUndo(operation));
  const effect = effectOf(definition.model, before, commit.patches, {
    source: sourceText(source),
    operation,
    compared,
  });
  adopt(definition, before.state, effect.after.state, commit);
  return effect;
}

/** Patches of one definition lead from a valid state to a valid one. */
function adopt({ model, version }: AnyDefinition, before: unknown, state: unknown, commit: Commit): void {
  if (typeof state !== "object" || state === null) return;
  deepFreeze(state, model.freeze, before);
  if (commit.definitionVersion === version && isKnown(model, before)) model.known.add(state);
}

function isKnown({ known, initial }: Model, state: unknown): boolean {
  if (typeof state !== "object" || state === null) return state === initial;
  return known.has(state);
}

/** An undo of a stretch. */
interface UndoAt {
  /** Those before it, and the undos that led to them. */
  readonly lines: readonly Line[];
  readonly undos: readonly Commit[];
  readonly index: number;
  readonly operation: UndoOperation;
  /** What it led to. */
  readonly state: unknown;
}

/** The line that counted after an undo, with the state that the log has there. */
async function restore(stretch: Stretch, undo: UndoAt, pace: Pace): Promise<Line> {
  const { definition, commits } = stretch;
  const { lines, undos, index, operation, state } = undo;
  const model = withAllPermissions(definition.model);
  const dropped = new Set(versionsIn(droppedVersions(operation)));
  const selected = [...versionsIn(operation.versions)].filter((version) => !dropped.has(version));
  const omitted = excluded(undos, versionsIn(operation.versions));
  const requested = excluded(undos, selected);
  const { line, from } = beginLine(lines, omitted, isReturn(commits, selected), requested);
  for (const version of versionsIn(operation.recomputed ?? [])) line.marks.set(version, "recomputed");
  for (const version of versionsIn(operation.carried ?? [])) line.marks.set(version, "carried");
  const replayed = new Map((operation.replayed ?? []).map(({ version, patches }) => [version, patches]));
  const begun = Math.max(0, from - (commits[0]?.version ?? 0));
  for (const commit of commits.slice(begun, index)) {
    const { version } = commit;
    const recorded = line.omitted.has(version) ? undefined : newestEffect(lines, version);
    if (recorded === undefined) continue;
    if (pace.isOver) await pace.next();
    const mark = line.marks.get(version) ?? newestMark(lines, version);
    if (mark !== undefined) line.marks.set(version, mark);
    const first = firstEffect(lines, version) ?? recorded;
    const patches = replayed.get(version);
    line.add(version, restoredEffect(model, stretch, operation, commit, { recorded, first, patches }, line.end));
  }
  const { end } = line;
  if (!equal(end.state, state, Infinity)) {
    const rest = diff(end.state, state);
    const source = `rest ${commits[index]?.version}`;
    const effect = effectOf(definition.model, end, rest, { source, operation: { type: "rest" }, compared: true });
    line.add(commits[index]?.version ?? 0, { ...effect, after: { ...effect.after, state } });
  }
  return line;
}

/** What an undo says of a commit that it kept. `patches`: those it stored. */
interface Kept {
  readonly recorded: Effect;
  readonly first: Effect;
  readonly patches: Patch | undefined;
}

function restoredEffect(
  model: Model,
  { branch }: Stretch,
  undo: UndoOperation,
  commit: Commit,
  kept: Kept,
  to: NamedState,
): Effect {
  const { recorded, patches } = kept;
  if (isSame(recorded.before, to)) return recorded;
  // Earlier releases did again by the reducer what they kept.
  const outcome = isRefoldedUndo(undo) ? again(model, originOf(commit, branch), recorded, to) : undefined;
  if (outcome !== undefined && "effect" in outcome) return outcome.effect;
  if (patches !== undefined) return storedEffect(model, kept, patches, to);
  const carried = carry(model, recorded, to, { anyway: true });
  if (!carried.ok) return noEffect(to);
  const put = putPatches(model, recorded, to, carried.patches, carried.after.names);
  return put.ok ? put.effect : noEffect(to);
}

/**
 * What stored patches did. What they put there has the names that it had when the undo was made: of
 * what was done again, at first or since, the patches say only what it holds.
 */
function storedEffect(model: Model, { recorded, first }: Kept, patches: Patch, to: NamedState): Effect {
  for (const effect of new Set([first, recorded])) {
    const carried = carry(model, effect, to, { anyway: true });
    if (!carried.ok || !equal(carried.patches, patches, Infinity)) continue;
    const put = putPatches(model, effect, to, patches, carried.after.names);
    return put.ok ? put.effect : noEffect(to);
  }
  const put = putPatches(model, recorded, to, patches);
  if (!put.ok) return noEffect(to);
  const isAsAtFirst =
    first !== recorded &&
    compareEffects(recorded, put.effect).likeness !== "same" &&
    compareEffects(first, put.effect).likeness === "same";
  const whole = isAsAtFirst ? putPatches(model, first, to, patches) : put;
  return whole.ok ? whole.effect : put.effect;
}

/** Whether two lines are still one: then nothing needs to be done again. */
export function isSame(left: NamedState, right: NamedState): boolean {
  return left.state === right.state && left.names === right.names;
}

function patched(state: unknown, { patches }: Commit): unknown {
  const applied = applyPatch(state, patches, { inverse: false, limits: NO_LIMITS });
  return applied.ok ? applied.document : state;
}
