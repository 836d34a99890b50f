// A verdict as it is kept with a conversation.

import type { Verdict } from "@opstate/core";

/** A larger commit is not stored with a message: the thread has it. */
const MAX_CHARACTERS = 16_384;

/** The verdict, without its commit when that is large. */
export function keptVerdict(verdict: Verdict): Verdict {
  if (!verdict.accepted || JSON.stringify(verdict.commit ?? null).length <= MAX_CHARACTERS) return verdict;
  return { accepted: true, version: verdict.version };
}
