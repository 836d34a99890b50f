// A stored state meets a definition that has changed: what today's definition makes of it is committed once, so that the log says it too.

import type { AnyDefinition } from "../definition/definition.ts";
import { OpstateError } from "../error.ts";
import { diff } from "../patch/index.ts";
import { settle } from "./confirmed.ts";
import type { Commit } from "./commit.ts";
import type { Entry, StoredThread } from "./log.ts";
import { hashOperation } from "./operation-hash.ts";

/** Throws an OpstateError when the thread is another definition's, or was written by a newer version of this one. */
export function checkDefinition(definition: AnyDefinition, { info, snapshot, commits }: StoredThread): void {
  if (info.definition !== definition.name) {
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${info.threadId}" holds a "${info.definition}", not a "${definition.name}". Open it with the definition it was created with.`,
    );
  }
  const stored = commits.at(-1)?.definitionVersion ?? snapshot.definitionVersion;
  if (stored > definition.version) {
    const message = `Thread "${info.threadId}" was written by version ${stored} of "${definition.name}"; this code has version ${definition.version}, which could lose what it does not know.`;
    throw new OpstateError("definition_mismatch", message);
  }
}

/** The entry that brings a stored state to today's definition: derived fields added, unknown keys gone. Undefined when nothing would change, or when the definition refuses the state. */
export function migration(definition: AnyDefinition, state: unknown, version: number, at: string): Entry | undefined {
  const settled = typeof state === "object" && state !== null ? settle(definition, state) : state;
  if (settled === undefined) return undefined;
  const patches = diff(state, settled);
  if (patches.length === 0) return undefined;
  const operation = { type: "$migrate", to: definition.version };
  const commit: Commit = {
    version: version + 1,
    id: `migrate-${version + 1}`,
    operation,
    actor: { kind: "system", id: "opstate" },
    at,
    patches,
    inverse: diff(settled, state),
    definitionVersion: definition.version,
  };
  return {
    commit,
    receipt: { actor: commit.actor, id: commit.id, hash: hashOperation(operation), outcome: { accepted: true, version: commit.version } },
  };
}
