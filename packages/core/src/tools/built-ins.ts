// opstate's own operations as tools, on request: replacing the whole state, several operations as
// one, a JSON Patch.

import { defined } from "../defined.ts";
import type { AnyDefinition } from "../definition/definition.ts";
import type { Actor } from "../engine/actor.ts";
import type { Model } from "../engine/model.ts";
import { checkPermission } from "../engine/permission.ts";
import { inputSchema, nested, objectOf, requiredOf, stateSchema, type JsonSchema } from "./json-schema.ts";

export type BuiltIn = "$replace" | "$batch" | "$patch";

interface BuiltInTool {
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * Undefined when it cannot be used: no permission, no patches in the definition, no state to patch
 * or to run a batch on.
 */
export function builtInTool(
  definition: AnyDefinition,
  type: BuiltIn,
  noState: boolean,
  actor: Actor | undefined,
): BuiltInTool | undefined {
  const { model } = definition;
  const replaces = checkPermission(model.replace, actor, type)?.code !== "forbidden";
  switch (type) {
    case "$replace":
      return replaces
        ? { description: `Replace the whole ${model.name} with another`, inputSchema: replaceSchema(definition) }
        : undefined;
    case "$batch":
      return noState ? undefined : batch(model, actor);
    case "$patch":
      if (noState || !replaces || !model.patches) return undefined;
      return { description: `Change the ${model.name} by a JSON Patch (RFC 6902)`, inputSchema: PATCH_SCHEMA };
  }
}

export function replaceSchema(definition: AnyDefinition): JsonSchema {
  const { schema, defs } = nested(stateSchema(definition), "value");
  return wrapped({ value: schema }, defs);
}

/** The inputs are not narrowed: one part of a batch may make the next one legal. */
export function batchSchema(model: Model, actor: Actor | undefined): JsonSchema {
  const usable = [...model.operations.values()].filter(
    (operation) => checkPermission(operation, actor, operation.type)?.code !== "forbidden",
  );
  const parts = usable.map(({ type, input, description }) => {
    const { schema, defs } = nested(inputSchema(input), type);
    const body = objectOf(objectOf(defs)[type] ?? schema);
    const properties = { type: { type: "string", const: type }, ...objectOf(body["properties"]) };
    return {
      schema: {
        ...body,
        ...defined({ description }),
        properties,
        required: ["type", ...requiredOf(body)],
      },
      defs,
    };
  });
  const defs = Object.fromEntries(parts.flatMap((part) => Object.entries(part.defs)));
  return wrapped({ operations: { type: "array", items: { anyOf: parts.map(({ schema }) => schema) } } }, defs);
}

export const PATCH_SCHEMA: JsonSchema = wrapped(
  {
    patch: {
      type: "array",
      items: {
        type: "object",
        properties: {
          op: { type: "string", enum: ["add", "remove", "replace", "move", "copy", "test"] },
          path: { type: "string", description: "a JSON Pointer" },
          from: { type: "string", description: "for move and copy: a JSON Pointer" },
          value: { description: "for add, replace and test" },
        },
        required: ["op", "path"],
      },
    },
  },
  {},
);

function batch(model: Model, actor: Actor | undefined): BuiltInTool | undefined {
  const schema = batchSchema(model, actor);
  if (!JSON.stringify(schema).includes('"const"')) return undefined;
  return {
    description: `Several operations on the ${model.name} as one: all are applied, in order, or none is`,
    inputSchema: schema,
  };
}

function wrapped(properties: JsonSchema, defs: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }),
  };
}
