// What a model reads of its call: the verdict, who approved it, and what it was edited to; or the
// open proposal.

import type { Commit } from "@opstate/core";
import { truncatedJson } from "../verdict/describe-changes.ts";
import { summarize, verdictText } from "../verdict/verdict-text.ts";
import { approvedBy, type CallResult } from "./carry-out.ts";
import { openProposalText } from "./proposal-text.ts";

const MAX_EDIT_CHARACTERS = 400;

/** `name` is the state's, `times` how often the call was refused on this request. */
export function callText(name: string, result: CallResult, times: number): string {
  if ("pending" in result) return pendingText(name, result);
  const { verdict, edited } = result;
  const edit =
    edited === undefined ? "" : `Before that it was edited to: ${truncatedJson(edited, MAX_EDIT_CHARACTERS)}`;
  return [verdictText({ name }, summarize(verdict), times), approvedBy(verdict), edit]
    .filter((line) => line !== "")
    .join("\n");
}

function pendingText(name: string, { pending, note }: { readonly pending: Commit; readonly note?: string }): string {
  const text = openProposalText(name, pending);
  return note === undefined ? text : `${text}\n${note}`;
}
