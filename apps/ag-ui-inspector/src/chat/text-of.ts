// The content of a message as text.

/** The text of a message. Parts without text are named by their type. */
export function textOf(content: string | readonly { readonly type: string; readonly text?: unknown }[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (typeof part.text === "string" ? part.text : `[${part.type}]`)).join("\n");
}
