// Several calls of one message with one id, of a field: the first one holds the id.

import { AIMessage } from "@langchain/core/messages";

/** Whether an earlier call of the same message has this call's id, and requests something else. */
export function isSecondOfId(
  messages: unknown,
  { id, name, args }: { readonly id: string; readonly name: string; readonly args: unknown },
): boolean {
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const message = all.findLast(
    (candidate) => AIMessage.isInstance(candidate) && candidate.tool_calls?.some((call) => call.id === id),
  );
  const [first] = AIMessage.isInstance(message) ? (message.tool_calls ?? []).filter((call) => call.id === id) : [];
  return first !== undefined && (first.name !== name || JSON.stringify(first.args) !== JSON.stringify(args));
}
