// What holds in every thread, whatever was done: versions follow one another, and the patches of
// each commit lead exactly from one state to the next, and back.

import type { Commit } from "@opstate/core";
import { equal } from "@opstate/core/json";
import { applyPatch } from "@opstate/core/json-patch";
import { inWords } from "./match.ts";

interface Entry {
  readonly kind: string;
  readonly commit: Commit;
}

/** `get` reads a path of the thread; undefined where it is refused. */
export async function historyFault(get: (path: string) => Promise<unknown>): Promise<string | undefined> {
  const head = (await get("")) as { version: number; state: unknown; floor: number } | undefined;
  // It was deleted, or its history is no longer whole.
  if (head === undefined || head.floor > 0) return undefined;
  const first = (await get("/states/0")) as { state: unknown } | undefined;
  if (first === undefined) return "the state of version 0 is not given";
  const commits = ((await get("/history")) as readonly Entry[]).map(({ commit }) => commit);
  let { state } = first;
  for (const [index, { version, patches, inverse }] of commits.entries()) {
    if (version !== index + 1) return `the history has version ${version} where ${index + 1} must be`;
    const after = applyPatch(state, patches);
    if (!after.ok) return `the patches of version ${version} do not apply: ${after.error.message}`;
    const before = applyPatch(after.document, inverse);
    if (!before.ok) return `the inverse of version ${version} does not apply: ${before.error.message}`;
    if (!equal(before.document, state, Infinity))
      return `the inverse of version ${version} leads to ${inWords(before.document)}, not back to ${inWords(state)}`;
    state = after.document;
  }
  if (commits.length !== head.version)
    return `the thread is at version ${head.version}, and its history ends with ${commits.length}`;
  if (equal(state, head.state, Infinity)) return undefined;
  return `the commits lead to ${inWords(state)}, and the state is ${inWords(head.state)}`;
}
