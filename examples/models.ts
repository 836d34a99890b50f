// Models without a provider: each adds one card, then stops. In your program a real one is there.

import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { MockLanguageModelV4 } from "ai/test";
import { AIMessage, fakeModel } from "langchain";

export function langChainModel(title: string) {
  const call = { id: "call-1", name: "add", args: { title }, type: "tool_call" as const };
  return fakeModel()
    .respond(new AIMessage({ id: "m1", content: "", tool_calls: [call] }))
    .respond(new AIMessage({ id: "m2", content: "Done." }));
}

export function openAiModel(title: string) {
  return new ScriptedModel([[functionCall("add", { title }, { callId: "call-1" })], [assistantMessage("Done.")]]);
}

export function aiSdkModel(title: string) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const ends = (unified: "stop" | "tool-calls") => ({ finishReason: { unified, raw: undefined }, usage, warnings: [] });
  const call = { type: "tool-call" as const, toolCallId: "call-1", toolName: "add", input: JSON.stringify({ title }) };
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [call], ...ends("tool-calls") },
      { content: [{ type: "text", text: "Done." }], ...ends("stop") },
    ],
  });
}
