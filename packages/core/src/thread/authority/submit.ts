// Submits what the reducer alone cannot judge: an undo, a decision on a proposal, a merge.

import { defined } from "../../defined.ts";
import type { ObservedSubmit } from "./observed.ts";
import type { Authority } from "./authority.ts";
import type { Verdict } from "../commit.ts";
import type { Aside, Computed, Head } from "./computed.ts";
import { type ParsedSubmission, parseSubmission } from "./parse-submission.ts";
import type { UpdateRead } from "./read-update.ts";
import type { DispatchOptions } from "../options.ts";

export type Compute = (submission: ParsedSubmission, head: Head) => Computed | Promise<Computed | Aside>;

export type SubmitComputed = (
  update: UpdateRead,
  options: DispatchOptions,
  compute: Compute,
  dedupeKey?: ParsedSubmission["dedupeKey"],
) => Promise<Verdict>;

/** `update` is the operation that the submission's id is used for. */
export function submitter(
  authority: Pick<Authority, "version">,
  submit: ObservedSubmit,
  mint: { readonly id: () => string; readonly now: () => string },
): SubmitComputed {
  return async (update, options, compute, dedupeKey) => {
    const parsed = parseSubmission(update, options, mint);
    if (!parsed.ok) return { accepted: false, version: authority.version, rejection: parsed.rejection, attempt: 1 };
    const { submission } = parsed;
    return submit({
      ...submission,
      ...defined({ dedupeKey }),
      compute: async (head) => compute(submission, head),
    });
  };
}
