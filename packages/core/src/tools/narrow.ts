// Applies the `narrow` of an operation: the legal values become enums in the JSON Schema of its
// input.

import { defined } from "../defined.ts";
import type { Actor } from "../engine/actor.ts";
import { report } from "../engine/rejection/failure.ts";
import type { Model, OperationModel } from "../engine/model.ts";
import { listOf, objectOf, requiredOf, type JsonSchema } from "./json-schema.ts";

/** More values would cost too many tokens. The operation itself refuses a wrong value. */
const MOST_VALUES = 100;

/**
 * `schema` narrowed to the values that are legal in `state`, or undefined without any. A `narrow`
 * that throws is a bug: `onFailure` is called.
 */
export function narrowed(
  model: Model,
  operation: OperationModel,
  schema: JsonSchema,
  state: unknown,
  actor: Actor | undefined,
): JsonSchema | undefined {
  if (operation.narrow === undefined) return schema;
  let legal: unknown;
  try {
    legal = operation.narrow(state, actor);
  } catch (error) {
    report(model, operation.type, error);
    return schema;
  }
  if (legal === false) return undefined;
  const properties = { ...objectOf(schema["properties"]) };
  for (const [name, values] of Object.entries(objectOf(legal))) {
    if (!Array.isArray(values) || !Object.hasOwn(properties, name)) continue;
    const property = withValues(objectOf(properties[name]), [...new Set<unknown>(values)]);
    if (property !== undefined) properties[name] = property;
    else if (requiredOf(schema).includes(name)) return undefined;
    else delete properties[name];
  }
  return { ...schema, properties };
}

function withValues(schema: JsonSchema, values: readonly unknown[]): JsonSchema | undefined {
  if (values.length === 0) return undefined;
  if (values.length > MOST_VALUES) {
    const words = `one of ${values.length} current values, too many to list`;
    return {
      ...schema,
      description: typeof schema["description"] === "string" ? `${schema["description"]}; ${words}` : words,
    };
  }
  if (schema["type"] === "array") return { ...schema, items: { ...objectOf(schema["items"]), enum: values } };
  // `narrow` lists no null. Where the input allows null, it stays allowed.
  const legal = allowsNull(schema) ? [...values, null] : values;
  const types = [...new Set(legal.map((value) => (value === null ? "null" : typeof value)))];
  const { description } = schema;
  return {
    type: types.length === 1 ? types[0] : types,
    enum: legal,
    ...defined({ description }),
  };
}

function allowsNull({ type, anyOf }: JsonSchema): boolean {
  return [type].flat().includes("null") || listOf(anyOf).some(allowsNull);
}
