// A run that could be interrupted but never resumed fails before its first model call.

import type { AnyDefinition, Thread } from "@opstate/core";
import { hasCheckpointer, requireCheckpointer } from "../approval/checkpointer.ts";
import type { RunConfig } from "../thread/thread-source.ts";
import { OperationTool, type ManagedState } from "../tools/operation-tool.ts";

export async function checkInterrupts<D extends AnyDefinition>(
  managed: ManagedState,
  tools: readonly unknown[],
  config: RunConfig,
  find: (config: RunConfig) => Promise<Thread<D>>,
): Promise<void> {
  if (hasCheckpointer(config)) return;
  const thread: Thread = await find(config);
  for (const tool of tools) {
    if (!(tool instanceof OperationTool) || !tool.worksOn(managed)) continue;
    if (tool.interrupts(thread, config)) requireCheckpointer(tool.name, config);
  }
}
