// What the server sends of many threads: `POST /events`, as a stream or as a list.

import type { Actor } from "@opstate/core";
import type { TransportMessage } from "@opstate/core/transport";
import type { CarrierMessage } from "../../carrier.ts";

export type ServerMessage =
  | ({ readonly thread: string } & Exclude<CarrierMessage, { type: "verdict" }>)
  | { readonly type: "hello"; readonly stream?: string; readonly session?: string; readonly actor: Actor }
  | { readonly type: "problem"; readonly thread?: string; readonly status: number };

type Commits = { readonly thread: string } & Extract<TransportMessage, { type: "commits" }>;

const TYPES = new Set<unknown>(["hello", "problem", "welcome", "snapshot", "commits", "refusal", "presence", "rights"]);

/**
 * The messages, with the commits of a thread that follow one another as one. A newer server may
 * send more types: they are left out.
 */
export function joinCommits(messages: readonly ServerMessage[]): readonly ServerMessage[] {
  const joined: ServerMessage[] = [];
  /** The place of the last message of a thread, where that is its commits. */
  const last = new Map<string, { readonly at: number; readonly message: Commits }>();
  for (const message of messages) {
    if (!TYPES.has(message.type)) continue;
    if (message.type !== "commits") {
      if ("thread" in message && message.thread !== undefined) last.delete(message.thread);
      joined.push(message);
      continue;
    }
    const before = last.get(message.thread);
    const next = before ? { ...message, commits: [...before.message.commits, ...message.commits] } : message;
    const at = before?.at ?? joined.push(next) - 1;
    joined[at] = next;
    last.set(message.thread, { at, message: next });
  }
  return joined;
}
