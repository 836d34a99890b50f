// `checkMigrations`: opens threads that hold an author's stored states, as a server would after the
// next release, and says what would go wrong.

import { memoryLog } from "../../thread/log/memory/memory-log.ts";
import { openThread } from "../../thread/open-thread.ts";
import type { AnyDefinition, StateOf } from "../../definition/definition.ts";
import { adopt } from "../../engine/adopt.ts";

/** A state as a log holds it, and the version of the definition that wrote it. */
export interface StoredState {
  readonly version: number;
  readonly state: unknown;
}

/** What is wrong with one stored state: `index` is its place in the list that was given. */
export interface MigrationFinding {
  readonly index: number;
  readonly version: number;
  readonly message: string;
}

/**
 * `states`: what each stored state is now, in the order given. `untested`: the older versions of
 * which no state was given.
 */
export type MigrationsResult<State> =
  | { readonly ok: true; readonly states: readonly State[]; readonly untested: readonly number[] }
  | { readonly ok: false; readonly findings: readonly MigrationFinding[] };

/**
 * Checks what a definition makes of states that older versions of it stored:
 *
 * - a thread with such a state opens, and its state satisfies today's schema;
 * - it is migrated once: opened again, it has the same state, and no further commit.
 *
 * Keep a few states of each release as JSON, such as `thread.getState()`, with the version that
 * wrote them. It prints nothing, and the stored states are not changed.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { checkMigrations } from "@opstate/core/testing";
 * import { z } from "zod";
 *
 * const prices = defineState({
 *   name: "prices",
 *   version: 3,
 *   schema: z.object({ cents: z.array(z.int()), currency: z.string() }),
 *   initial: { cents: [], currency: "EUR" },
 *   migrate: {
 *     1: ({ euros }) => ({ cents: euros.map((euro: number) => Math.round(euro * 100)) }),
 *     2: (state) => ({ ...state, currency: "EUR" }),
 *   },
 *   operations: {},
 * });
 *
 * const result = await checkMigrations(prices, [
 *   { version: 1, state: { euros: [1.5] } },
 *   { version: 2, state: { cents: [99] } },
 * ]);
 * result.ok; // true
 * const states = result.ok ? result.states : [];
 * states.map(({ cents }) => cents); // [[150], [99]]
 * ```
 */
export async function checkMigrations<D extends AnyDefinition>(
  definition: D,
  stored: readonly StoredState[],
): Promise<MigrationsResult<StateOf<D>>> {
  const findings: MigrationFinding[] = [];
  const states: StateOf<D>[] = [];
  for (const [index, { version, state }] of stored.entries()) {
    const opened = await openStored(definition, version, state);
    if ("message" in opened) findings.push({ index, version, message: opened.message });
    else states.push(opened.state);
  }
  if (findings.length > 0) return { ok: false, findings };
  const given = new Set(stored.map(({ version }) => version));
  const older = Array.from({ length: definition.version - 1 }, (_, index) => index + 1);
  return { ok: true, states, untested: older.filter((version) => !given.has(version)) };
}

async function openStored<D extends AnyDefinition>(
  definition: D,
  definitionVersion: number,
  state: unknown,
): Promise<{ readonly state: StateOf<D> } | { readonly message: string }> {
  const log = memoryLog();
  const threadId = "stored";
  const at = "2026-01-01T00:00:00.000Z";
  try {
    // As text it was stored, and as text it comes back.
    const copy: unknown = JSON.parse(JSON.stringify(state));
    await log.create({ threadId, definition: definition.name, definitionVersion, state: copy, at });
    const first = await openThread({ definition, log, threadId });
    const { version } = first;
    const migrated = first.getState();
    await first.close();
    const why = whyInvalid(definition, migrated);
    if (why !== undefined) return { message: `It is not a valid ${definition.name}: ${why}` };
    const again = await openThread({ definition, log, threadId });
    await again.close();
    if (again.version !== version)
      return { message: "Opened again, it was migrated again: the migrated state is not one that stays as it is." };
    return { state: migrated };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

function whyInvalid({ model, initial }: AnyDefinition, state: unknown): string | undefined {
  if (typeof state !== "object" || state === null)
    return state === initial ? undefined : `it is ${JSON.stringify(state)}, and no state but the initial one may be.`;
  const adopted = model.known.adoptState(state, (foreign) => adopt(model, foreign));
  return adopted.ok ? undefined : adopted.problem.message;
}
