// Server-sent events of another object, taken apart and put together again.

import { isObject } from "@opstate/core/json";

/** One event as it came, without the empty line. */
export interface ReadFrame {
  /** Empty for a comment or a line about reconnecting. */
  readonly event: string;
  readonly text: string;
}

const ENCODER = new TextEncoder();

/** Until the body ends, or `signal` aborts. */
export async function* framesOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<ReadFrame, void> {
  const reader = body.getReader();
  signal?.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const texts = `${rest}${decoder.decode(value, { stream: true })}`.split("\n\n");
      rest = texts.pop() ?? "";
      for (const text of texts) yield { event: fieldOf("event", text) ?? "", text };
    }
  } finally {
    // The caller reads no further.
    await reader.cancel().catch(() => undefined);
  }
}

/** The data of an event, which is one line of JSON. */
export function dataOf({ text }: ReadFrame): Record<string, unknown> {
  const data: unknown = JSON.parse(fieldOf("data", text) ?? "{}");
  return isObject(data) ? data : {};
}

/** Lines end with "\n" alone: a person's text may have other separators of lines in it. */
function fieldOf(name: string, text: string): string | undefined {
  const line = text.split("\n").find((each) => each.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}

export function bytesOf(text: string): Uint8Array {
  return ENCODER.encode(`${text}\n\n`);
}

/** The event that ends one thread of a reader: with the members of a problem document. */
export function problemBytes(threadId: string, problem: Record<string, unknown>): Uint8Array {
  const { status, code, title, detail } = problem;
  const data = { thread: threadId, type: "problem", status, code, title, detail };
  return bytesOf(`event: problem\ndata: ${JSON.stringify(data)}`);
}
