// Writes verdicts to LangGraph's custom stream as soon as they are known.

import type { Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import type { StreamedVerdict } from "./streamed-verdict.ts";

/** The run's stream. Undefined when the run is not streamed. */
export type Writer = ((event: StreamedVerdict) => void) | undefined;

export function streamVerdict(
  writer: Writer,
  threadId: string,
  operation: unknown,
  options: DispatchOptions,
  verdict: Verdict,
): void {
  if (verdict.accepted) {
    if (verdict.commit !== undefined) writer?.({ type: "opstate.commit", threadId, commit: verdict.commit });
    return;
  }
  const { version, rejection, attempt } = verdict;
  writer?.({ type: "opstate.rejection", threadId, operation, ...options, version, rejection, attempt });
}
