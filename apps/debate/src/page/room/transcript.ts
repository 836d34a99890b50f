// What the page shows of a debate, computed from the conversation: rounds with their turns, and the
// phase.

import type { ChatMessage, ChatState } from "@opstate/ag-ui";
import { type Agent, isSpeaker, type Speaker } from "../../debate/speakers.ts";
import type { DebateView, Turn } from "../../debate/state.ts";

export interface Entry {
  readonly speaker: Speaker;
  readonly text: string;
  readonly status: ChatMessage["status"];
  /** Once it has ended. */
  readonly turn: Turn | undefined;
}

export interface Round {
  readonly number: number;
  readonly entries: Partial<Record<Speaker, Entry>>;
}

export type Phase = "starting" | "running" | "waiting" | "broken_off" | "completed" | "error" | "lost";

type Chat = ChatState<Partial<DebateView>>;

export function roundsOf({ messages, state, phase }: Chat): readonly Round[] {
  const turns = new Map((state.turns ?? []).map((turn) => [turn.id, turn]));
  const rounds = new Map<number, Partial<Record<Speaker, Entry>>>();
  for (let number = 1; number <= (state.round ?? 0); number += 1) rounds.set(number, {});
  for (const message of messages) {
    const turn = turns.get(message.id);
    const speaker = turn?.speaker ?? ("name" in message ? message.name : undefined);
    if (!isSpeaker(speaker) || !("content" in message) || typeof message.content !== "string") continue;
    const number = turn?.round ?? state.round ?? 1;
    const status = turn === undefined && phase === "running" ? message.status : turn ? "complete" : "incomplete";
    rounds.set(number, { ...rounds.get(number), [speaker]: { speaker, text: message.content, status, turn } });
  }
  return [...rounds].map(([number, entries]) => ({ number, entries })).toSorted((a, b) => a.number - b.number);
}

/** The debate's phase, as far as this page knows. */
export function phaseOf({ phase, state, interrupts, error, run }: Chat): Phase {
  if (phase === "running") return (state.round ?? 0) === 0 ? "starting" : "running";
  if (state.status === "error") return "error";
  if (phase === "error") return error?.kind === "transport" || error?.kind === "truncated" ? "lost" : "error";
  if (state.status === "completed") return "completed";
  if (interrupts.length > 0) return "waiting";
  return run === undefined && (state.startedAt ?? "") === "" ? "starting" : "broken_off";
}

/** Who is speaking now. */
export function speakingNow({ messages, phase, steps }: Chat): Agent | "fact check" | undefined {
  if (phase !== "running") return undefined;
  const open = messages.findLast(({ status }) => status === "streaming");
  if (open && "name" in open && isSpeaker(open.name) && open.name !== "person") return open.name;
  const step = steps.findLast(({ status }) => status === "running")?.name;
  if (step === "fact check") return step;
  return isSpeaker(step) && step !== "person" ? step : undefined;
}
