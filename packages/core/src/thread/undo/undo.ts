// Selective undo: the state as it would be without some commits.
//
//   version      1     2     3     4     5
//   commit       a     b     c     d     u = undo of b
//
//   S, now      ── a ── b ── c ── d ──>       the line that counts now
//   T, after    ── a ─────── c'── d'──>       the same line without what is undone
//                   └── one state, with one tree of names, up to here: nothing is run
//
//   undone: b        kept: a, and c and d done again on T (see `again`)
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
import type { Model } from "../../engine/model.ts";
import { isEmpty, nameState, type NamedState, noEffect } from "../../engine/things/index.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import type { Commit } from "../commit.ts";
import { isApprove, isMerge, isMigrate, isUndo, type ReplayedCommit, UNDO, undoOf } from "../entries.ts";
import type { Log } from "../log/log.ts";
import { readBetween } from "../log/scan.ts";
import type { OnDependent } from "../options.ts";
import { originOf } from "../origin.ts";
import type { Pace, Scheduler } from "../pace.ts";
import { withAllPermissions } from "./all-permissions.ts";
import { again, exactPatches, keep } from "./again.ts";
import { type Dependent, dependentsRejection } from "./dependents.ts";
import { excluded } from "./excluded.ts";
import { addRecorded, isSame, mayHaveEffect, readLines } from "./history.ts";
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

/**
 * What an undo would do now. Reads the log, writes nothing. The one that is worked out can follow
 * what is committed after it: `undone` of an earlier call with the same request.
 */
export async function computeUndo(
  context: UndoContext,
  head: Head,
  request: UndoRequest,
  pace: Pace,
  earlier?: Undone,
): Promise<{ readonly computed: Computed; readonly undone?: Undone }> {
  if (earlier !== undefined && (await earlier.follow(head, pace)))
    return { computed: await earlier.at(head, pace), undone: earlier };
  const begun = await begin(context, head, request, pace);
  return begun instanceof Undone ? { computed: await begun.at(head, pace), undone: begun } : { computed: begun };
}

async function begin(
  context: UndoContext,
  { confirmed, version }: Head,
  request: UndoRequest,
  pace: Pace,
): Promise<Undone | Computed> {
  const { definition, log, threadId, actor, branch } = context;
  const reject = (why: Rejection): Computed => refuse(confirmed, why);
  const selection = await select(log, threadId, version, actor, request, pace);
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

  const stretch = await readStretch(log, threadId, start, version, pace);
  if ("floor" in stretch) return reject(compacted(stretch.floor));
  const migrated = stretch.find(({ operation }) => isMigrate(operation));
  if (migrated !== undefined) return reject(beyondMigration(migrated.version));
  const undone = excluded(stretch);
  if (targets.every((at) => undone.has(at))) return unchanged;

  const base = await stateBefore(definition, context, { confirmed, version }, stretch, pace);
  if (!base.isValid) return reject(invalidBase(definition, version - stretch.length));
  const lines = await readLines({ definition, branch, base: nameState(base.state), commits: stretch }, pace);
  return new Undone(context, { targets, version, stretch, lines, onDependent: request.onDependent });
}

interface Worked {
  readonly targets: readonly number[];
  readonly version: number;
  readonly stretch: readonly Commit[];
  readonly lines: readonly Line[];
  readonly onDependent: OnDependent | undefined;
}

/** An undo that is worked out up to a version, and goes on with what is committed after it. */
export class Undone {
  readonly #context: UndoContext;
  readonly #worked: Worked;
  readonly #commits: Commit[];
  #version: number;
  readonly #kept: Kept;
  /** As if all dependents were to be kept: for the words of a refusal. */
  #keptAll: Kept | undefined;

  constructor(context: UndoContext, worked: Worked) {
    this.#context = context;
    this.#worked = worked;
    this.#commits = [...worked.stretch];
    this.#version = worked.version;
    this.#kept = this.#keepOn(worked.onDependent);
  }

  /** False when what was committed since cannot be followed: it is to be worked out anew. */
  async follow({ version }: Head, pace: Pace): Promise<boolean> {
    const { log, threadId } = this.#context;
    const { lines } = this.#worked;
    const line = lines.at(-1);
    if (line === undefined || version < this.#version) return false;
    const since = await readBetween(log, threadId, this.#version, version, pace);
    if (since.length < version - this.#version) return false;
    if (since.some(({ operation }) => isUndo(operation) || isMigrate(operation))) return false;
    for (const commit of since) {
      if (pace.isOver) await pace.next();
      addRecorded(this.#context, line, commit);
      this.#commits.push(commit);
      this.#version = commit.version;
    }
    return true;
  }

  /** At the version that it has followed. */
  async at({ confirmed }: Head, pace: Pace): Promise<Computed> {
    const { targets, lines, onDependent } = this.#worked;
    const kept = this.#kept;
    await kept.keep(this.#commits, pace);
    if (kept.dependents.length > 0 && onDependent !== "drop") {
      const all = onDependent === "keep" ? kept : (this.#keptAll ??= this.#keepOn("keep"));
      await all.keep(this.#commits, pace);
      const leaving = new Set([...all.dependents.map(({ commit }) => commit.version), ...all.lost]);
      return refuse(confirmed, dependentsRejection(kept.dependents, leaving, onDependent));
    }
    const { end, replayed } = kept;
    const operation = undoOf({
      ...kept.versions,
      // What is judged is frozen, and this goes on where another process has committed first.
      replayed: [...replayed],
      selected: targets,
      dropped: kept.dependents.map(({ commit }) => commit.version),
    });
    const before = { state: confirmed.state, names: lines.at(-1)?.end.names ?? end.names };
    return { transition: transitionTo(this.#context.definition, before, end, operation), records: true };
  }

  #keepOn(onDependent: OnDependent | undefined): Kept {
    const { targets, stretch, lines } = this.#worked;
    const { from, ...begun } = beginLine(lines, excluded(stretch, targets), isReturn(stretch, targets));
    // What is followed later is on no line yet, also where both lines have been the same so far.
    const beginning = { ...begun, from: Math.min(from, this.#version + 1) };
    return new Kept(this.#context, lines, beginning, onDependent);
  }
}

/** What is left of a history without some commits: what stays is done again, one after another. */
class Kept {
  readonly dependents: Dependent[] = [];
  /** Dependents that were to be kept, and of which nothing is left: their things are gone. */
  readonly lost: number[] = [];
  readonly versions = { recorded: [] as number[], recomputed: [] as number[], carried: [] as number[] };
  readonly replayed: ReplayedCommit[] = [];
  readonly #model: Model;
  readonly #branch: string | undefined;
  readonly #lines: readonly Line[];
  readonly #line: Line;
  readonly #from: number;
  readonly #onDependent: OnDependent | undefined;
  /** How many of the commits were looked at. */
  #count = 0;

  constructor(
    { definition, branch }: UndoContext,
    lines: readonly Line[],
    { line, since, from }: Beginning,
    onDependent: OnDependent | undefined,
  ) {
    this.#model = withAllPermissions(definition.model);
    this.#branch = branch;
    this.#lines = lines;
    this.#line = line;
    this.#from = from;
    this.#onDependent = onDependent;
    for (const [version, how] of line.marks) if (version >= since) this.versions[how].push(version);
  }

  get end(): NamedState {
    return this.#line.end;
  }

  /** Goes on with those that it has not had yet. */
  async keep(commits: readonly Commit[], pace: Pace): Promise<void> {
    for (; this.#count < commits.length; this.#count++) {
      if (pace.isOver) await pace.next();
      const commit = commits[this.#count];
      if (commit !== undefined) this.#take(commit);
    }
  }

  #take(commit: Commit): void {
    const { version } = commit;
    const line = this.#line;
    const recorded = version < this.#from || line.omitted.has(version) ? undefined : newestEffect(this.#lines, version);
    if (recorded === undefined) return;
    const to = line.end;
    if (isSame(recorded.before, to)) {
      line.add(version, recorded);
      return;
    }
    const model = this.#model;
    // The rest of an undo is no operation: it stays as far as its things do.
    let outcome = mayHaveEffect(commit)
      ? again(model, originOf(commit, this.#branch), recorded, to, firstEffect(this.#lines, version))
      : keep(model, recorded, to);
    if (outcome.kind === "dependent") {
      const { found } = outcome;
      if (this.#onDependent === "keep") outcome = keep(model, recorded, to);
      if (outcome.kind === "carried" && isEmpty(outcome.effect)) {
        this.lost.push(version);
        outcome = { kind: "nothing" };
      }
      if (outcome.kind === "dependent") {
        if (mayHaveEffect(commit)) this.dependents.push({ commit, found, would: wouldDo(model, found, recorded, to) });
        return;
      }
    }
    if (outcome.kind === "nothing") {
      line.add(version, noEffect(to));
      return;
    }
    line.add(version, outcome.effect);
    this.versions[outcome.kind].push(version);
    const patches = outcome.kind === "recorded" ? exactPatches(model, recorded, to, outcome) : outcome.patches;
    if (patches !== undefined) this.replayed.push({ version, patches });
  }
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
