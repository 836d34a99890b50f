// A text as a stream of chunks, word by word, as a provider sends it, with the usage at the end.

import { AIMessageChunk, type StandardMessageStructure, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";

export function* chunksOf(text: string, inputTokens: number): Generator<ChatGenerationChunk> {
  const pieces = words(text);
  for (const word of pieces) yield chunk(new AIMessageChunk({ content: word }), word);
  const usage: UsageMetadata = {
    input_tokens: inputTokens,
    output_tokens: pieces.length,
    total_tokens: inputTokens + pieces.length,
  };
  yield chunk(
    new AIMessageChunk<StandardMessageStructure>({
      content: "",
      usage_metadata: usage,
      response_metadata: { model_name: "offline", finish_reason: "stop" },
    }),
  );
}

/** This model's tokens, in and out: a word with the space before it. */
export const words = (text: string): readonly string[] => text.match(/\s*\S+\s*?(?=\s|$)/g) ?? [];

const chunk = (message: AIMessageChunk, text = ""): ChatGenerationChunk => new ChatGenerationChunk({ message, text });
