// What a person answers to the interrupt of a proposal.

import { defined, type AnyOperation } from "@opstate/core";

/**
 * The answer to resume an interrupt with. An edited operation is judged anew. The model is shown
 * the message.
 */
export type ApprovalAnswer =
  | { readonly type: "accept" }
  | { readonly type: "edit"; readonly operation: AnyOperation }
  | { readonly type: "decline"; readonly message?: string };

/** The log would accept more, but a model need not read it. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** The answer in `value`, which may be anything. Undefined when it is none. */
export function readAnswer(value: unknown): ApprovalAnswer | undefined {
  const { type, operation, message }: { type?: unknown; operation?: unknown; message?: unknown } =
    typeof value === "object" && value !== null ? value : { type: value };
  if (type === "accept") return { type };
  if (type === "decline") {
    const text = typeof message === "string" && message !== "" ? message.slice(0, MAX_MESSAGE_CHARACTERS) : undefined;
    return defined({ type, message: text });
  }
  return type === "edit" && isOperation(operation) ? { type, operation } : undefined;
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
