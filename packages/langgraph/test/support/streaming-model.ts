// A chat model that streams: each turn is a list of chunks. An Error among them is thrown there.

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

export type Chunk = Error | ConstructorParameters<typeof AIMessageChunk>[0];

export class StreamingModel extends BaseChatModel {
  readonly calls: (readonly BaseMessage[])[] = [];
  readonly #turns: (readonly Chunk[])[];

  constructor(turns: readonly (readonly Chunk[])[]) {
    super({});
    this.#turns = [...turns];
  }

  _llmType(): string {
    return "streaming-test";
  }

  override bindTools(): this {
    return this;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this["ParsedCallOptions"],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    this.calls.push(messages);
    for (const chunk of this.#turns.shift() ?? []) {
      if (chunk instanceof Error) throw chunk;
      const message = new AIMessageChunk(chunk);
      const generation = new ChatGenerationChunk({ message, text: message.text });
      yield generation;
      await run?.handleLLMNewToken(generation.text, undefined, undefined, undefined, undefined, { chunk: generation });
    }
  }

  _generate(): Promise<ChatResult> {
    throw new Error("This model streams");
  }
}

/** A piece of a tool call. */
export function piece(index: number, args: string, start?: { readonly id: string; readonly name: string }): Chunk {
  return { content: "", tool_call_chunks: [{ type: "tool_call_chunk", index, args, ...start }] };
}
