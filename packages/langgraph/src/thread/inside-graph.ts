// Where in a run an agent stands: the run's own agent, or one inside of another graph.

import type { RunnableConfig } from "@langchain/core/runnables";

/** Whether a node or a tool of another graph runs this one. */
export function isInsideGraph({ configurable }: RunnableConfig): boolean {
  const namespace: unknown = configurable?.["checkpoint_ns"];
  return typeof namespace === "string" && namespace.includes("|");
}

/**
 * An object that is the same in everything that one run of the outermost graph calls, and another
 * one in each run: the signal that ends the run, which LangGraph hands down to every task. It is
 * LangGraph's own. Undefined where LangGraph has none.
 */
export function outermostRun({ configurable }: RunnableConfig): object | undefined {
  const signals: unknown = configurable?.["__pregel_abort_signals"];
  if (typeof signals !== "object" || signals === null || !("externalAbortSignal" in signals)) return undefined;
  const { externalAbortSignal: signal } = signals;
  return typeof signal === "object" && signal !== null ? signal : undefined;
}
