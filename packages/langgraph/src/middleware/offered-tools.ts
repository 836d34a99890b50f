// Which of an agent's tools a model call is offered: the definition's operations that can be used
// now, and all tools that are no operations.

import type { Actor, AnyDefinition } from "@opstate/core";
import { toolsOf } from "@opstate/core/tools";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import { OperationTool } from "../tools/operation-tool.ts";

/**
 * A filter for the tools that a model call is offered. It keeps the operations that `actor` may use
 * while the state is `current` (the value of a `stateField` or a `snapshotField`), and every tool
 * that is not one of the definition's. `opstateMiddleware` applies it. In a graph of your own,
 * apply it before `bindTools`.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { offeredTools, operationTools } from "@opstate/langgraph";
 * import { z } from "zod";
 *
 * const door = defineState({
 *   name: "door",
 *   schema: z.object({ open: z.boolean() }),
 *   initial: { open: false },
 *   operations: {
 *     open: {
 *       input: z.object({}),
 *       apply(draft) {
 *         draft.open = true;
 *       },
 *     },
 *     lock: {
 *       input: z.object({}),
 *       allow: ["user"],
 *       apply(draft) {
 *         draft.open = false;
 *       },
 *     },
 *   },
 * });
 * const actor = { kind: "agent", id: "butler" };
 * const tools = operationTools(door, { field: "door", actor: () => actor });
 *
 * tools.map(({ name }) => name); // ["open", "lock"]
 * const offered = tools.filter(offeredTools(door, { open: false }, actor));
 * offered.map(({ name }) => name); // ["open"]
 * ```
 */
export function offeredTools(definition: AnyDefinition, current: unknown, actor: Actor): (tool: unknown) => boolean {
  const state = isFieldSnapshot(current) ? current.state : current;
  const offered = new Set(toolsOf(definition, { current: state, actor }).map(({ name }) => name));
  const { allow } = definition.model.replace;
  if (allow === undefined || allow.includes(actor.kind)) offered.add("$replace");
  return (tool) => !(tool instanceof OperationTool) || tool.definition !== definition || offered.has(tool.operation);
}
