// LangGraph's merge of messages, written down from its rules and as plainly as possible: what
// `messages()` must agree with. One rule differs on purpose: what follows a removal of all is
// merged like any update, where LangGraph uses it as it is.

interface Plain {
  readonly id: string | undefined;
  readonly type: string;
  readonly content: unknown;
}

/**
 * The messages after the update; those without an id of their own have none. Undefined where
 * LangGraph throws.
 */
export function mergeOracle(left: readonly Plain[], right: readonly unknown[]): Plain[] | undefined {
  const incoming = right.map(coerce);
  const reset = incoming.findLastIndex(({ type, id }) => type === "remove" && id === "__remove_all__");
  let list: (Plain & { gone?: boolean })[] = reset === -1 ? left.map((message) => ({ ...message })) : [];
  for (const message of incoming.slice(reset + 1)) {
    const there = message.id === undefined ? undefined : list.find((other) => other.id === message.id);
    if (message.type === "remove") {
      if (there === undefined) return undefined;
      there.gone = true;
    } else if (there === undefined) list.push({ ...message });
    else list = list.map((other) => (other === there ? { ...message } : other));
  }
  return list.filter(({ gone }) => gone !== true);
}

function coerce(like: unknown): Plain {
  if (typeof like === "string") return { id: undefined, type: "human", content: like };
  if (Array.isArray(like)) return coerce({ role: like[0], content: like[1] });
  const { id, role, type = role, content } = like as { id?: string; role?: string; type?: string; content?: unknown };
  return { id, type: { user: "human", assistant: "ai" }[String(type)] ?? String(type), content };
}
