// The agent's shared state: a snapshot replaces it, a delta patches it.
//
// Invariant: a patch of which any part fails changes nothing and is recorded as a conflict.

import { equal, isRecord } from "@opstate/core/json";
import type { StateDeltaEvent, StateSnapshotEvent } from "@ag-ui/core";
import { applyPatch, type Patch } from "@opstate/core/json-patch";
import type { ChatState, StateConflict } from "../state/chat-state.ts";
import { shareFromEnds } from "../state/share-from-ends.ts";
import { type Fold, type Resolution, warn } from "./fold.ts";

const MAX_CONFLICTS = 100;

/** Replaces the state and clears its conflicts. Parts that are equal keep their identity. */
export function applyStateSnapshot(fold: Fold, state: ChatState, event: StateSnapshotEvent): ChatState {
  const snapshot = shareFromEnds(state.state, event.snapshot as unknown);
  const checked = fold.check(state.state, snapshot);
  if (!checked.ok) {
    const patches: Patch = [{ op: "replace", path: "", value: snapshot }];
    return conflict(fold, state, {
      patches,
      index: -1,
      code: checked.code,
      reason: checked.reason,
      state: state.state,
    });
  }
  const conflicts = withoutConflicts(state.conflicts, undefined);
  const next = keepSnapshot(fold, atVersion(state, versionsOf(event).version), checked.state);
  return checked.state === next.state && conflicts === next.conflicts
    ? next
    : { ...next, state: checked.state, conflicts };
}

export function applyStateDelta(fold: Fold, state: ChatState, event: StateDeltaEvent): ChatState {
  const patches: Patch = event.delta;
  const { after, version } = versionsOf(event);
  const at = state.protocol.version;
  if (after !== undefined && at !== undefined && after !== at) {
    const reason = `The change leads from version ${after} to ${version ?? "another"}, but the state is at version ${at}`;
    return conflict(fold, state, { patches, index: -1, code: "version", reason, state: state.state });
  }
  const next = version === undefined ? state : atVersion(state, version);
  const patched = fold.patch(state.state, patches);
  if (patched !== undefined) return patched.state === state.state ? next : { ...next, state: patched.state };
  const result = applyPatch(state.state, patches, { inverse: false });
  if (!result.ok) return conflict(fold, state, { patches, ...failure(result.error), state: state.state });
  // A patch may undo itself, or write a value that is there already.
  if (!isPlainEdit(patches) && equal(state.state, result.document, Infinity)) return next;
  const checked = fold.check(state.state, result.document);
  if (!checked.ok)
    return conflict(fold, state, {
      patches,
      index: -1,
      code: checked.code,
      reason: checked.reason,
      state: state.state,
    });
  return checked.state === state.state ? next : { ...next, state: checked.state };
}

/**
 * One operation with a value that is not a container. For it, `applyPatch` returns the same
 * document when nothing changes.
 */
function isPlainEdit(patches: Patch): boolean {
  const [only, ...more] = patches;
  return (
    only !== undefined &&
    more.length === 0 &&
    "value" in only &&
    (typeof only.value !== "object" || only.value === null)
  );
}

/**
 * The versions in an event of `commitsToEvents`: `version` is the thread's version after the event,
 * `after` is the version that a delta leads from.
 */
function versionsOf({ metadata }: StateSnapshotEvent | StateDeltaEvent): {
  readonly version?: number;
  readonly after?: number;
} {
  const said: unknown = metadata?.["opstate"];
  if (!isRecord(said)) return {};
  const { version, after } = said;
  return { ...(typeof version === "number" && { version }), ...(typeof after === "number" && { after }) };
}

function atVersion(state: ChatState, version: number | undefined): ChatState {
  if (state.protocol.version === version) return state;
  const { version: _before, ...protocol } = state.protocol;
  return { ...state, protocol: { ...protocol, ...(version !== undefined && { version }) } };
}

/** Records a conflict, and resolves it as `resolveConflict` decides. */
function conflict(fold: Fold, state: ChatState, found: StateConflict): ChatState {
  if (fold.resolve === undefined) return withConflict(state, found);
  const { snapshot = state.state } = state.protocol;
  const resolution = decide(fold.resolve, found, snapshot);
  if (resolution === "keep") return withConflict(state, { ...found, resolution: "keep" });
  const checked = fold.check(
    state.state,
    resolution === "snapshot" ? snapshot : shareFromEnds(state.state, resolution.state),
  );
  if (!checked.ok) return withConflict(state, { ...found, resolution: "keep" });
  const named = resolution === "snapshot" ? "snapshot" : "custom";
  return withConflict({ ...state, state: checked.state }, { ...found, resolution: named });
}

/** A hook that throws keeps the state. */
function decide(resolve: NonNullable<Fold["resolve"]>, found: StateConflict, snapshot: unknown): Resolution {
  try {
    return resolve(found, snapshot);
  } catch {
    return "keep";
  }
}

/** Only `resolveConflict` needs the last snapshot, so it is kept only with one. */
function keepSnapshot(fold: Fold, state: ChatState, snapshot: unknown): ChatState {
  if (fold.resolve === undefined || state.protocol.snapshot === snapshot) return state;
  return { ...state, protocol: { ...state.protocol, snapshot } };
}

/** Adds a conflict. The oldest are kept, because they explain the others. */
export function withConflict(state: ChatState, found: StateConflict): ChatState {
  if (state.conflicts.length < MAX_CONFLICTS) return { ...state, conflicts: [...state.conflicts, found] };
  const eventType = found.messageId === undefined ? "STATE_DELTA" : "ACTIVITY_DELTA";
  const message = `More than ${MAX_CONFLICTS} conflicts since the last snapshot; the later ones are left out`;
  return warn(state, { code: "too_many_conflicts", eventType, message });
}

/**
 * The conflicts without those of one activity, or of the state (undefined). The same list when
 * there are none.
 */
export function withoutConflicts(
  conflicts: readonly StateConflict[],
  messageId: string | undefined,
): readonly StateConflict[] {
  return conflicts.some((found) => found.messageId === messageId)
    ? conflicts.filter((found) => found.messageId !== messageId)
    : conflicts;
}

export function failure({
  code,
  index,
  message,
}: {
  readonly code: string;
  readonly index: number;
  readonly message: string;
}) {
  return { code, index, reason: message };
}
