// Several calls of one message with one id. The first one holds the id. A model does not choose its
// ids, so it reads what it can do.

import { AIMessage } from "@langchain/core/messages";
import type { Rejection } from "@opstate/core";

export function sameIdRejection(operation: Rejection["operation"], toolCallId: string | undefined): Rejection {
  const message = `Another call had the same id (${JSON.stringify(toolCallId)}), so this one was not carried out. Call the tool again.`;
  return { code: "conflict", reason: "same_id", message, operation };
}

/** Whether an earlier call of the same message has this call's id, and asks for something else. */
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
