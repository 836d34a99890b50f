// What was done, in words: the sentence that is stored with a commit, in the frame of what the
// commit is. Where none is stored, the default words: the operation's name, input and description.
//
//   $approve, with "Move T-1 to Done"    approved what agent planner proposed: Move T-1 to Done
//   move                                 Move T-1 to Done
//   move, nothing stored                 move {"cardId":"T-1","to":"done"} (Move a card)
//
// Invariant: in the default words every text of a user is inside JSON quotes, without invisible
// characters.

import type { AnyDefinition } from "../definition/definition.ts";
import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Commit } from "./commit.ts";
import { droppedVersions, isApprove, isDecline, isMerge, isPropose, isRedact, isUndo } from "./entries.ts";
import { countVersions } from "./version-ranges.ts";

const INPUT_LIMIT = 240;
const TEXT_LIMIT = 80;
const ITEM_LIMIT = 5;

/**
 * A commit, a pending operation or any accepted operation in words, for people: the sentence that
 * the operation's `describe` gave when it was accepted, else its name, input and description. A
 * proposal, an approval, a merge and an undo say that they are.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { sentenceOf } from "@opstate/core/thread";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       describe: ({ by }, before) => `Add ${by} to ${before.count}`,
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const verdict = await thread.dispatch(counter.op.add({ by: 2 }), { actor: { kind: "user", id: "ada" } });
 * verdict.accepted && verdict.commit && sentenceOf(counter, verdict.commit); // "Add 2 to 0"
 * ```
 */
export function sentenceOf(
  definition: AnyDefinition,
  { operation, sentence }: Pick<Commit, "operation" | "sentence">,
): string {
  return phrase(definition, operation, sentence);
}

/**
 * An operation in words: those that are stored of it, else the default ones. `described` holds the
 * types of operations whose description was given before.
 */
export function phrase(
  definition: AnyDefinition,
  operation: AnyOperation,
  stored: string | undefined,
  described = new Set<string>(),
): string {
  const { type, ...input }: { readonly type: string; readonly operations?: unknown } = operation;
  if (type === "$replace") return `replaced the whole ${definition.name}`;
  if (isUndo(operation)) {
    const dropped = countVersions(droppedVersions(operation));
    const selected = countVersions(operation.versions) - dropped;
    return `took back ${counted(selected)}${dropped === 0 ? "" : ` and ${counted(dropped)} that needed them`}`;
  }
  if (isPropose(operation))
    return `proposed, to be approved by another actor: ${phrase(definition, operation.operation, stored, described)}`;
  if (isApprove(operation))
    return `approved${operation.anyway === true ? ", although what it changes had changed," : ""} what ${inText(operation.proposer.kind)} ${inText(operation.proposer.id)} proposed: ${phrase(definition, operation.operation, stored, described)}`;
  if (isMerge(operation))
    return `merged what ${inText(operation.author.kind)} ${inText(operation.author.id)} did on a branch: ${phrase(definition, operation.operation, stored, described)}`;
  if (isRedact(operation)) return `erased what ${inText(operation.author.kind)} ${inText(operation.author.id)} wrote`;
  if (stored !== undefined) return stored;
  if (isDecline(operation)) return `declined a proposal ${quote(input)}`;
  if (type === "$batch" && Array.isArray(input.operations)) {
    const parts: readonly AnyOperation[] = input.operations;
    const shown = parts.slice(0, ITEM_LIMIT).map((part) => phrase(definition, part, undefined, described));
    return `${parts.length} operations at once: ${shown.join("; ")}${parts.length > ITEM_LIMIT ? "; ..." : ""}`;
  }
  const description = described.has(type) ? undefined : definition.model.operations.get(type)?.description;
  described.add(type);
  return `${inText(type)} ${quote(input)}${description === undefined ? "" : ` (${description.replace(/\.$/, "")})`}`;
}

/** Who asks, in a question to a person. */
export function actorText({ kind, id }: Actor): string {
  return kind === "agent" ? "The agent" : id;
}

function counted(changes: number): string {
  return `${changes} ${changes === 1 ? "change" : "changes"}`;
}

/** A plain name as it is, anything else in quotes. */
export function inText(name: string): string {
  return /^[\w$.@+-]{1,60}$/.test(name) ? name : quote(name);
}

/** A text in JSON quotes, without invisible characters. */
export function quoteText(text: unknown): string {
  return JSON.stringify(text).replace(INVISIBLE, (found) => found.split("").map(escapeUnit).join(""));
}

function quote(value: unknown): string {
  const text = quoteText(shorten(value));
  return text.length <= INPUT_LIMIT ? text : `${text.slice(0, INPUT_LIMIT)}...`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") return value.length <= TEXT_LIMIT ? value : `${value.slice(0, TEXT_LIMIT)}...`;
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEM_LIMIT).map(shorten);
    return value.length <= ITEM_LIMIT ? items : [...items, `... ${value.length - ITEM_LIMIT} more`];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member)]));
}

/**
 * Characters that a model reads and a person does not see, or that break a line: controls, zero
 * widths, direction marks, tags.
 */
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;
