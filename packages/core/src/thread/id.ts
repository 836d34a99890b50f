// What an id may be. It has no half of a surrogate pair: storages turn every such half into the
// same character, so two ids that differ would become one.

import { OpstateError } from "../error.ts";

/** How long an id may be, in UTF-16 code units. */
export const ID_LIMIT = 200;

/** What `isId` demands, as part of a sentence: "<name> must be a text of ...". */
export const ID_RULE = `1 to ${ID_LIMIT} characters, without control characters and halves of surrogate pairs`;

// Some storages refuse control characters in keys.
// oxlint-disable-next-line no-control-regex -- matching them is the purpose
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/**
 * Whether a value may be the id of a submission, a run or a tool call, or an actor's kind or id.
 */
export function isId(value: unknown): value is string {
  if (typeof value !== "string" || value.length === 0 || value.length > ID_LIMIT) return false;
  return !CONTROL_CHARACTER.test(value) && isWellFormed(value);
}

/** How many ids one request may name. */
export const ID_LIST_LIMIT = 10_000;

/** Whether a value is a list of ids to be looked up: 1 to 10,000 texts. */
export function isIdList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= ID_LIST_LIMIT &&
    value.every((id) => typeof id === "string")
  );
}

/**
 * Whether a text has no half of a surrogate pair: what every id of a thread must be.
 * (`String.isWellFormed` is too new for some browsers.)
 */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

/** Throws an OpstateError `invalid_id`. `what` names the id: "A thread id". */
export function checkWellFormed(what: string, id: string): void {
  if (isWellFormed(id)) return;
  throw new OpstateError(
    "invalid_id",
    `${what} must be well-formed text: ${JSON.stringify(id)} has half of a surrogate pair.`,
  );
}
