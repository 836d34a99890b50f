// Edits that were made before it was known who makes them. The ids that they made are provisional;
// once the actor is known they are made again, and later edits that name one of them name the new
// one.
//
//   offline, no actor yet    add  -> creates T-aaaa        rename T-aaaa
//   the actor is known        add  -> creates T-bbbb        rename T-bbbb
//
// Invariant: what may have reached the authority stays as it was sent.

import type { AnyDefinition } from "../definition/definition.ts";
import { run } from "@opstate/core/engine";
import type { Source } from "../engine/source.ts";
import { equal } from "../json/equal.ts";
import type { Pending } from "./pending.ts";

type SourceOf = (entry: Pending) => Source;

/** The pending operations, naming what they created by the ids of another source. */
export function keyAgain(
  { model }: AnyDefinition,
  state: unknown,
  pending: readonly Pending[],
  before: SourceOf,
  after: SourceOf,
): readonly Pending[] {
  const ids = new Map<string, string>();
  let [earlier, now] = [state, state];
  return pending.map((entry) => {
    const { submission, sent } = entry;
    const renamed = sent || ids.size === 0 ? submission.operation : renameIds(submission.operation, ids);
    const [old, made]: [string[], string[]] = [[], []];
    const perform = (on: unknown, operation: unknown, source: Source, list: string[]) =>
      run(model, on, operation, { actor: source.actor, source, onId: (id) => list.push(id) }).state;
    earlier = perform(earlier, submission.operation, before(entry), old);
    now = perform(now, renamed, after(entry), made);
    if (old.length === made.length)
      for (const [index, id] of old.entries()) ids.set(JSON.stringify(id), JSON.stringify(made[index]));
    if (equal(renamed, submission.operation)) return entry;
    return { ...entry, submission: { ...submission, operation: renamed } };
  });
}

/** A copy of JSON in which every text and key that is one of the ids is another. */
function renameIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"(\\.|[^"\\])*"/g, (text) => ids.get(text) ?? text));
}
