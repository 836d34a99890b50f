// Entries to append, and a writer that tries again when another writer was first.

import type { Log } from "@opstate/core";
import type { Entry } from "@opstate/core/log";

export const ada = { kind: "user", id: "ada" };
export const at = "2026-01-01T00:00:00.000Z";
export const newThread = (threadId: string) => ({
  threadId,
  definition: "counter",
  definitionVersion: 1,
  state: { count: 0 },
  at,
});

export function entry(version: number, id = `c${version}`): Entry {
  return {
    receipt: { actor: ada, id, hash: `hash of ${id}`, outcome: { accepted: true, version } },
    commit: {
      version,
      id,
      operation: { type: "add" },
      actor: ada,
      at,
      patches: [{ op: "replace", path: "/count", value: version }],
      inverse: [{ op: "replace", path: "/count", value: version - 1 }],
      definitionVersion: 1,
    },
  };
}

/** Commits that differ in run, actor and type. */
export function mixedEntry(version: number): Entry {
  const { receipt, commit } = entry(version);
  const actor = version % 3 === 0 ? { kind: "agent", id: "robot" } : ada;
  const runId = version % 5 === 0 ? { runId: `run ${version % 2}` } : {};
  const type = version % 100 === 0 ? "$propose" : "add";
  return { receipt: { ...receipt, actor }, commit: { ...commit!, actor, ...runId, operation: { type } } };
}

export function snapshotOf(version: number) {
  return { version, state: { count: version }, definitionVersion: 1 };
}

/** Appends after the current head. Resolves to the version of the last entry. */
export async function writeTo(
  log: Log,
  threadId: string,
  entries: (next: number) => readonly Entry[],
): Promise<number> {
  let head = (await log.info(threadId))?.version ?? 0;
  for (;;) {
    const batch = entries(head + 1);
    const result = await log.append(threadId, head, batch);
    if (result.status === "appended") return head + batch.length;
    if (result.status === "duplicate") return result.receipt.outcome.accepted ? result.receipt.outcome.version : 0;
    if (result.status === "replaced") throw new Error(`Thread "${threadId}" was replaced.`);
    head = result.version;
  }
}
