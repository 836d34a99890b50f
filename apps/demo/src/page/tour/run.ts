// A request to the agent, and what came of it.

import { transcript } from "@opstate/kanban-page/chat/transcript.ts";
import { type Log, logNow } from "@opstate/kanban-page/timeline/log.ts";
import type { Session } from "@opstate/kanban-page/session.ts";
import type { Stage } from "./stage.ts";

type Entry = Log["entries"][number];

export interface Run {
  /** What it changed so far, oldest first. */
  commits(): readonly Entry[];
  /** Resolves when it has ended. Rejects with an Error when it failed. */
  readonly ended: Promise<void>;
  /** All that the agent said in it. */
  said(): string;
}

export function startRun({ session, wait }: Stage, request: string): Run {
  const { chat, thread } = session;
  const before = transcript(chat.getState()).length;
  const ended = untilItEnds();
  // One may look at what it does before its end is waited for.
  ended.catch(() => undefined);
  async function untilItEnds(): Promise<void> {
    const { error } = await wait(chat.send(request));
    if (error) throw new Error(error.message);
  }
  const runId = () => chat.getState().run?.runId;
  return {
    commits: () =>
      logNow(thread)
        .entries.filter((entry) => entry.kind === "edit" && entry.runId !== undefined && entry.runId === runId())
        .toReversed(),
    ended,
    said: () =>
      transcript(chat.getState())
        .slice(before)
        .flatMap((item) => (item.kind === "assistant" ? item.text : []))
        .join("\n"),
  };
}

/** What people changed after a version, oldest first. */
export const editsByPeople = ({ thread }: Session, after: number): readonly Entry[] =>
  logNow(thread)
    .entries.filter((entry) => entry.kind === "edit" && entry.actor.kind === "user" && entry.version > after)
    .toReversed();
