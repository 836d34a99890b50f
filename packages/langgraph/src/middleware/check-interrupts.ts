// A run that could be interrupted and never resumed fails before its first model call.

import type { RunnableConfig } from "@langchain/core/runnables";
import type { AnyDefinition, Thread } from "@opstate/core";
import { hasCheckpointer, mustHaveCheckpointer } from "../approval/checkpointer.ts";
import { OperationTool } from "../tools/operation-tool.ts";

interface Request {
  readonly tools: readonly unknown[];
  readonly runtime: RunnableConfig;
}

export async function checkInterrupts<D extends AnyDefinition>(
  definition: D,
  { tools, runtime }: Request,
  find: (config: RunnableConfig) => Promise<Thread<D>>,
): Promise<void> {
  if (hasCheckpointer(runtime)) return;
  const thread: Thread = await find(runtime);
  for (const tool of tools) {
    if (!(tool instanceof OperationTool) || tool.definition !== definition) continue;
    if (tool.interrupts(thread, runtime)) mustHaveCheckpointer(tool.name, runtime);
  }
}
