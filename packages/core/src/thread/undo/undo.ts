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
// Nothing is held of a stretch without undos but what the undo itself says: it is read once for the
// state before it, and once to do again what stays.

import type { AnyDefinition } from "../../definition/definition.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import { APPROVE, isMigrate, isUndo, MERGE, UNDO, undoOf } from "../entries.ts";
import { readBetween } from "../log/scan.ts";
import type { OnDependent } from "../options.ts";
import type { Pace } from "../pace.ts";
import { dependentsRejection } from "./dependents.ts";
import { Kept } from "./kept.ts";
import type { UndoRequest } from "./request.ts";
import { compacted, select, type Selected } from "./target.ts";
import { transitionTo, unchangedBy } from "./transition.ts";
import { findHistory, type History, type StretchContext } from "./worked-on.ts";

/** What an undo is computed on: the thread as its authority has it. */
export interface UndoContext extends StretchContext {
  readonly actor: Actor;
  /** Whether the actor may take back commits of other actors: what they did, approved or merged. */
  readonly mayUndoOthers: boolean;
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
  let undone = earlier !== undefined && (await earlier.follow(head, pace)) ? earlier : undefined;
  for (;;) {
    if (undone === undefined) {
      const begun = await begin(context, head, request, pace);
      if (!(begun instanceof Undone)) return { computed: begun };
      undone = begun;
    }
    const computed = await undone.at(head, pace);
    if (computed !== undefined) return { computed, undone };
    undone = undefined;
  }
}

async function begin(context: UndoContext, head: Head, request: UndoRequest, pace: Pace): Promise<Undone | Computed> {
  const { log, threadId, actor } = context;
  const { confirmed, version } = head;
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

  const found = await findHistory(context, head, targets, pace);
  switch (found.kind) {
    case "compacted":
      return reject(compacted(found.floor));
    case "migrated":
      return reject(beyondMigration(found.version));
    case "undone":
      return unchanged;
    case "invalid":
      return reject(invalidBase(context.definition, found.version));
    case "history":
      return new Undone(context, { targets, version, history: found.history, onDependent: request.onDependent });
  }
}

interface Worked {
  readonly targets: readonly number[];
  readonly version: number;
  readonly history: History;
  readonly onDependent: OnDependent | undefined;
}

/** An undo that is worked out up to a version, and goes on with what is committed after it. */
export class Undone {
  readonly #context: UndoContext;
  readonly #worked: Worked;
  #version: number;
  readonly #kept: Kept;
  /** As if all dependents were to be kept: for the words of a refusal. */
  #keptAll: Kept | undefined;

  constructor(context: UndoContext, worked: Worked) {
    this.#context = context;
    this.#worked = worked;
    this.#version = worked.version;
    this.#kept = this.#keepOn(worked.onDependent);
  }

  /** False when what was committed since cannot be followed: it is to be worked out anew. */
  async follow({ version }: Head, pace: Pace): Promise<boolean> {
    const { log, threadId } = this.#context;
    if (version < this.#version) return false;
    const since = await readBetween(log, threadId, this.#version, version, pace);
    if (since.length < version - this.#version) return false;
    if (since.some(({ operation }) => isUndo(operation) || isMigrate(operation))) return false;
    for (const commit of since) {
      if (pace.isOver) await pace.next();
      this.#worked.history.follow(commit);
      this.#version = commit.version;
    }
    return true;
  }

  /** At the version that it has followed. Undefined when the log has lost a part of the stretch. */
  async at({ confirmed }: Head, pace: Pace): Promise<Computed | undefined> {
    const { targets, onDependent } = this.#worked;
    const kept = this.#kept;
    if (!(await kept.keep(this.#version, pace))) return undefined;
    if (kept.dependents.length > 0 && onDependent !== "drop") {
      const all = onDependent === "keep" ? kept : (this.#keptAll ??= this.#keepOn("keep"));
      if (!(await all.keep(this.#version, pace))) return undefined;
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
    const before = { state: confirmed.state, names: kept.before.names };
    return { transition: transitionTo(this.#context.definition, before, end, operation), records: true };
  }

  #keepOn(onDependent: OnDependent | undefined): Kept {
    const { history } = this.#worked;
    return new Kept(this.#context, history.pass(), history.beginning(this.#version), onDependent);
  }
}

function notYours({ version, actor, type }: Selected): Rejection {
  const how = type === APPROVE ? "was approved by" : type === MERGE ? "was merged by" : "is the work of";
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
