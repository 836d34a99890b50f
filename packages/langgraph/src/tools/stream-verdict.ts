// Verdicts on their way to LangGraph's custom stream, at once.

import type { Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import type { OpstateEvent } from "./event.ts";

/** The run's stream, where it has one: whose run is not streamed has none. */
export type Writer = ((event: OpstateEvent) => void) | undefined;

export function streamVerdict(
  writer: Writer,
  threadId: string,
  operation: unknown,
  about: DispatchOptions,
  verdict: Verdict,
): void {
  if (verdict.accepted) {
    if (verdict.commit !== undefined) writer?.({ type: "opstate.commit", threadId, commit: verdict.commit });
    return;
  }
  const { version, rejection, attempt } = verdict;
  writer?.({ type: "opstate.rejection", threadId, operation, ...about, version, rejection, attempt });
}
