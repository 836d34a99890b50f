// Interrupts need a checkpointer: without one an interrupted graph cannot continue.

import type { RunnableConfig } from "@langchain/core/runnables";

/** LangGraph's own key, which its `interrupt` reads, too. */
const KEY = "__pregel_checkpointer";

export function hasCheckpointer({ configurable }: RunnableConfig): boolean {
  return Boolean(configurable?.[KEY]);
}

/** Throws where an interrupt could not be resumed. */
export function requireCheckpointer(tool: string, config: RunnableConfig): void {
  if (hasCheckpointer(config)) return;
  throw new TypeError(
    `Calls of "${tool}" interrupt the graph to wait for approval, and a graph without a checkpointer cannot continue after an interrupt. Give the graph a checkpointer, or pass { approval: "propose" } to operationTools.`,
  );
}
