// A call is submitted, or proposed first. Made again under the same id it stays what it was, also
// when the settings changed in between.

import type { Verdict } from "@opstate/core";
import type { CallResult } from "./carry-out.ts";
import { isIdConflict } from "../ids/same-id.ts";

/** `sameId` gives the words for a call whose id another call has. */
export async function submitOrAsk(
  { asks, sameId }: { readonly asks: boolean; readonly sameId: (verdict: Verdict) => Verdict },
  submit: () => Promise<CallResult>,
  ask: () => Promise<CallResult>,
): Promise<CallResult> {
  const [first, second] = asks ? [ask, submit] : [submit, ask];
  let result = await first();
  if ("verdict" in result && isIdConflict(result.verdict)) result = await second();
  return "verdict" in result && isIdConflict(result.verdict) ? { verdict: sameId(result.verdict) } : result;
}
