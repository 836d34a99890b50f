// One turn of a speaker, streamed as AG-UI events while the model writes it.

import { EventType } from "@ag-ui/core";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Agent } from "../debate/speakers.ts";
import { type Turn, turnId } from "../debate/state.ts";
import { type Situation, turnPrompt } from "./prompts.ts";

export type Clock = () => Date;

export interface Speech {
  readonly messages: BaseMessage[];
  readonly turns: Turn[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export async function speak(
  speaker: Agent,
  situation: Situation,
  { model, clock }: { readonly model: BaseChatModel; readonly clock: Clock },
  config: LangGraphRunnableConfig,
): Promise<Speech> {
  const { round } = situation;
  const messageId = turnId(round, speaker);
  const startedAt = clock().toISOString();
  config.writer?.({ type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant", name: speaker });
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await model.stream(turnPrompt(speaker, situation), config)) {
    whole = whole?.concat(chunk) ?? chunk;
    if (chunk.text !== "") config.writer?.({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: chunk.text });
  }
  config.writer?.({ type: EventType.TEXT_MESSAGE_END, messageId });
  if (!whole || whole.text.trim() === "")
    throw new Error(`The model gave no words to the ${speaker} in round ${round}.`);
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = whole.usage_metadata ?? {};
  return {
    messages: [new AIMessage({ id: messageId, name: speaker, content: whole.text })],
    turns: [{ id: messageId, speaker, round, startedAt, endedAt: clock().toISOString(), inputTokens, outputTokens }],
    inputTokens,
    outputTokens,
  };
}
