// Selective undo: the state as it would be without some commits.
//
//   version    1     2     3     4     5
//   commit     a     b     c     d     u = undo of b
//                    |     |     |
//   base <-----------+     |     |      the inverse patches of d, c and b lead to the state after a
//   base -----------------c'----d'----> c and d are redone by the reducer, each as its own author;
//                                       the state of version 5 is the result
//
//   taken back: b    kept: a, and c and d redone    dependent: a c or d that no longer holds
//   without b; it is named in a refusal, or dropped with b
//
// Invariant: the state after an undo is the fold of the commits that are not taken back. It costs
// what the commits since the earliest one taken back cost: the state before that is reached by
// inverse patches, so it shares with the present state what did not change.
//
// Long because selecting, rewinding, redoing and the texts of their refusals belong to one
// computation.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import { deepFreeze } from "../../engine/freeze.ts";
import type { Model } from "../../engine/model.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { rejection } from "../../engine/reject.ts";
import type { Rejection } from "../../engine/rejection.ts";
import { run } from "../../engine/run.ts";
import type { Transition } from "../../engine/transition.ts";
import { NO_LIMITS } from "../../engine/trusted.ts";
import { applyPatch, diff } from "../../patch/index.ts";
import { equal } from "../../json/equal.ts";
import type { Commit } from "../commit.ts";
import { type Confirmed, confirm } from "../confirmed.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import type { Log } from "../log/log.ts";
import { isApprove, isMerge, isMigrate, isUndo, UNDO, undoOf, type UndoOperation } from "../entries.ts";
import { originOf } from "../origin.ts";
import { Pace, type Scheduler } from "../pace.ts";
import { readBetween } from "../log/scan.ts";
import { readStateAt } from "../log/state-at.ts";
import { earliestVersion } from "../version-ranges.ts";
import { excluded } from "./excluded.ts";
import type { UndoRequest } from "./request.ts";
import { compacted, select } from "./target.ts";

/** What an undo is computed on: the thread as its authority has it. */
export interface UndoContext {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  readonly actor: Actor;
  /** Whether the actor may take back commits of other actors: what they did, approved or merged. */
  readonly mayUndoOthers: boolean;
  readonly scheduler: Scheduler;
}

interface Dependent {
  readonly commit: Commit;
  readonly rejection: Rejection;
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
    transition: accepted(confirmed.state, undoOf(targets), [], []),
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
  const base =
    (await rewind(definition, confirmed, stretch, pace)) ??
    confirm(definition, await readStateAt(log, threadId, version - stretch.length, context.scheduler));
  if (!base.isValid) return reject(invalidBase(definition, version - stretch.length));
  const omitted = excluded(stretch, targets);
  const { state, dependents } = await fold(definition, base.state, stretch, omitted, pace);
  if (dependents.length > 0 && request.onDependent !== "drop") return reject(neededBy(dependents));
  const dropped = dependents.map(({ commit }) => commit);
  const operation = undoOf(
    targets,
    dropped.map((commit) => commit.version),
  );
  const patches = diff(confirmed.state, state);
  const next = patches.length === 0 ? confirmed.state : state;
  return { transition: accepted(next, operation, patches, diff(state, confirmed.state)), records: true };
}

/**
 * The commits that an undo from `start` on must redo: all since then, and since everything that a
 * later undo among them took back, because the state at that time still contained it. Or the floor,
 * when the log does not reach back that far.
 */
async function readStretch(
  log: Log,
  threadId: string,
  start: number,
  version: number,
): Promise<readonly Commit[] | { readonly floor: number }> {
  const parts: (readonly Commit[])[] = [];
  for (let first = start, read = version + 1; first < read;) {
    const older = await readBetween(log, threadId, first - 1, read - 1);
    if (older.length < read - first) return { floor: read - 1 - older.length };
    parts.unshift(older);
    read = first;
    for (const { operation } of older)
      if (isUndo(operation)) first = Math.min(first, earliestVersion(operation.versions));
  }
  return parts.flat();
}

/**
 * The state before a stretch, by its inverse patches. Undefined when the definition may not agree
 * with it.
 */
async function rewind(
  definition: AnyDefinition,
  { state, isValid }: Confirmed,
  stretch: readonly Commit[],
  pace: Pace,
): Promise<Confirmed | undefined> {
  if (!isValid || stretch.some(({ definitionVersion }) => definitionVersion !== definition.version)) return undefined;
  let reached = state;
  for (const { inverse } of stretch.toReversed()) {
    if (pace.isOver) await pace.next();
    const applied = applyPatch(reached, inverse, { inverse: false, limits: NO_LIMITS });
    if (!applied.ok) return undefined;
    reached = applied.document;
  }
  if (typeof reached !== "object" || reached === null)
    return reached === definition.initial ? { state: reached, isValid: true } : undefined;
  deepFreeze(reached, definition.model.freeze, state);
  definition.model.known.add(reached);
  return { state: reached, isValid: true };
}

/**
 * Redoes a stretch without the excluded versions. Operations that no longer hold change nothing and
 * are given as dependents.
 */
async function fold(
  definition: AnyDefinition,
  base: unknown,
  stretch: readonly Commit[],
  omitted: ReadonlySet<number>,
  pace: Pace,
): Promise<{ state: unknown; dependents: readonly Dependent[] }> {
  const model = withAllPermissions(definition.model);
  const dependents: Dependent[] = [];
  let state = base;
  for (const commit of stretch) {
    if (omitted.has(commit.version) || hasNoEffect(commit)) continue;
    if (pace.isOver) await pace.next();
    const step = redo(model, state, commit);
    state = step.state;
    if (!step.accepted) dependents.push({ commit, rejection: step.rejection });
  }
  return { state, dependents };
}

/**
 * Whether a commit changes no state. An approval that changed nothing may change something on
 * another state, so it is none.
 */
function hasNoEffect({ operation, patches }: Commit): boolean {
  return isUndo(operation) || (patches.length === 0 && !isApprove(operation));
}

/**
 * Redoes one commit by the reducer, or by its patches when the definition no longer has its
 * operation.
 */
function redo(model: Model, state: unknown, commit: Commit): Transition<unknown, AnyOperation> {
  // What was approved or merged is redone as its author's.
  const { operation, actor } = originOf(commit);
  const step = run(model, state, operation, { actor });
  if (step.accepted || (step.rejection.code !== "unknown_operation" && step.rejection.code !== "invalid_operation"))
    return step;
  const patched = run(model, state, { type: "$patch", patch: commit.patches }, { actor: commit.actor });
  if (!patched.accepted) return patched;
  // A patch may apply and yet remove another item than it did then. It holds when its inverse leads
  // back to here.
  const reverted = run(model, patched.state, { type: "$patch", patch: commit.inverse }, { actor: commit.actor });
  if (reverted.accepted && equal(reverted.state, state, Infinity)) return patched;
  const message = `What "${commit.operation.type}" changed at version ${commit.version} is no longer there, and the operation is no longer known.`;
  return { accepted: false, state, rejection: rejection("conflict", commit.operation.type, message) };
}

/** The model with every permission: what was permitted or approved once is redone. */
function withAllPermissions(model: Model): Model {
  const open = { allow: undefined, approve: [] };
  const operations = new Map([...model.operations].map(([type, operation]) => [type, { ...operation, ...open }]));
  const whole = { depth: Infinity, nodes: Infinity, bytes: Infinity };
  return {
    ...model,
    operations,
    replace: open,
    patches: true,
    limits: { ...model.limits, operation: whole, state: whole, batch: Infinity },
  };
}

function accepted(
  state: unknown,
  operation: UndoOperation,
  patches: Commit["patches"],
  inverse: Commit["inverse"],
): Computed["transition"] {
  return { accepted: true, state, operation, patches, inverse };
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

function neededBy(dependents: readonly Dependent[]): Rejection {
  const [first] = dependents;
  const message = `${dependents.length} later ${dependents.length === 1 ? "operation needs" : "operations need"} what would be taken back; the first at version ${first?.commit.version}: ${first?.rejection.message} Undo them too, or send onDependent: "drop" to leave them out.`;
  return rejection("conflict", UNDO, message, {
    reason: "dependents",
    details: {
      dependents: dependents.map(({ commit }) => commit.id),
      why: dependents.slice(0, 5).map(({ commit, rejection: { code, reason } }) => ({
        id: commit.id,
        version: commit.version,
        type: commit.operation.type,
        code,
        ...defined({ reason }),
      })),
    },
  });
}
