// What a model reads of its verdict: true, short, and enough to continue with.
//
//   Accepted: board is now at version 3. Created T-8k2m4q9x1z "Send invoices".
//   Done: "Add 'Send invoices' to Backlog"
//   Changed: added /cards/2 = {"id":"T-8k2m4q9x1z","title":"Send invoices"}
//
//   Refused (card_not_found): No card "T-9"
//   Details: {"available":["T-1","T-2"]}
//   board is unchanged by this call, at version 3.

import { defined, type Rejection, type Verdict } from "@opstate/core";
import { describeChanges, truncatedJson } from "./describe-changes.ts";
import { describeCreated } from "./describe-created.ts";

const MAX_DETAILS_CHARACTERS = 1_200;

/**
 * A verdict for a message: `sentence` is what the operation's `describe` gave, `changed` says in
 * words what changed, `created` what has a new id. A plain field has no version.
 */
export type VerdictSummary =
  | {
      readonly accepted: true;
      readonly version?: number;
      readonly sentence?: string;
      readonly changed?: string;
      readonly created?: string;
    }
  | { readonly accepted: false; readonly version?: number; readonly rejection: Rejection };

/** Summarizes a thread's verdict. */
export function summarize(verdict: Verdict): VerdictSummary {
  if (!verdict.accepted) return verdict;
  // An approved operation may have had nothing to change.
  if (verdict.commit === undefined || verdict.commit.patches.length === 0)
    return { accepted: true, version: verdict.version };
  const { patches, inverse, sentence } = verdict.commit;
  const created = describeCreated(patches, inverse);
  const changed = describeChanges(patches);
  return { accepted: true, version: verdict.version, changed, ...defined({ sentence, created }) };
}

/**
 * The content of a tool message for a verdict. Starts with "Accepted" or "Refused". `times` is how
 * often the call was refused on this request. The thread's own count never ends, but on a later
 * request the call may be worth another try.
 */
export function verdictText({ name }: { readonly name: string }, verdict: VerdictSummary, times: number): string {
  const { version } = verdict;
  if (verdict.accepted) {
    if (verdict.changed === undefined)
      return `Accepted: ${name} needed no change${version === undefined ? "" : `; it is at version ${version}`}.`;
    const created = verdict.created === undefined ? "" : ` Created ${verdict.created}.`;
    // Users' own text may be in it: to a model it is data in quotes.
    const done = verdict.sentence === undefined ? "" : `\nDone: ${JSON.stringify(verdict.sentence)}`;
    return `Accepted: ${name} is ${version === undefined ? "changed" : `now at version ${version}`}.${created}${done}\nChanged: ${verdict.changed}`;
  }
  const { rejection } = verdict;
  return [
    `Refused (${rejection.reason ?? rejection.code}): ${rejection.message}`,
    rejection.path === undefined ? "" : `At: ${rejection.path}`,
    rejection.details === undefined ? "" : `Details: ${truncatedJson(rejection.details, MAX_DETAILS_CHARACTERS)}`,
    `${name} is unchanged by this call${version === undefined ? "" : `, at version ${version}`}.`,
    times < 2 ? "" : `This was refused ${times} times: do not try it again; tell the user why it cannot be done.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}
