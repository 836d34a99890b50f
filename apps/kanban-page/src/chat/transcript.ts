// A conversation as the page shows it: messages, and tool calls with their verdicts.

import type { ChatMessage, ChatState, ChatToolCall } from "@opstate/ag-ui";
import { board } from "@opstate/kanban-domain";
import { type Outcome, readOutcome } from "./outcome.ts";

export type TranscriptItem =
  | { readonly kind: "user" | "assistant"; readonly id: string; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly call: Call };

/** A tool call. `operation` is undefined while its arguments still stream in. */
export interface Call {
  readonly toolCallId: string;
  readonly name: string;
  readonly json: string;
  readonly operation: Readonly<Record<string, unknown>> | undefined;
  readonly result: string | undefined;
  readonly outcome: Outcome | undefined;
}

const ITEMS_BY_MESSAGE = new WeakMap<ChatMessage, TranscriptItem[]>();
const TRANSCRIPTS = new WeakMap<readonly ChatMessage[], readonly TranscriptItem[]>();

/** The same messages, and an unchanged message, give the same items again. */
export function transcript({ messages }: Pick<ChatState, "messages">): readonly TranscriptItem[] {
  const items =
    TRANSCRIPTS.get(messages) ??
    saidOnce(
      messages.flatMap((message) => {
        const ofMessage = ITEMS_BY_MESSAGE.get(message) ?? itemsOf(message);
        ITEMS_BY_MESSAGE.set(message, ofMessage);
        return ofMessage;
      }),
    );
  TRANSCRIPTS.set(messages, items);
  return items;
}

/** Why a call was refused is left out at the call where the agent's answer says it. */
function saidOnce(items: readonly TranscriptItem[]): readonly TranscriptItem[] {
  return items.map((item, index) => {
    const reason = item.kind === "call" ? item.call.outcome?.message?.replace(/^Not \w+: /, "") : undefined;
    if (item.kind !== "call" || item.call.outcome === undefined || !reason) return item;
    const next = items.findIndex(({ kind }, at) => at > index && kind === "user");
    const answers = items.slice(index + 1, next === -1 ? undefined : next);
    if (!answers.some((answer) => answer.kind === "assistant" && answer.text.includes(reason))) return item;
    const { message: _, ...outcome } = item.call.outcome;
    return { ...item, call: { ...item.call, outcome } };
  });
}

function itemsOf(message: ChatMessage): TranscriptItem[] {
  if (message.role === "user") return [{ kind: "user", id: message.id, text: textOf(message.content) }];
  if (message.role !== "assistant") return [];
  const text = message.content?.trim() ? [{ kind: "assistant" as const, id: message.id, text: message.content }] : [];
  return [
    ...text,
    ...(message.toolCalls ?? [])
      .filter(({ name }) => name !== OFFER_REPLIES)
      .map((call) => ({
        kind: "call" as const,
        id: `${message.id}/${call.id}`,
        call: callOf(call),
      })),
  ];
}

function callOf({ id, name, arguments: json, result }: ChatToolCall): Call {
  const text = result && textOf(result.content);
  return {
    toolCallId: id,
    name,
    json,
    operation: operationOf(name, json),
    result: text,
    outcome: text === undefined ? undefined : readOutcome(text),
  };
}

const OFFER_REPLIES = "offerReplies";

/** What the agent offers as answers to its question, until the person writes. */
export function offeredReplies({ messages, phase }: Pick<ChatState, "messages" | "phase">): readonly string[] {
  if (phase === "running") return NO_REPLIES;
  const last = messages.findLast(({ role }) => role === "assistant" || role === "user");
  const offer = last?.role === "assistant" ? last.toolCalls?.find(({ name }) => name === OFFER_REPLIES) : undefined;
  if (offer === undefined) return NO_REPLIES;
  try {
    const input: unknown = JSON.parse(offer.arguments);
    const replies: unknown = typeof input === "object" && input !== null && "replies" in input ? input.replies : [];
    return Array.isArray(replies) ? replies.filter((reply) => typeof reply === "string").slice(0, 3) : NO_REPLIES;
  } catch {
    return NO_REPLIES;
  }
}

const NO_REPLIES: readonly string[] = [];

/** The cards that calls without a result are about to touch, while the agent runs. */
export function cardsAtWork(chat: Pick<ChatState, "messages" | "phase">): string[] {
  if (!isRunning(chat)) return [];
  return transcript(chat).flatMap((item) => {
    const cardId = item.kind === "call" && item.call.result === undefined ? item.call.operation?.["cardId"] : undefined;
    return typeof cardId === "string" ? [cardId] : [];
  });
}

export const isRunning = ({ phase }: Pick<ChatState, "phase">): boolean => phase === "running";

/** Why the last run did not end well, in words. */
export function runProblem({ error }: { readonly error?: ChatState["error"] | undefined }): string | undefined {
  return error?.kind === "truncated"
    ? "The answer broke off: the connection was lost. What the agent did until then is on the board."
    : error?.message;
}

/** The person's last message, to send it again. */
export function lastQuestion({ messages }: Pick<ChatState, "messages">): string {
  const question = messages.findLast(({ role }) => role === "user");
  return question?.role === "user" ? textOf(question.content) : "";
}

function operationOf(name: string, json: string): Call["operation"] {
  try {
    // Before the first argument has come there is no JSON.
    const input: unknown = JSON.parse(json);
    if (typeof input !== "object" || input === null) return undefined;
    if (name in board.op) return { ...input, type: name };
    // `buildBoard` takes a whole board; the other tools only read.
    return name === "buildBoard" ? { ...input } : undefined;
  } catch {
    return undefined;
  }
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? [part.text] : [],
    )
    .join("");
}
