// A message that the client adds, such as what the user just wrote.

import type { Message } from "@ag-ui/core";
import type { ChatState } from "../state/chat-state.ts";
import { addMessages } from "../fold/messages-snapshot.ts";
import { fromAgUiMessage } from "../fold/from-ag-ui-message.ts";
import { detachJson } from "../state/json.ts";

/**
 * The conversation with a message at its end. The same state when a message has that id already.
 * Throws when the message is not JSON.
 *
 * @example
 * ```ts
 * import { appendMessage, initialChatState } from "@opstate/ag-ui";
 *
 * const chat = appendMessage(initialChatState(), { id: "u1", role: "user", content: "Hello" });
 * chat.messages; // [{ id: "u1", role: "user", content: "Hello", status: "complete" }]
 * ```
 */
export function appendMessage<S extends ChatState>(state: S, message: Message): S {
  // A copy of a message is a message. The spread inside keeps the members that S adds.
  return addMessages(state, [fromAgUiMessage(detachJson(message) as Message)]) as S;
}
