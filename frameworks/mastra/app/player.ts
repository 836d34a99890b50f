// Plays a script with Mastra: its model asks the test what to say, which is the parent process.

import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { remoteThread } from "@opstate/client/remote";
import { threadAgent } from "./thread-agent.ts";
import { board } from "./board.ts";

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

const headersOf = (authorization: string) => ({ authorization });

/** One question to the test at a time, and its answer. */
let answered: (value: unknown) => void = () => {};
process.on("message", (value: { readonly run?: Run; readonly answer?: unknown }) => {
  if (value.run === undefined) answered(value.answer);
  else void play(value.run);
});
function ask<Answer>(question: object): Promise<Answer> {
  return new Promise((resolve) => {
    answered = resolve as typeof answered;
    process.send?.(question);
  });
}

interface Run {
  readonly url: string;
  readonly threadId: string;
  /** The credentials of the agent, and of the person who answers. */
  readonly token: string;
  readonly approver: string;
  readonly runId: string;
  readonly history: never[];
}

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

const model = {
  specificationVersion: "v2" as const,
  provider: "script",
  modelId: "script",
  supportedUrls: {},
  async doGenerate({ prompt }: { readonly prompt: readonly { readonly role: string; readonly content: unknown }[] }) {
    const heard = prompt.flatMap(({ role, content }) =>
      role === "tool"
        ? (content as { toolCallId: string; output: { value: unknown } }[]).map(({ toolCallId, output }) => [
            toolCallId,
            String(output.value),
          ])
        : [],
    );
    const said = await ask<string | readonly Call[]>({
      next: { heard, shown: JSON.stringify(prompt.filter(({ role }) => role === "system")) },
    });
    const content =
      typeof said === "string"
        ? [{ type: "text", text: said }]
        : said.map(({ id, name, input }) => ({
            type: "tool-call",
            toolCallId: id,
            toolName: name,
            input: JSON.stringify(input),
          }));
    return { content, finishReason: typeof said === "string" ? "stop" : "tool-calls", usage, warnings: [] };
  },
};

const storage = new InMemoryStore();

async function play({ url, threadId, token, approver, runId, history }: Run): Promise<void> {
  const thread = await remoteThread({ url, definition: board, threadId, headers: headersOf(token) });
  const { tools, options } = await threadAgent({
    thread,
    actor: { kind: "agent", id: "planner" },
    conversation: "s",
    runId,
    approver: { headers: headersOf(approver) },
  });
  const planner = new Agent({ id: "planner", name: "Planner", instructions: "Work", model: model as never, tools });
  const agent = new Mastra({ agents: { planner }, storage, logger: false }).getAgent("planner");
  let result = await agent.generate(history, { ...options, maxSteps: 20 } as never);
  while (result.finishReason === "suspended") {
    const { toolCallId } = result.suspendPayload as { readonly toolCallId: string };
    const answer = await ask<object>({ answer: { toolCallId } });
    result = await agent.resumeGenerate(answer, { ...options, toolCallId } as never);
  }
  await thread.close();
  process.send?.({ over: result.response.messages });
}

process.send?.({ ready: true });
