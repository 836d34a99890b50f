// What a person answers to the interrupt of a proposal.

/**
 * The answer to resume an interrupt with. An edited operation is judged anew; a message is shown to
 * the model.
 */
export type ApprovalAnswer =
  | { readonly type: "accept" }
  | { readonly type: "edit"; readonly operation: { readonly type: string } }
  | { readonly type: "decline"; readonly message?: string };

/** The log would take more; a model need not read it. */
const MESSAGE_CHARACTERS = 2_000;

/** Undefined when it is none: what resumes a graph may be anything. */
export function readAnswer(value: unknown): ApprovalAnswer | undefined {
  const { type, operation, message }: { type?: unknown; operation?: unknown; message?: unknown } =
    typeof value === "object" && value !== null ? value : { type: value };
  if (type === "accept") return { type };
  if (type === "decline")
    return {
      type,
      ...(typeof message === "string" && message !== "" && { message: message.slice(0, MESSAGE_CHARACTERS) }),
    };
  const isOperation =
    typeof operation === "object" && operation !== null && "type" in operation && typeof operation.type === "string";
  return type === "edit" && isOperation ? { type, operation: operation as { readonly type: string } } : undefined;
}
