// An agent of the OpenAI Agents SDK.

import { Agent, run, setTracingDisabled } from "@openai/agents";
import { remoteThread } from "@opstate/client/remote";
import { threadAgent } from "@opstate/openai-agents";
import { actor, board, headers, url } from "./board.ts";
import { openAiModel } from "./models.ts";

setTracingDisabled(true);
const thread = await remoteThread({ definition: board, url, threadId: "demo", headers });
const { tools, toolUseBehavior, callModelInputFilter } = await threadAgent({ thread, actor });
const agent = new Agent({
  name: "Planner",
  model: openAiModel("From OpenAI Agents"), // or "gpt-5"
  tools,
  toolUseBehavior,
});
const { history } = await run(agent, "Add a card", { callModelInputFilter });

for (const item of history) if (item.type === "function_call_result") console.log(item.output);
console.log(thread.getState());
await thread.close();
