// LangGraph's checkpointer, as far as it is needed here.

import type { RunnableConfig } from "@langchain/core/runnables";

export interface Saver {
  getTuple(
    config: RunnableConfig,
  ): Promise<
    { readonly pendingWrites?: readonly (readonly [task: string, channel: string, value: unknown])[] } | undefined
  >;
  putWrites(config: RunnableConfig, writes: [string, unknown][], task: string): Promise<void>;
}

/** The checkpointer of a run, and its thread. Undefined when the run has none. */
export function saverOf({
  configurable = {},
}: RunnableConfig): { readonly saver: Saver; readonly thread_id: unknown } | undefined {
  const { thread_id, __pregel_checkpointer: saver }: Readonly<Record<string, unknown>> = configurable;
  return isSaver(saver) ? { saver, thread_id } : undefined;
}

function isSaver(value: unknown): value is Saver {
  if (typeof value !== "object" || value === null) return false;
  const { getTuple, putWrites }: { getTuple?: unknown; putWrites?: unknown } = value;
  return typeof getTuple === "function" && typeof putWrites === "function";
}
