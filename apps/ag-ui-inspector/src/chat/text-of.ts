// The content of a message as text.

/** The text of a message of several parts; what is no text is named. */
export function textOf(content: string | readonly { readonly type: string; readonly text?: unknown }[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (typeof part.text === "string" ? part.text : `[${part.type}]`)).join("\n");
}
