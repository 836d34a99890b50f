// The AI SDK with its own mock model, on a thread over HTTP.

import { threadAgent } from "@opstate/ai-sdk";
import { generateText, type ModelMessage, type ToolApprovalResponse } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { ADA } from "../../../../packages/agent/test/support/server.ts";
import { processEnded, type Script } from "../script.ts";
import { connect, type Host } from "./host.ts";

export const aiSdk: Host = {
  name: "AI SDK",
  asks: true,
  hasKeys: true,
  async play(script, place) {
    const messages: ModelMessage[] = [{ role: "user", content: "Work" }];
    for (let run = 1; !script.isOver;) {
      const agent = await threadAgent({
        thread: await connect(place),
        actor: place.agent,
        conversation: "s",
        runId: `run-${run}`,
        approver: { headers: ADA },
      });
      try {
        const { responseMessages, content } = await generateText({
          model: modelOf(script),
          messages,
          maxRetries: 0,
          ...agent,
        });
        messages.push(...responseMessages);
        const answers: ToolApprovalResponse[] = [];
        for (const part of content) {
          if (part.type !== "tool-approval-request") continue;
          const { yes, message } = await script.answer();
          const reason = message === undefined ? {} : { reason: message };
          answers.push({ type: "tool-approval-response", approvalId: part.approvalId, approved: yes, ...reason });
        }
        if (answers.length > 0) {
          messages.push({ role: "tool", content: answers });
          if (script.isOver) await generateText({ model: modelOf(script), messages, ...agent });
          continue;
        }
        messages.push({ role: "user", content: "Go on" });
        run++;
      } catch (error) {
        processEnded(error);
      }
    }
  },
};

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function modelOf(script: Script): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      for (const { role, content } of prompt) {
        if (role !== "tool") continue;
        for (const part of content)
          if (part.type === "tool-result")
            script.heard(part.toolCallId, part.output.type === "text" ? part.output.value : part.output.type);
      }
      const said = await script.next();
      if (typeof said === "string")
        return {
          content: [{ type: "text", text: said }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        };
      return {
        content: said.map(({ id, name, input }) => ({
          type: "tool-call",
          toolCallId: id,
          toolName: name,
          input: JSON.stringify(input),
        })),
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}
