// The offline model: a chat model with tools, streaming and usage, made of rules. It has no memory
// between calls and uses no network.

import { setTimeout } from "node:timers/promises";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { randomId } from "@opstate/core/thread";
import { callId, readConversation } from "./conversation.ts";
import { decide } from "./decide.ts";
import { chunksOf, words } from "./stream.ts";

export interface OfflineModelFields {
  /** Pause before each chunk, in milliseconds. Default 15. */
  readonly delayMs?: number;
}

interface CallOptions extends BaseChatModelCallOptions {
  readonly tools?: readonly BindToolsInput[];
}

export class OfflineModel extends BaseChatModel<CallOptions> {
  readonly delayMs: number;

  constructor({ delayMs = 15 }: OfflineModelFields = {}) {
    super({});
    this.delayMs = delayMs;
  }

  override _llmType(): string {
    return "opstate-offline";
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<CallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, CallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text, calls, ...attempt } = decide(readConversation(messages), toolNames(options.tools));
    const identified = calls.map((call) => ({ ...call, id: callId(attempt, randomId().slice(0, 8)) }));
    const inputTokens = messages.reduce((sum, message) => sum + words(message.text).length, 0);
    for (const chunk of chunksOf(text, identified, inputTokens)) {
      options.signal?.throwIfAborted();
      if (this.delayMs > 0) await setTimeout(this.delayMs, undefined, options.signal ? { signal: options.signal } : {});
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options, runManager))
      whole = whole ? whole.concat(chunk) : chunk;
    return { generations: whole ? [whole] : [] };
  }
}

function toolNames(tools: readonly BindToolsInput[] = []): readonly string[] {
  return tools.flatMap((tool) => {
    if ("name" in tool && typeof tool.name === "string") return tool.name;
    const named: unknown = "function" in tool ? tool.function : undefined;
    return typeof named === "object" && named !== null && "name" in named && typeof named.name === "string"
      ? named.name
      : [];
  });
}
