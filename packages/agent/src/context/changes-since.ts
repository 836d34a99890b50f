// The commits after a snapshot, in lines for a model: exact enough to know the state from the
// snapshot and them.
//
//   7 user ada: rename {"cardId":"T-3","title":"Invoices"}
//    set /columns/0/cards/3/title = "Invoices"
//
// Invariants:
// - Nothing is cut. The caller makes a new snapshot when they are too long.
// - What the conversation says already is not said again: the agent's own change, in the words of
//   its tool's result.
// - Every text of a user is inside JSON quotes, without invisible characters and without `<`.

import type { Actor, AnyDefinition, Commit, Thread } from "@opstate/core";
import type { Patch, PatchOperation } from "@opstate/core/json-patch";
import { entriesOver, quoteText, sameActor, sentenceOf } from "@opstate/core/thread";
import { describeChanges, describesAll } from "../verdict/describe-changes.ts";
import { asData } from "../verdict/as-data.ts";

/** The commits after version `after`, up to `to`; undefined when compaction removed some. */
export async function commitsBetween(
  thread: Thread,
  after: number,
  to: number,
): Promise<readonly Commit[] | undefined> {
  const commits: Commit[] = [];
  if (after < thread.floor) return undefined;
  for await (const entry of entriesOver((range) => thread.history(range), { after, limit: to - after }))
    if (entry.kind === "commit") commits.push(entry.commit);
  const isWhole = after + commits.length >= to;
  return isWhole && commits.every(({ version }, index) => version === after + index + 1) ? commits : undefined;
}

/** What the conversation says of the agent's own changes. */
export interface Said {
  /** The state's name for the model. */
  readonly name: string;
  readonly actor: Actor;
  /** The texts of the results of its tools. */
  readonly results: readonly string[];
}

export interface ChangeLine {
  readonly version: number;
  /** Whether it is the agent's own change. */
  readonly isOwn: boolean;
  readonly text: string;
}

/** A line or more for each commit that the conversation does not say. */
export function changeLines(
  definition: AnyDefinition,
  commits: readonly Commit[],
  { name, actor, results }: Said,
): readonly ChangeLine[] {
  return commits.flatMap((commit) => {
    const isOwn = sameActor(commit.actor, actor);
    if (isOwn && (commit.patches.length === 0 || isSaid(commit, name, results))) return [];
    const lines = [commitLine(definition, commit, actor), ...patchLines(commit.patches)];
    return [{ version: commit.version, isOwn, text: lines.join("\n ") }];
  });
}

/** A commit in a line, for `reader`: `7 user ada: rename {"cardId":"T-3"}`. */
export function commitLine(definition: AnyDefinition, commit: Commit, reader: Actor): string {
  const { version, actor } = commit;
  const who = sameActor(actor, reader) ? "you" : `${plain(actor.kind)} ${plain(actor.id)}`;
  return asData(`${version} ${who}: ${words(definition, commit)}`);
}

function isSaid({ version, patches }: Commit, name: string, results: readonly string[]): boolean {
  if (!describesAll(patches)) return false;
  const [at, changed] = [`${name} is now at version ${version}.`, `Changed: ${describeChanges(patches)}`];
  return results.some((result) => result.includes(at) && result.includes(changed));
}

/** The sentence of the operation in quotes, or the operation's name and input. */
function words(definition: AnyDefinition, { operation, sentence }: Commit): string {
  if (sentence !== undefined) return sentenceOf(definition, { operation, sentence: quoteText(sentence) });
  const all = sentenceOf(definition, { operation });
  const described = definition.model.operations.get(operation.type)?.description?.replace(/\.$/, "");
  const end = ` (${described})`;
  return all.endsWith(end) ? all.slice(0, -end.length) : all;
}

/** A line for each change of a patch. */
export function patchLines(patch: Patch): readonly string[] {
  return patch.map((operation) => asData(change(operation)));
}

function change(patch: PatchOperation): string {
  const path = patch.path === "" ? "the whole state" : plain(patch.path);
  switch (patch.op) {
    case "add":
      return `added ${path} = ${quoteText(patch.value)}`;
    case "replace":
      return `set ${path} = ${quoteText(patch.value)}`;
    case "move":
      return `moved ${plain(patch.from)} to ${path}`;
    case "copy":
      return `copied ${plain(patch.from)} to ${path}`;
    default:
      return `removed ${path}`;
  }
}

/** A plain name or pointer as it is, anything else in quotes. */
function plain(name: string): string {
  return /^[\w$.@+~/-]{1,200}$/.test(name) ? name : quoteText(name);
}
