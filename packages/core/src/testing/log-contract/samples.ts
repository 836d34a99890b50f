// Entries for the log contract: small, realistic, and distinct by their numbers.

import type { Actor } from "../../engine/actor.ts";
import type { Commit, Refusal } from "../../thread/commit.ts";
import type { Entry, Receipt, StoredSnapshot } from "../../thread/log/log.ts";

export const ada: Actor = { kind: "user", id: "ada" };
export const robot: Actor = { kind: "agent", id: "robot" };
export const AT = "2026-01-01T00:00:00.000Z";

/** Seconds after `AT`: threads of a list are made one after another. */
export function later(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1_000).toISOString();
}

export function newThread(threadId: string, state: unknown = { count: 0 }) {
  return { threadId, definition: "counter", definitionVersion: 1, state, at: AT };
}

export function commitOf(version: number, id: string, actor: Actor = ada, parts: Partial<Commit> = {}): Commit {
  return {
    version,
    id,
    operation: { type: "add" },
    actor,
    at: AT,
    patches: [{ op: "replace", path: "/count", value: version }],
    inverse: [{ op: "replace", path: "/count", value: version - 1 }],
    definitionVersion: 1,
    ...parts,
  };
}

/** An accepted submission that changed the state. */
export function committed(version: number, id = `c${version}`, actor: Actor = ada, parts: Partial<Commit> = {}): Entry {
  return {
    receipt: { actor, id, hash: `hash of ${id}`, outcome: { accepted: true, version } },
    commit: commitOf(version, id, actor, parts),
  };
}

/** An accepted submission that changed nothing. */
export function unchanged(version: number, id: string, actor: Actor = ada): Entry {
  return { receipt: { actor, id, hash: `hash of ${id}`, outcome: { accepted: true, version } } };
}

/** A refused submission. */
export function refused(
  version: number,
  id: string,
  actor: Actor = ada,
  parts: Partial<Refusal> = {},
): { readonly receipt: Receipt } {
  const refusal: Refusal = {
    id,
    operation: { type: "add", by: id },
    actor,
    at: AT,
    version,
    rejection: { code: "refused", reason: "too_much", message: "Too much", operation: { type: "add" } },
    attempt: 1,
    ...parts,
  };
  return { receipt: { actor, id, hash: `hash of ${id}`, outcome: { accepted: false, refusal } } };
}

/** Commits `from` to `to`, as one batch. */
export function commits(from: number, to: number): Entry[] {
  return Array.from({ length: to - from + 1 }, (_, index) => committed(from + index));
}

/** The state that the commits lead to. */
export function snapshotOf(version: number): StoredSnapshot {
  return { version, state: { count: version }, definitionVersion: 1 };
}
