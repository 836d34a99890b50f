// Typed handlers for an application's own CUSTOM events.

import type { ChatState } from "./chat-state.ts";

/** Any Standard Schema (zod, valibot, arktype). It must validate synchronously. */
export interface CustomSchema<Value> {
  readonly "~standard": {
    readonly validate: (value: unknown) => Validated<Value> | PromiseLike<Validated<Value>>;
  };
}

type Validated<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** Applies the value of a CUSTOM event: gives the next state, or why the value is not valid. */
export type CustomHandler = (
  state: ChatState,
  value: unknown,
) => { readonly state: ChatState } | { readonly problem: string };

/**
 * A handler for CUSTOM events of one name. `schema` validates their value, and `apply` gives the
 * next state. `apply` is part of the reducer, so it must be pure. A value that the schema refuses
 * changes nothing and is recorded as a warning.
 *
 * @example
 * ```ts
 * import { createChatReducer, customHandler, initialChatState } from "@opstate/ag-ui";
 * import { z } from "zod";
 *
 * const progress = customHandler(z.number(), (state, value) => ({
 *   ...state,
 *   custom: { percent: value * 100 },
 * }));
 * const reducer = createChatReducer({ custom: { progress } });
 * const chat = reducer(initialChatState(), { type: "CUSTOM", name: "progress", value: 0.5 });
 * chat.custom; // { percent: 50 }
 * ```
 */
export function customHandler<Value>(
  schema: CustomSchema<Value>,
  apply: (state: ChatState, value: Value) => ChatState,
): CustomHandler {
  return (state, value) => {
    const result = schema["~standard"].validate(value);
    if ("then" in result) return { problem: "its schema checks asynchronously" };
    if (result.issues !== undefined) return { problem: result.issues[0]?.message ?? "its schema refuses it" };
    return { state: apply(state, result.value) };
  };
}
