// The schema of a whole agent state: an object of the fields' schemas. An absent field gets its
// initial value. LangChain's messages, instances and their JSON alike, are read as plain messages.

import {
  $ZodDefault,
  $ZodNullable,
  $ZodObject,
  $ZodPipe,
  $ZodTransform,
  parse,
  safeParse,
  type $ZodType,
  type util,
} from "zod/v4/core";
import { detach } from "../engine/validation/share.ts";
import { plainMessages } from "./message-class.ts";

/** A schema with its two parse functions, so that a state can be parsed without importing zod. */
export type AgentSchema<State> = $ZodType<State> & {
  /** Throws zod's error. */
  parse(this: void, value: unknown): State;
  safeParse(this: void, value: unknown): util.SafeParseResult<State>;
};

interface Member {
  readonly schema: $ZodType;
  readonly initial: unknown;
}

export function agentSchema(
  members: ReadonlyMap<string, Member>,
  start: Readonly<Record<string, unknown>>,
): AgentSchema<unknown> {
  const shape = Object.fromEntries([...members].map(([name, field]) => [name, fieldSchema(field, start[name])]));
  const schema = new $ZodObject({ type: "object", shape });
  return Object.assign(schema, {
    parse: (value: unknown) => parse(schema, value),
    safeParse: (value: unknown) => safeParse(schema, value),
  });
}

function fieldSchema(field: Member, start: unknown): $ZodType {
  // A definition without an initial state: its own schema does not accept null.
  const held = field.initial === null ? new $ZodNullable({ type: "nullable", innerType: field.schema }) : field.schema;
  const innerType = "kind" in field ? new $ZodPipe({ type: "pipe", in: messagesAsJson(), out: held }) : held;
  return new $ZodDefault({
    type: "default",
    innerType,
    get defaultValue() {
      return detach(start);
    },
  });
}

function messagesAsJson(): $ZodType {
  return new $ZodTransform({ type: "transform", transform: plainMessages });
}
