// What a resource is, as JSON.

import { placeAt } from "@opstate/agent";
import type { Commit, Thread } from "@opstate/core";
import { sentenceOf } from "@opstate/core/thread";
import { CallProblem } from "../call/arguments.ts";
import type { Address } from "./uris.ts";

/** Commits of one answer. */
const HISTORY_LIMIT = 100;

export async function readResource(thread: Thread, { kind, rest }: Address): Promise<object> {
  const { version } = thread;
  if (kind === "state") return { version, ...stateAt(thread, rest) };
  if (kind === "history") return { version, commits: await commitsOf(thread, rest) };
  const found = await thread.explain(rest);
  return {
    version,
    pointer: rest,
    commit: found === undefined ? null : { ...shown(thread, found.commit), path: found.path },
  };
}

function stateAt(thread: Thread, pointer: string): object {
  const state: unknown = thread.getState();
  if (pointer === "") return { state };
  const place = placeAt(state, pointer);
  if (!place.found) throw new CallProblem(place.message);
  return { pointer, value: place.value };
}

async function commitsOf(thread: Thread, rest: string): Promise<readonly object[]> {
  if (rest !== "" && !/^\/\d{1,15}$/.test(rest))
    throw new CallProblem("After history/ there must be a version: 0, 1, 2 and so on.");
  const entries =
    rest === ""
      ? await thread.history({ order: "descending", limit: HISTORY_LIMIT })
      : await thread.history({ after: Number(rest.slice(1)), limit: HISTORY_LIMIT });
  return entries.flatMap((entry) => (entry.kind === "commit" ? [shown(thread, entry.commit)] : []));
}

function shown({ definition }: Thread, commit: Commit): object {
  const { id, version, actor, at, runId, operation, patches } = commit;
  return { version, id, actor, at, runId, sentence: sentenceOf(definition, commit), operation, patches };
}
