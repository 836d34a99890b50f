// How much the request of a run takes.

import type { Message } from "@ag-ui/core";

/** Characters of their JSON, about: a long text is not escaped for that. */
export function sizeOfMessages(messages: readonly Message[]): number {
  let size = 0;
  for (const message of messages) {
    const text = typeof message.content === "string" ? message.content : undefined;
    size += JSON.stringify(text === undefined ? message : { ...message, content: "" }).length + (text?.length ?? 0);
  }
  return size;
}
