// A stored state meets a definition that has changed. What today's definition makes of it is
// committed once, so that the log holds it too.

import type { AnyDefinition } from "../../definition/definition.ts";
import { ANY_SIZE, copyJson } from "../../engine/limits/limits.ts";
import { run } from "../../engine/run.ts";
import { OpstateError } from "../../error.ts";
import { diff } from "../../patch/index.ts";
import { adoptState } from "../confirmed.ts";
import type { Commit } from "../commit.ts";
import { MIGRATE, type MigrateOperation, OPSTATE } from "../entries.ts";
import type { Entry, StoredThread } from "../log/log.ts";
import { hashOperation } from "../log/operation-hash.ts";

/**
 * Throws an OpstateError when the thread is another definition's, or was written by a newer version
 * of this one.
 */
export function checkDefinition(definition: AnyDefinition, { info, snapshot, commits }: StoredThread): void {
  if (info.definition !== definition.name) {
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${info.threadId}" holds a "${info.definition}", not a "${definition.name}". Open it with the definition it was created with.`,
    );
  }
  const stored = storedVersion({ snapshot, commits });
  if (stored > definition.version) {
    const message = `Thread "${info.threadId}" was written by version ${stored} of "${definition.name}"; this code has version ${definition.version}, which could lose what it does not know.`;
    throw new OpstateError("definition_mismatch", message);
  }
}

/** The version of the definition that a stored state was written by. */
export function storedVersion({ snapshot, commits }: Pick<StoredThread, "snapshot" | "commits">): number {
  return commits.at(-1)?.definitionVersion ?? snapshot.definitionVersion;
}

/**
 * The entry that brings a stored state to today's definition: what `migrate` makes of an older
 * version's, derived fields added, unknown keys gone. Undefined when nothing would change, or when
 * there is no `migrate` and the definition refuses the state. Throws an OpstateError
 * (`definition_mismatch`) when `migrate` throws or gives no valid state.
 */
export function migration(
  definition: AnyDefinition,
  { state, version, from }: { readonly state: unknown; readonly version: number; readonly from: number },
  at: string,
): Entry | undefined {
  const migrated = migrateState(definition, state, from);
  if (migrated === undefined) return undefined;
  const patches = diff(state, migrated);
  if (patches.length === 0) return undefined;
  const operation: MigrateOperation = { type: MIGRATE, from, to: definition.version };
  const commit: Commit = {
    version: version + 1,
    id: `migrate-${version + 1}`,
    operation,
    actor: OPSTATE,
    at,
    patches,
    inverse: diff(migrated, state),
    definitionVersion: definition.version,
  };
  return {
    commit,
    receipt: {
      actor: commit.actor,
      id: commit.id,
      hash: hashOperation(operation),
      outcome: { accepted: true, version: commit.version },
    },
  };
}

function migrateState(definition: AnyDefinition, state: unknown, from: number): unknown {
  if (typeof state !== "object" || state === null) return state;
  const { model } = definition;
  const { migrate } = model;
  if (migrate === undefined || from >= definition.version) return adoptState(definition, state);
  const failed = (what: string, cause?: unknown) =>
    new OpstateError(
      "definition_mismatch",
      `"${definition.name}" cannot be opened: migrate from version ${from} to ${definition.version} ${what}`,
      { cause },
    );
  const copy = copyJson(state, ANY_SIZE);
  if (!copy.ok) throw failed(`was given no JSON: ${copy.fault.message}`);
  let migrated: unknown;
  try {
    migrated = migrate(copy.value, from);
  } catch (error) {
    throw failed(`threw: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  // A migrated state has no limit of its own: the updates that it came from were within theirs.
  const limits = { ...model.limits, state: ANY_SIZE, depth: Infinity };
  const replaced = run({ ...model, limits }, definition.initial, { type: "$replace", value: migrated }, {});
  if (!replaced.accepted) throw failed(`gave no valid state: ${replaced.rejection.message}`);
  return replaced.state;
}
