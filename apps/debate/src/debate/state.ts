// The state of a debate, which the graph's nodes update and the page shows.
//
// Invariants:
// - Times are ISO strings.
// - A turn's id is its round and its speaker, so a repeated turn is the same turn.

import { append, counter, defineAgentState, immutable, messages, oneOf, replace } from "@opstate/core";
import { z } from "zod";
import { MAX_ROUNDS } from "./limits.ts";
import { DEBATERS, SPEAKERS } from "./speakers.ts";

export const Turn = z.object({
  /** Also the id of its message. */
  id: z.string(),
  speaker: z.enum(SPEAKERS),
  round: z.int(),
  startedAt: z.string(),
  endedAt: z.string(),
  inputTokens: z.int(),
  outputTokens: z.int(),
});
export type Turn = z.infer<typeof Turn>;

export const FACT_LABELS = ["plausible", "overstated", "unsourced", "prediction", "wrong"] as const;

/** A claim of a debater with its label. `quote` is an exact part of the turn's text. */
export const Fact = z.object({
  turn: z.string(),
  quote: z.string(),
  label: z.enum(FACT_LABELS),
  note: z.string(),
});
export type Fact = z.infer<typeof Fact>;

export const debateState = defineAgentState({
  messages: messages(),
  turns: append(Turn),
  facts: append(Fact),
  round: counter(),
  topic: immutable(""),
  maxRounds: immutable(z.int().min(0).max(MAX_ROUNDS), 0),
  status: oneOf(["running", "completed", "error"]),
  /** Why the status is "error", in a sentence. */
  problem: replace(""),
  /** Whether a person ended it before its last round. */
  stopped: replace(false),
  inputTokens: counter(),
  outputTokens: counter(),
  startedAt: immutable(""),
  endedAt: replace(""),
});

type State = typeof debateState.initial;

/** The state without its messages, which are sent separately. */
export type DebateView = Omit<State, "messages">;

export function viewOf(state: DebateView): DebateView {
  const {
    turns,
    facts,
    round,
    topic,
    maxRounds,
    status,
    problem,
    stopped,
    inputTokens,
    outputTokens,
    startedAt,
    endedAt,
  } = state;
  return {
    turns,
    facts,
    round,
    topic,
    maxRounds,
    status,
    problem,
    stopped,
    inputTokens,
    outputTokens,
    startedAt,
    endedAt,
  };
}

export const turnId = (round: number, speaker: Turn["speaker"]): string => `${round}-${speaker}`;
export const isDebatersTurn = ({ speaker }: Pick<Turn, "speaker">): boolean =>
  DEBATERS.some((debater) => debater === speaker);
