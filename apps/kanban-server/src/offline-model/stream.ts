// A decision as a stream of chunks, as a provider sends it: the text word by word, then each tool
// call with its arguments in pieces.

import { AIMessageChunk, type StandardMessageStructure, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";

export interface IdentifiedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const ARGUMENTS_PIECE = 48;

export function* chunksOf(
  text: string,
  calls: readonly IdentifiedCall[],
  inputTokens: number,
): Generator<ChatGenerationChunk> {
  let outputTokens = 0;
  for (const word of words(text)) {
    outputTokens += 1;
    yield chunk(new AIMessageChunk({ content: word }), word);
  }
  for (const [index, { id, name, args }] of calls.entries()) {
    const json = JSON.stringify(args);
    for (let start = 0; start < json.length; start += ARGUMENTS_PIECE) {
      const piece = json.slice(start, start + ARGUMENTS_PIECE);
      outputTokens += words(piece).length;
      const opening = start === 0 ? { id, name } : {};
      yield chunk(
        new AIMessageChunk({
          content: "",
          tool_call_chunks: [{ ...opening, args: piece, index, type: "tool_call_chunk" }],
        }),
      );
    }
  }
  const usage: UsageMetadata = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  const reason = calls.length > 0 ? "tool_calls" : "stop";
  yield chunk(
    new AIMessageChunk<StandardMessageStructure>({
      content: "",
      usage_metadata: usage,
      response_metadata: { model_name: "offline", finish_reason: reason },
    }),
  );
}

/** This model's tokens, in and out: a word with the space before it. */
export const words = (text: string): readonly string[] => text.match(/\s*\S+\s*?(?=\s|$)/g) ?? [];

const chunk = (message: AIMessageChunk, text = ""): ChatGenerationChunk => new ChatGenerationChunk({ message, text });
