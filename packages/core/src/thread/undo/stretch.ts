// The stretch of history that an undo works on, and the state before it.

import type { AnyDefinition } from "../../definition/definition.ts";
import { deepFreeze } from "../../engine/freeze.ts";
import { NO_LIMITS } from "../../engine/limits/no-limits.ts";
import { applyPatch } from "../../patch/index.ts";
import type { Commit } from "../commit.ts";
import { type Confirmed, confirm } from "../confirmed.ts";
import { isUndo } from "../entries.ts";
import type { Log } from "../log/log.ts";
import { readBetween } from "../log/scan.ts";
import { readStateAt } from "../log/state-at.ts";
import type { Pace, Scheduler } from "../pace.ts";
import { earliestVersion } from "../version-ranges.ts";

/**
 * The commits that an undo from `start` on must redo: all since then, and since everything that a
 * later undo among them took back, because the state at that time still contained it. Or the floor,
 * when the log does not reach back that far.
 */
export async function readStretch(
  log: Log,
  threadId: string,
  start: number,
  version: number,
  pace: Pace,
): Promise<readonly Commit[] | { readonly floor: number }> {
  const parts: (readonly Commit[])[] = [];
  for (let first = start, read = version + 1; first < read;) {
    const older = await readBetween(log, threadId, first - 1, read - 1, pace);
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
 * The state before a stretch that ends with the present state: by its inverse patches, or from the
 * log.
 */
export async function stateBefore(
  definition: AnyDefinition,
  { log, threadId, scheduler }: { readonly log: Log; readonly threadId: string; readonly scheduler: Scheduler },
  { confirmed, version }: { readonly confirmed: Confirmed; readonly version: number },
  stretch: readonly Commit[],
  pace: Pace,
): Promise<Confirmed> {
  return (
    (await rewind(definition, confirmed, stretch, pace)) ??
    confirm(definition, await readStateAt(log, threadId, version - stretch.length, scheduler))
  );
}
