// "@opstate/core/tools": the operations of a definition as tools that a model can call. Apart, because JSON Schema is large.

import { toJSONSchema, type $ZodType } from "zod/v4/core";
import type { AnyDefinition } from "./definition/definition.ts";
import type { Actor } from "./engine/actor.ts";
import { checkPermission } from "./engine/permission.ts";

/** A tool in the shape that providers take; `inputSchema` is a JSON Schema of an object. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ToolOptions {
  /** The present state: with null no operation is offered, for all of them need a state. Left out: all are offered. */
  readonly current?: unknown;
  /** Who will call the tools: only what this actor may use is offered. Left out: all are offered. */
  readonly actor?: Actor;
}

/**
 * The definition's operations as tools, one each, named after the operation.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { toolsOf } from "@opstate/core/tools";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { description: "Add to the count", input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 *
 * toolsOf(counter)[0].name; // "add"
 * ```
 */
export function toolsOf(definition: AnyDefinition, options: ToolOptions = {}): Tool[] {
  if (options.current === null) return [];
  return [...definition.model.operations.values()]
    .filter((operation) => checkPermission(operation, options.actor, operation.type)?.code !== "forbidden")
    .map((operation) => ({
      name: operation.type,
      description: operation.description ?? operation.type,
      inputSchema: inputSchema(operation.input),
    }));
}

/** The JSON Schema of a whole replacement, without its derived fields. */
export function replacementSchema(definition: AnyDefinition): Readonly<Record<string, unknown>> {
  return inputSchema(definition.model.looseSchema);
}

function inputSchema(schema: $ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...json } = toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return json;
}
