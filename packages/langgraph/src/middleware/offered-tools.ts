// Which of an agent's tools a model call is offered: those of the definition that can be used now, and all others.

import type { Actor, AnyDefinition } from "@opstate/core";
import { toolsOf } from "@opstate/core/tools";
import { OperationTool } from "../tools/operation-tool.ts";

/** Whether a tool is offered to `actor` while the definition's state is `current`. */
export function offeredTools(definition: AnyDefinition, current: unknown, actor: Actor): (tool: unknown) => boolean {
  const offered = new Set(toolsOf(definition, { current, actor }).map(({ name }) => name));
  const { allow } = definition.model.replace;
  if (allow === undefined || allow.includes(actor.kind)) offered.add("$replace");
  return (tool) => !(tool instanceof OperationTool) || tool.definition !== definition || offered.has(tool.operation);
}
