// The offline model: a chat model with streaming and usage, made of rules. It has no memory between
// calls and uses no network.

import { setTimeout } from "node:timers/promises";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import { argue } from "./argue.ts";
import { readBrief } from "./brief.ts";
import { labelClaims } from "./claims.ts";
import { moderate } from "./moderate.ts";
import { chunksOf, words } from "./stream.ts";

export interface OfflineModelFields {
  /** Pause before each chunk, in milliseconds. Default 25. */
  readonly delayMs?: number;
}

export class OfflineModel extends BaseChatModel {
  readonly delayMs: number;

  constructor({ delayMs = 25 }: OfflineModelFields = {}) {
    super({});
    this.delayMs = delayMs;
  }

  override _llmType(): string {
    return "opstate-debate-offline";
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const inputTokens = messages.reduce((sum, message) => sum + words(message.text).length, 0);
    for (const chunk of chunksOf(answer(messages), inputTokens)) {
      options.signal?.throwIfAborted();
      if (this.delayMs > 0) await setTimeout(this.delayMs, undefined, options.signal ? { signal: options.signal } : {});
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const inputTokens = messages.reduce((sum, message) => sum + words(message.text).length, 0);
    const [first, ...more] = chunksOf(answer(messages), inputTokens);
    return { generations: first ? [more.reduce((whole, chunk) => whole.concat(chunk), first)] : [] };
  }
}

function answer(messages: readonly BaseMessage[]): string {
  const brief = readBrief(messages);
  if (brief.role === "fact checker") return JSON.stringify(labelClaims(brief.asked));
  return brief.role === "moderator" ? moderate(brief) : argue(brief, brief.role);
}
