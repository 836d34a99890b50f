// What the server sends of many threads: `POST /events`, as a stream or as a list.

import type { Actor, Commit } from "@opstate/core";
import type { CarrierMessage } from "../../carrier.ts";

export type ServerMessage =
  | ({ readonly thread: string } & Exclude<CarrierMessage, { type: "verdict" }>)
  | { readonly type: "hello"; readonly stream?: string; readonly session?: string; readonly actor: Actor }
  | { readonly type: "problem"; readonly thread?: string; readonly status: number };

const TYPES = new Set<unknown>(["hello", "problem", "welcome", "snapshot", "commits", "refusal", "presence", "rights"]);

/**
 * The messages, with the commits of a thread that follow one another as one. A newer server may
 * send more types: they are left out. Takes the messages over.
 */
export function joinCommits(messages: readonly ServerMessage[]): readonly ServerMessage[] {
  /** By thread: the commits of its last message, where it was of commits. */
  const last = new Map<unknown, Commit[]>();
  return messages.filter((message) => {
    const { type, thread, commits } = message as { type: string; thread?: string; commits: Commit[] };
    const before = last.get(thread);
    if (type !== "commits") last.delete(thread);
    else if (before === undefined) last.set(thread, commits);
    else for (const commit of commits) before.push(commit);
    return TYPES.has(type) && (type !== "commits" || before === undefined);
  });
}
