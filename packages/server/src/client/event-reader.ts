// Reads a body of server-sent events as transport messages. Commits that arrive together become one
// message, so that a replica rebases once.

import type { TransportMessage } from "@opstate/core/transport";
import { createParser } from "eventsource-parser";

const MESSAGE_TYPES = new Set(["welcome", "snapshot", "commits", "refusal"]);

/**
 * Resolves when the body ends, rejects when the connection breaks. `onActivity` is called for
 * everything that arrives, heartbeats included.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onMessage: (message: TransportMessage) => void,
  onActivity: () => void,
): Promise<void> {
  let arrived: TransportMessage[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      // A newer server may send more types. The server guarantees the shape of a known type.
      if (event !== undefined && MESSAGE_TYPES.has(event)) arrived.push(JSON.parse(data) as TransportMessage);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onActivity();
    parser.feed(decoder.decode(value, { stream: true }));
    const messages = joinCommits(arrived);
    arrived = [];
    for (const message of messages) onMessage(message);
  }
}

function joinCommits(messages: readonly TransportMessage[]): readonly TransportMessage[] {
  const joined: TransportMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.type === "commits" && last?.type === "commits")
      joined[joined.length - 1] = { type: "commits", commits: [...last.commits, ...message.commits] };
    else joined.push(message);
  }
  return joined;
}
