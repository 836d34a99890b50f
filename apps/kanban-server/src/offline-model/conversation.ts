// Reads the model's input: the request, its tool calls with their verdicts, the board, and what
// others did.
//
// The model has no memory between calls. The id of a tool call contains its step of the request,
// and which wording of it was read.

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { Board } from "@opstate/kanban-domain";
import { isBriefing, isSnapshot, readNews } from "./briefing.ts";
import { readBoard } from "./board-shown.ts";
import { LOOK_UP, withFound } from "./look-up.ts";
import { type Outcome, readVerdict } from "./verdict.ts";

export interface Conversation {
  /** The user's last message. */
  readonly request: string;
  /** One list for each message with tool calls since then. */
  readonly turns: readonly (readonly Outcome[])[];
  readonly board: Board | null;
  /** What was requested and answered before, oldest first. */
  readonly earlier: readonly Exchange[];
  /** What others did since the last model call, one sentence each. */
  readonly news: readonly string[];
}

export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** The requests and the last answer to each. */
function exchanges(messages: readonly BaseMessage[]): readonly Exchange[] {
  const found: Exchange[] = [];
  for (const message of messages) {
    if (HumanMessage.isInstance(message)) found.push({ request: message.text, answer: "" });
    const last = found.pop();
    if (last === undefined) continue;
    found.push(AIMessage.isInstance(message) && message.text !== "" ? { ...last, answer: message.text } : last);
  }
  return found;
}

export function readConversation(given: readonly BaseMessage[]): Conversation {
  const last = given.at(-1);
  const briefing = HumanMessage.isInstance(last) && isBriefing(last.text) ? last.text : undefined;
  const snapshot = given.find((message) => HumanMessage.isInstance(message) && isSnapshot(message.text));
  const messages = given.filter((message) => message !== snapshot && (briefing === undefined || message !== last));
  const asked = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const since = messages.slice(asked + 1);
  const results = new Map(
    since.filter((message) => ToolMessage.isInstance(message)).map((message) => [message.tool_call_id, message.text]),
  );
  const turns = since
    .filter((message) => AIMessage.isInstance(message))
    .map((message) =>
      (message.tool_calls ?? []).map(({ id = "", name, args }) => ({
        ...readCallId(id),
        call: { name, args },
        verdict: readVerdict(results.get(id)),
      })),
    );
  const all = messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
  const shown = readBoard(briefing ?? "", snapshot?.text, all);
  const found = turns.flat().flatMap(({ call, verdict }) => (call.name === LOOK_UP ? [verdict.text] : []));
  const board = withFound(shown, found);
  return {
    request: messages[asked]?.text ?? "",
    turns: turns.filter((turn) => turn.length > 0),
    board,
    earlier: exchanges(messages.slice(0, Math.max(0, asked))),
    news: readNews(briefing ?? ""),
  };
}

type Place = Pick<Outcome, "step" | "retry" | "look" | "reading">;

/** `unique` distinguishes the calls of one step. */
export const callId = ({ step, retry, look, reading }: Place, unique: string): string =>
  `call_${step}_${look ? "look" : retry ? "retry" : "first"}_${reading}_${unique}`;

function readCallId(id: string): Place {
  const [, step, attempt, reading] = /^call_(\d+)_(first|retry|look)_(?:(\d+)_)?/.exec(id) ?? [];
  return {
    step: Number(step ?? 0),
    retry: attempt === "retry",
    look: attempt === "look",
    reading: Number(reading ?? 0),
  };
}
