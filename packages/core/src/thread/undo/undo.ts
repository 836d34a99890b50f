// Selective undo: the state as it would be without some commits.
//
//   version      1     2     3     4     5
//   commit       a     b     c     d     u = undo of b
//
//   S, now      ── a ── b ── c ── d ──>       the line that counts now
//   T, after    ── a ─────── c'── d'──>       the same line without what is taken back
//                   └── one state, with one tree of names, up to here: nothing is run
//
//   taken back: b    kept: a, and c and d done again on T (see `again`)
//   dependent: a c or d that would do something else on T; it is named in a refusal, dropped with
//   b, or kept as it was recorded
//
// Invariants:
// - What is kept changes on T exactly the things that it changed on S, with the values that were
//   recorded or computed anew.
// - The state before the earliest commit that goes is reached by inverse patches, so it shares with
//   the present state what did not change.
// - The commit of an undo says enough for the next one to begin where it ended: `readLines`.
//
// Long because selecting, reading, doing again and the texts of the refusals belong to one
// computation.

import type { AnyDefinition } from "../../definition/definition.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { isEmpty, nameState, type NamedState, noEffect } from "../../engine/things/index.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import type { Commit } from "../commit.ts";
import { isApprove, isMerge, isMigrate, type ReplayedCommit, UNDO, undoOf } from "../entries.ts";
import type { Log } from "../log/log.ts";
import type { OnDependent } from "../options.ts";
import { originOf } from "../origin.ts";
import { Pace, type Scheduler } from "../pace.ts";
import { withAllPermissions } from "./all-permissions.ts";
import { again, exactPatches, keep } from "./again.ts";
import { type Dependent, dependentsRejection } from "./dependents.ts";
import { excluded } from "./excluded.ts";
import { isSame, mayHaveEffect, readLines } from "./history.ts";
import { beginLine, type Beginning, firstEffect, isReturn, type Line, newestEffect } from "./line.ts";
import type { UndoRequest } from "./request.ts";
import { readStretch, stateBefore } from "./stretch.ts";
import { transitionTo, unchangedBy } from "./transition.ts";
import { compacted, select } from "./target.ts";
import { wouldDo } from "./would.ts";

/** What an undo is computed on: the thread as its authority has it. */
export interface UndoContext {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  readonly actor: Actor;
  /** Whether the actor may take back commits of other actors: what they did, approved or merged. */
  readonly mayUndoOthers: boolean;
  readonly scheduler: Scheduler;
  /** The incarnation of the branch that the thread is. */
  readonly branch: string | undefined;
}

/** What an undo would do now. Reads the log, writes nothing. */
export async function computeUndo(
  context: UndoContext,
  { confirmed, version }: Head,
  request: UndoRequest,
): Promise<Computed> {
  const { definition, log, threadId, actor } = context;
  const reject = (why: Rejection): Computed => refuse(confirmed, why);
  const selection = await select(log, threadId, version, actor, request);
  if (!selection.ok) return reject(selection.rejection);
  const { commits } = selection;
  if (!context.mayUndoOthers) {
    const foreign = commits.find((commit) => !sameActor(commit.actor, actor));
    if (foreign !== undefined) return reject(notYours(foreign));
  }
  const targets = commits.map((commit) => commit.version);
  const unchanged: Computed = {
    transition: unchangedBy(confirmed.state, undoOf({ selected: targets })),
    records: false,
  };
  const [start] = targets;
  if (start === undefined) return unchanged;

  const stretch = await readStretch(log, threadId, start, version);
  if ("floor" in stretch) return reject(compacted(stretch.floor));
  const migrated = stretch.find(({ operation }) => isMigrate(operation));
  if (migrated !== undefined) return reject(beyondMigration(migrated.version));
  const takenBack = excluded(stretch);
  if (targets.every((at) => takenBack.has(at))) return unchanged;

  const pace = new Pace(context.scheduler);
  const base = await stateBefore(definition, context, { confirmed, version }, stretch, pace);
  if (!base.isValid) return reject(invalidBase(definition, version - stretch.length));
  const lines = await readLines(
    { definition, branch: context.branch, base: nameState(base.state), commits: stretch },
    pace,
  );
  const { onDependent } = request;
  const keepOn = (how: OnDependent | undefined) => {
    const beginning = beginLine(lines, excluded(stretch, targets), isReturn(stretch, targets));
    return keepRest(context, lines, stretch, beginning, how, pace);
  };
  const kept = await keepOn(onDependent);
  if (kept.dependents.length > 0 && onDependent !== "drop") {
    const { dependents, lost } = onDependent === "keep" ? kept : await keepOn("keep");
    const leaving = new Set([...dependents.map(({ commit }) => commit.version), ...lost]);
    return reject(dependentsRejection(kept.dependents, leaving, onDependent));
  }
  const operation = undoOf({
    ...kept,
    selected: targets,
    dropped: kept.dependents.map(({ commit }) => commit.version),
  });
  const before = { state: confirmed.state, names: lines.at(-1)?.end.names ?? kept.end.names };
  return { transition: transitionTo(definition, before, kept.end, operation), records: true };
}

/** What is left of a history without some commits. */
interface Kept {
  readonly end: NamedState;
  readonly dependents: readonly Dependent[];
  /** Dependents that were to be kept, and of which nothing is left: their things are gone. */
  readonly lost: readonly number[];
  readonly recomputed: readonly number[];
  readonly carried: readonly number[];
  readonly replayed: readonly ReplayedCommit[];
}

/** Does again what stays, one commit after another, on the line without what goes. */
async function keepRest(
  { definition, branch }: UndoContext,
  lines: readonly Line[],
  stretch: readonly Commit[],
  { line, since, from }: Beginning,
  onDependent: OnDependent | undefined,
  pace: Pace,
): Promise<Kept> {
  const model = withAllPermissions(definition.model);
  const dependents: Dependent[] = [];
  const lost: number[] = [];
  const versions = { recorded: [] as number[], recomputed: [] as number[], carried: [] as number[] };
  const replayed: ReplayedCommit[] = [];
  for (const [version, how] of line.marks) if (version >= since) versions[how].push(version);
  for (const commit of stretch) {
    const { version } = commit;
    const recorded = version < from || line.omitted.has(version) ? undefined : newestEffect(lines, version);
    if (recorded === undefined) continue;
    const to = line.end;
    if (isSame(recorded.before, to)) {
      line.add(version, recorded);
      continue;
    }
    if (pace.isOver) await pace.next();
    // The rest of an undo is no operation: it stays as far as its things do.
    let outcome = mayHaveEffect(commit)
      ? again(model, originOf(commit, branch), recorded, to, firstEffect(lines, version))
      : keep(model, recorded, to);
    if (outcome.kind === "dependent") {
      const { found } = outcome;
      if (onDependent === "keep") outcome = keep(model, recorded, to);
      if (outcome.kind === "carried" && isEmpty(outcome.effect)) {
        lost.push(version);
        outcome = { kind: "nothing" };
      }
      if (outcome.kind === "dependent") {
        if (mayHaveEffect(commit)) dependents.push({ commit, found, would: wouldDo(model, found, recorded, to) });
        continue;
      }
    }
    if (outcome.kind === "nothing") {
      line.add(version, noEffect(to));
      continue;
    }
    line.add(version, outcome.effect);
    versions[outcome.kind].push(version);
    const patches = outcome.kind === "recorded" ? exactPatches(model, recorded, to, outcome) : outcome.patches;
    if (patches !== undefined) replayed.push({ version, patches });
  }
  return { ...versions, end: line.end, dependents, lost, replayed };
}

function notYours({ version, actor, operation }: Commit): Rejection {
  const how = isApprove(operation) ? "was approved by" : isMerge(operation) ? "was merged by" : "is the work of";
  const message = `Version ${version} ${how} the ${actor.kind} "${actor.id}". Taking back what others did needs the right "undo".`;
  return rejection("forbidden", UNDO, message, { details: { version, actor } });
}

function beyondMigration(version: number): Rejection {
  const message = `The state was migrated to a newer definition at version ${version}. What was done before cannot be taken back: change it by an operation.`;
  return rejection("conflict", UNDO, message, { reason: "migrated", details: { version } });
}

function invalidBase(definition: AnyDefinition, version: number): Rejection {
  return rejection(
    "invalid_state",
    UNDO,
    `The state at version ${version} is not a valid ${definition.name} by today's definition, so what was done on it cannot be done again.`,
  );
}
