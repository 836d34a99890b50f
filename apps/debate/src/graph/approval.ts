// The person's decision between two rounds: continue, continue with a remark, or stop.

import { EventType } from "@ag-ui/core";
import { HumanMessage } from "@langchain/core/messages";
import { interrupt, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { Decision } from "../debate/requests.ts";
import { turnId } from "../debate/state.ts";
import type { Clock } from "./speak.ts";

/** The request to a page. */
export interface Question {
  readonly message: string;
  readonly nextRound: number;
  readonly maxRounds: number;
}

/** Asks until the answer is a decision. Nothing else starts a round. */
export function askToContinue({ round, maxRounds }: { readonly round: number; readonly maxRounds: number }): Decision {
  const ready = `Round ${round + 1} of ${maxRounds} is ready.`;
  for (let message = ready; ;) {
    const question: Question = { message, nextRound: round + 1, maxRounds };
    const answer = Decision.safeParse(interrupt<Question>(question));
    if (answer.success) return answer.data;
    message = `${ready} The answer was not understood: ${z.prettifyError(answer.error)}`;
  }
}

/** A person's remark as a turn of its own, in the round before it. */
export function remarkTurn(word: string, round: number, clock: Clock, config: LangGraphRunnableConfig) {
  const id = turnId(round, "person");
  const at = clock().toISOString();
  config.writer?.({ type: EventType.TEXT_MESSAGE_START, messageId: id, role: "user", name: "person" });
  config.writer?.({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: id, delta: word });
  config.writer?.({ type: EventType.TEXT_MESSAGE_END, messageId: id });
  return {
    messages: [new HumanMessage({ id, name: "person", content: word })],
    turns: [{ id, speaker: "person" as const, round, startedAt: at, endedAt: at, inputTokens: 0, outputTokens: 0 }],
  };
}
