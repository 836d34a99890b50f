// The stretch of history that an undo works on, and the state before it.

import type { AnyDefinition } from "../../definition/definition.ts";
import { deepFreeze } from "../../engine/freeze.ts";
import { NO_LIMITS } from "../../engine/limits/no-limits.ts";
import { PatchSequence } from "../../patch/sequence.ts";
import type { Commit } from "../commit.ts";
import { type Confirmed, confirm } from "../confirmed.ts";
import { isMigrate, isUndo } from "../entries.ts";
import type { Log } from "../log/log.ts";
import { readBetween, scanBackwards } from "../log/scan.ts";
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

/** The state before a stretch without undos that leads to the present one, or why there is none. */
export type Rewound =
  | { readonly kind: "base"; readonly base: Confirmed }
  | { readonly kind: "undos" }
  | { readonly kind: "migrated"; readonly version: number }
  | { readonly kind: "compacted"; readonly floor: number };

/**
 * The state before version `start`, as `stateBefore` gives it. The stretch is read once, backwards,
 * and not held: where an undo is met, it is another one.
 */
export async function rewindTo(
  definition: AnyDefinition,
  { log, threadId, scheduler }: { readonly log: Log; readonly threadId: string; readonly scheduler: Scheduler },
  { confirmed, version }: { readonly confirmed: Confirmed; readonly version: number },
  start: number,
  pace: Pace,
): Promise<Rewound> {
  const back = new Rewinding(definition, confirmed);
  let oldest = version + 1;
  let migrated: number | undefined;
  for await (const commit of scanBackwards(log, threadId, version, start - 1, pace)) {
    if (isUndo(commit.operation)) return { kind: "undos" };
    if (pace.isOver) await pace.next();
    if (isMigrate(commit.operation)) migrated = commit.version;
    back.over(commit);
    oldest = commit.version;
  }
  if (oldest > start) return { kind: "compacted", floor: oldest - 1 };
  if (migrated !== undefined) return { kind: "migrated", version: migrated };
  const base = back.end() ?? confirm(definition, await readStateAt(log, threadId, start - 1, scheduler));
  return { kind: "base", base };
}

/** Back from the present state by inverse patches, as long as the definition agrees with it. */
class Rewinding {
  readonly #definition: AnyDefinition;
  readonly #from: unknown;
  readonly #back: PatchSequence;
  #isKnown: boolean;

  constructor(definition: AnyDefinition, { state, isValid }: Confirmed) {
    this.#definition = definition;
    this.#from = state;
    this.#back = new PatchSequence(state, NO_LIMITS);
    this.#isKnown = isValid;
  }

  over({ inverse, definitionVersion }: Commit): void {
    this.#isKnown &&= definitionVersion === this.#definition.version;
    this.#isKnown &&= this.#back.take(inverse) === undefined;
  }

  /** Undefined when the definition may not agree with the state. */
  end(): Confirmed | undefined {
    if (!this.#isKnown) return undefined;
    const { model, initial } = this.#definition;
    const state = this.#back.document;
    if (typeof state !== "object" || state === null) return state === initial ? { state, isValid: true } : undefined;
    deepFreeze(state, model.freeze, this.#from);
    model.known.add(state);
    return { state, isValid: true };
  }
}

/**
 * The state before a stretch, by its inverse patches. Undefined when the definition may not agree
 * with it.
 */
async function rewind(
  definition: AnyDefinition,
  confirmed: Confirmed,
  stretch: readonly Commit[],
  pace: Pace,
): Promise<Confirmed | undefined> {
  const back = new Rewinding(definition, confirmed);
  for (const commit of stretch.toReversed()) {
    if (pace.isOver) await pace.next();
    back.over(commit);
  }
  return back.end();
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
