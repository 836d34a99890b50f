// The entry `@opstate/core/tools`: the operations of a definition as tools that a model can call.
// It is an entry of its own because zod's JSON Schema code is large.
//
// Invariant: a tool's schema helps the model and grants no permission. A tool call goes through the
// reducer like any update.

import type { AnyDefinition } from "./definition/definition.ts";
import type { Actor } from "./engine/actor.ts";
import { checkPermission } from "./engine/permission.ts";
import { OpstateError } from "./error.ts";
import { adoptState } from "./thread/confirmed.ts";
import { batchSchema, builtInTool, PATCH_SCHEMA, replaceSchema, type BuiltIn } from "./tools/built-ins.ts";
import { inputSchema, objectOf, stateSchema, type JsonSchema } from "./tools/json-schema.ts";
import { narrowed } from "./tools/narrow.ts";
import { strictOf } from "./tools/strict.ts";
import type { AnyOperation } from "./engine/operation.ts";

/**
 * A tool in the shape of the providers. `inputSchema` is a JSON Schema (draft 2020-12) of an
 * object.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How tools are named and written. `toolsOf` and `toolUpdate` need the same. */
export interface ToolDialect {
  /** Put before each name, for models with several definitions: `"board_"` gives `board_move`. */
  readonly prefix?: string;
  /**
   * Schemas for OpenAI's strict mode: every property required, every object closed, null for an
   * absent property. Default false.
   */
  readonly strict?: boolean;
}

export interface ToolOptions extends ToolDialect {
  /**
   * The current state. Only operations that are legal in it are offered, with the legal values
   * where the operation has a `narrow`. With null no operation is offered, because all need a
   * state. By default all are offered.
   */
  readonly current?: unknown;
  /** The actor who will call the tools. Only permitted operations are offered; by default all. */
  readonly actor?: Actor;
  /**
   * opstate's own operations to offer too, where they can be used. The tool's name has no `$`.
   * Default none.
   */
  readonly builtIns?: readonly BuiltIn[];
}

/** A tool name that every provider accepts. */
const TOOL_NAME = /^[\w-]{1,64}$/;

/**
 * The definition's operations as tools, each named after its operation. `toolUpdate` converts a
 * tool call to an update.
 *
 * Throws `OpstateError` (`invalid_definition`) when two tools have the same name, or when a
 * provider would refuse a name with its prefix.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { toolsOf } from "@opstate/core/tools";
 * import { z } from "zod";
 *
 * const list = defineState({
 *   name: "list",
 *   schema: z.object({ items: z.array(z.string()) }),
 *   initial: { items: ["milk"] },
 *   operations: {
 *     remove: {
 *       description: "Remove an item",
 *       input: z.object({ item: z.string() }),
 *       narrow: (state) => ({ item: state.items }),
 *       apply(draft, { item }) {
 *         draft.items = draft.items.filter((other) => other !== item);
 *       },
 *     },
 *   },
 * });
 *
 * const [tool] = toolsOf(list, { current: { items: ["milk"] } });
 * tool.name; // "remove"
 * tool.inputSchema.properties; // { item: { type: "string", enum: ["milk"] } }
 * tool.inputSchema.required; // ["item"]
 * toolsOf(list, { current: { items: [] } }); // []
 * ```
 */
export function toolsOf(definition: AnyDefinition, options: ToolOptions = {}): Tool[] {
  const { actor, prefix = "", strict = false, builtIns = [] } = options;
  const { model } = definition;
  const current = currentState(definition, options.current);
  const tools: Tool[] = [];
  const offer = (type: string, description: string, json: JsonSchema | undefined) => {
    if (json === undefined) return;
    const name = prefix + type.replace("$", "");
    if (!TOOL_NAME.test(name))
      throw invalidName(definition, name, 'a tool\'s name is 1 to 64 letters, digits, "_" or "-"');
    if (tools.some((tool) => tool.name === name)) throw invalidName(definition, name, "another tool has this name");
    tools.push({ name, description, inputSchema: strict ? strictOf(json).schema : json });
  };
  for (const operation of current === null ? [] : model.operations.values()) {
    if (checkPermission(operation, actor, operation.type)?.code === "forbidden") continue;
    const json = inputSchema(operation.input);
    offer(
      operation.type,
      operation.description ?? operation.type,
      current === undefined ? json : narrowed(model, operation, json, current, actor),
    );
  }
  for (const type of new Set(builtIns)) {
    const tool = builtInTool(definition, type, current === null, actor);
    if (tool !== undefined) offer(type, tool.description, tool.inputSchema);
  }
  return tools;
}

/**
 * The update of a model's tool call, ready for `dispatch` or `reduce`. Values in the strict dialect
 * are converted back: null for an optional property to absent, entries to a record. Never throws:
 * an unknown value stays as it is, and the reducer refuses it.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { toolsOf, toolUpdate } from "@opstate/core/tools";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int().optional() }),
 *       apply(draft, { by = 1 }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * toolsOf(counter, { strict: true })[0].inputSchema.required; // ["by"]
 * toolUpdate(counter, { name: "add", args: { by: null } }, { strict: true }); // { type: "add" }
 * ```
 */
export function toolUpdate(
  definition: AnyDefinition,
  call: { readonly name: string; readonly args: unknown },
  dialect: ToolDialect = {},
): AnyOperation {
  const { prefix = "", strict = false } = dialect;
  const { model } = definition;
  const name = call.name.startsWith(prefix) ? call.name.slice(prefix.length) : call.name;
  const operation = model.operations.get(name);
  const type = operation === undefined && Object.hasOwn(BUILT_IN_SCHEMAS, name) ? `$${name}` : name;
  if (!strict) return { ...objectOf(call.args), type };
  const json =
    operation !== undefined
      ? inputSchema(operation.input)
      : type === name
        ? undefined
        : BUILT_IN_SCHEMAS[name]?.(definition);
  return { ...objectOf(json === undefined ? call.args : strictOf(json).decode(call.args)), type };
}

/** The JSON Schema of a whole replacement, without its derived fields. */
export function replacementSchema(definition: AnyDefinition): Readonly<Record<string, unknown>> {
  return stateSchema(definition);
}

const BUILT_IN_SCHEMAS: Readonly<Record<string, (definition: AnyDefinition) => JsonSchema>> = {
  replace: replaceSchema,
  batch: ({ model }) => batchSchema(model, undefined),
  patch: () => PATCH_SCHEMA,
};

/** The adopted state. Null: there is none, or it is invalid. Undefined: it was not given. */
function currentState(definition: AnyDefinition, current: unknown): unknown {
  if (current === undefined || current === null) return current;
  return typeof current === "object" ? (adoptState(definition, current) ?? null) : null;
}

function invalidName(definition: AnyDefinition, name: string, why: string): OpstateError {
  return new OpstateError("invalid_definition", `"${definition.name}" cannot have a tool named "${name}": ${why}.`);
}
