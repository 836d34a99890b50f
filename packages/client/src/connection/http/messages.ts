// What the server sends of many threads: `POST /events`, as a stream or as a list.

import type { Actor, Commit } from "@opstate/core";
import type { CarrierMessage } from "../../carrier.ts";

export type ServerMessage =
  | ({ readonly thread: string } & Exclude<CarrierMessage, { type: "verdict" }>)
  | { readonly type: "hello"; readonly stream?: string; readonly session?: string; readonly actor: Actor }
  | { readonly type: "problem"; readonly thread?: string; readonly status: number };

/**
 * The messages, with the commits of a thread that follow one another as one. Takes the messages
 * over. A newer server may send more types: those who read them leave out what they do not know.
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
    return type !== "commits" || before === undefined;
  });
}
