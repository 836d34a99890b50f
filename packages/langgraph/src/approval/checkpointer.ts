// Interrupts need a checkpointer: without one a graph that was stopped cannot go on.

import type { RunnableConfig } from "@langchain/core/runnables";

/** LangGraph's own name for it, which its `interrupt` looks at, too. */
const KEY = "__pregel_checkpointer";

export function hasCheckpointer({ configurable }: RunnableConfig): boolean {
  return Boolean(configurable?.[KEY]);
}

/** Throws where an interrupt could not be resumed. */
export function mustHaveCheckpointer(tool: string, config: RunnableConfig): void {
  if (hasCheckpointer(config)) return;
  throw new TypeError(
    `Calls of "${tool}" wait for somebody's yes by interrupting the graph, and a graph without a checkpointer cannot go on after that. Give it a checkpointer, or give operationTools { approval: "propose" }.`,
  );
}
