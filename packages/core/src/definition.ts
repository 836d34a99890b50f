// The entry `@opstate/core/definition`: the types inside of a definition and of its fields, for
// libraries that build on definitions, and a definition on the full engine, for those that decide.
// An application needs those of the root only.
//
// Of fields: what a framework's binding needs to run them one by one.

export { fullDefinition } from "./definition/full.ts";
export type { StateSpec } from "./definition/define-state.ts";
export type { Narrowed } from "./definition/definition.ts";
export type { Loose } from "./definition/loose.ts";
export type { Batch, NotAnOperation, Replace, Update } from "./definition/update.ts";
export type { ActorKind } from "./engine/actor.ts";
export type { Accepted, Refused } from "./engine/transition.ts";
export type { Issue } from "./engine/validation/issues.ts";
export type { AgentSchema } from "./fields/agent-schema.ts";
export { inField } from "./fields/agent-state.ts";
export { isClear } from "./fields/clear.ts";
export type { Clear, WithClear } from "./fields/clear.ts";
export { plainMessages } from "./fields/message-class.ts";
export type { AgentFields, AgentTransition, AgentUpdate } from "./fields/agent-state.ts";
export type { AppendUpdate } from "./fields/append.ts";
export type { AnyField, FieldTransition } from "./fields/field.ts";
export type { MessageType, RemoveMessage } from "./fields/message.ts";
