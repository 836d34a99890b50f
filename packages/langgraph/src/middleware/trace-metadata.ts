// Says in the trace of a run (LangSmith's, or any callback's) which state a model call or a tool
// call was made on: metadata that a trace can be searched by.
//
// A run's own metadata is read when it begins, before a middleware is called. So the metadata is
// added to the step around the call, and LangChain passes it to the call and all below it.

import type { RunnableConfig } from "@langchain/core/runnables";
import { defined } from "@opstate/core";

/** `opstate_board_version` and, with a thread, `opstate_board_thread_id`. */
export function addTraceMetadata(
  { callbacks }: RunnableConfig,
  name: string,
  { threadId, version }: { readonly threadId?: string; readonly version: number | undefined },
): void {
  if (callbacks === undefined || Array.isArray(callbacks) || version === undefined) return;
  callbacks.addMetadata(defined({ [`opstate_${name}_thread_id`]: threadId, [`opstate_${name}_version`]: version }));
}
