// Replay by the reducer: what updates, or a recorded log, would make of a state now. (Loading
// replays a log by its patches instead: see confirmed.ts.)

import type { AcceptedOperationOf, AnyDefinition, ReduceContext, StateOf } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import { defined } from "../../defined.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { OpstateError } from "../../error.ts";
import type { Transition } from "../../engine/transition.ts";
import { applyPatch } from "../../patch/index.ts";
import { equal } from "../../json/equal.ts";
import type { Commit, Snapshot } from "../commit.ts";
import { type HistoryEntry, MIGRATE } from "../entries.ts";
import { typeOf } from "../type-of.ts";

/**
 * The end of a replay. `version` counts the updates that were accepted and changed something, from
 * the version it began with.
 */
export interface Replayed<D extends AnyDefinition> extends Snapshot<StateOf<D>> {
  /** One for each update, in order. */
  readonly transitions: readonly Transition<StateOf<D>, AcceptedOperationOf<D>>[];
}

/**
 * Replays updates on a state: on the initial one, or on the snapshot `from` (an earlier replay will
 * do). A refused update changes nothing and is in `transitions` with its reason. Never throws.
 *
 * `contextOf` gives the submission of an update, by its index: its id and its time, and with its
 * actor permissions are checked. Without it, ids follow from the content, and an operation that
 * reads the time is refused.
 *
 * @example
 * ```ts
 * import { defineState, replay } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const updates = [counter.op.add({ by: 1 }), { type: "nope" }, counter.op.add({ by: 2 })];
 * const { state, version, transitions } = replay(counter, updates);
 * state; // { count: 3 }
 * version; // 2
 * transitions.map(({ accepted }) => accepted); // [true, false, true]
 * ```
 */
export function replay<D extends AnyDefinition>(
  definition: D,
  updates: Iterable<unknown>,
  from?: Snapshot<StateOf<D>>,
  contextOf?: (index: number) => ReduceContext,
): Replayed<D> {
  let state: StateOf<D> = from === undefined ? definition.initial : from.state;
  let version = from?.version ?? 0;
  const transitions: Transition<StateOf<D>, AcceptedOperationOf<D>>[] = [];
  for (const update of updates) {
    const transition = definition.transition(state, update, contextOf?.(transitions.length));
    transitions.push(transition);
    if (transition.accepted && transition.patches.length > 0) version += 1;
    state = transition.state;
  }
  return { state, version, transitions };
}

/** A verdict that the log records and today's definition would not give. */
export interface VerdictChange {
  /** The commit's version, or the version at which it was refused. */
  readonly version: number;
  readonly id: string;
  readonly operation: unknown;
  readonly actor: Actor;
  readonly was: "accepted" | Rejection;
  readonly now: "accepted" | Rejection;
  /** Accepted both times, and another change of the state than then. */
  readonly patchesDiffer?: true;
}

export interface ReplayedLog<D extends AnyDefinition> {
  /** What the state would be. */
  readonly state: StateOf<D>;
  readonly changes: readonly VerdictChange[];
  /** Refused operations that the log had cut for their size: they cannot be tried again. */
  readonly skipped: number;
}

/**
 * What today's definition would have made of a recorded log. Before a rule is changed, it shows
 * whose operations would have been refused.
 *
 * Every submission of `thread.history({ rejections: true })` is tried again, by its actor, on the
 * state that follows from those before it. Two refusals are the same when their code and reason
 * are.
 *
 * The replay begins with the definition's initial state, or with the snapshot `from`. A log that
 * began with another state needs `{ version: 0, state: await thread.stateAt(0) }`; one that was
 * compacted, the same with its floor. The log of a branch needs `branch`, its incarnation, which
 * its ids were made from. Writes nothing. Throws an OpstateError (`compacted`) when the
 * first commit does not follow that state.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { replayLog } from "@opstate/core/log";
 * import { z } from "zod";
 *
 * const counterUpTo = (most: number) =>
 *   defineState({
 *     name: "counter",
 *     schema: z.object({ count: z.int().max(most) }),
 *     initial: { count: 0 },
 *     operations: {
 *       add: {
 *         input: z.object({ by: z.int() }),
 *         apply(draft, { by }) {
 *           draft.count += by;
 *         },
 *       },
 *     },
 *   });
 *
 * const definition = counterUpTo(10);
 * const thread = await openThread({ definition, log: memoryLog(), threadId: "demo" });
 * await thread.dispatch({ type: "add", by: 7 }, { actor: { kind: "user", id: "ada" } });
 *
 * const { state, changes } = replayLog(counterUpTo(5), await thread.history({ rejections: true }));
 * state; // { count: 0 }
 * const [change] = changes;
 * change?.was; // "accepted"
 * change?.now !== "accepted" && change?.now.code; // "invalid_state"
 * ```
 */
export function replayLog<D extends AnyDefinition>(
  definition: D,
  entries: Iterable<HistoryEntry>,
  from?: Snapshot<StateOf<D>>,
  { branch }: { readonly branch?: string } = {},
): ReplayedLog<D> {
  let state: StateOf<D> = from === undefined ? definition.initial : from.state;
  const start = from?.version ?? 0;
  let hasCommit = false;
  let skipped = 0;
  const changes: VerdictChange[] = [];
  for (const entry of entries) {
    const submission = entry.kind === "commit" ? entry.commit : entry.refusal;
    const { version, id, operation, actor, at } = submission;
    if (entry.kind === "commit" ? version <= start : version < start) continue;
    if (entry.kind === "commit" && !hasCommit && version > start + 1) throw gap(start, version);
    hasCommit ||= entry.kind === "commit";
    // The state that is replayed on is today's: it needs no migration.
    if (typeOf(operation) === MIGRATE) continue;
    if (isCut(operation)) {
      skipped += 1;
      continue;
    }
    const next =
      entry.kind === "commit" && isOperationOf(definition, operation)
        ? byPatches(definition, state, entry.commit)
        : definition.transition(state, operation, { actor, id, at, ...defined({ branch }) });
    const was = entry.kind === "commit" ? "accepted" : entry.refusal.rejection;
    const now = next.accepted ? "accepted" : next.rejection;
    const patchesDiffer =
      entry.kind === "commit" && next.accepted && !equal(entry.commit.patches, next.patches, Infinity);
    state = next.state;
    if (!sameVerdict(was, now) || patchesDiffer)
      changes.push({ version, id, operation, actor, was, now, ...(patchesDiffer ? { patchesDiffer } : {}) });
  }
  return { state, changes, skipped };
}

function gap(start: number, version: number): OpstateError {
  return new OpstateError(
    "compacted",
    `These entries go on with version ${version}, so they cannot be replayed on version ${start}. Give replayLog the state they follow: { version: ${version - 1}, state: await thread.stateAt(${version - 1}) }.`,
  );
}

/**
 * A commit of opstate's own kind, such as an undo: no operation of a definition leads to it, only
 * its patches do.
 */
function isOperationOf(definition: AnyDefinition, operation: unknown): boolean {
  const type = typeOf(operation);
  return (
    type.startsWith("$") && type !== "$replace" && type !== "$batch" && !(type === "$patch" && definition.model.patches)
  );
}

function byPatches<D extends AnyDefinition>(
  definition: D,
  state: StateOf<D>,
  { patches, operation }: Commit,
): Transition<StateOf<D>, AcceptedOperationOf<D>> {
  const applied = applyPatch(state, patches);
  if (applied.ok) return definition.transition(state, { type: "$replace", value: applied.document });
  return { accepted: false, state, rejection: rejection("conflict", operation.type, applied.error.message) };
}

function sameVerdict(was: "accepted" | Rejection, now: "accepted" | Rejection): boolean {
  if (was === "accepted" || now === "accepted") return was === now;
  return was.code === now.code && was.reason === now.reason;
}

/** A large operation that a refusal keeps by its hash only (`cutOperation`). */
function isCut(operation: unknown): boolean {
  if (typeof operation !== "object" || operation === null || !("cut" in operation)) return false;
  const { cut } = operation;
  return typeof cut === "object" && cut !== null && "hash" in cut && "preview" in cut;
}
