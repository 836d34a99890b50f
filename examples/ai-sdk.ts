// An agent of the AI SDK.

import { threadAgent } from "@opstate/ai-sdk";
import { remoteThread } from "@opstate/client/remote";
import { generateText } from "ai";
import { actor, board, headers, url } from "./board.ts";
import { aiSdkModel } from "./models.ts";

const thread = await remoteThread({ definition: board, url, threadId: "demo", headers });
const agent = await threadAgent({ thread, actor });
const { steps } = await generateText({
  model: aiSdkModel("From the AI SDK"), // or openai("gpt-5"), ...
  prompt: "Add a card",
  ...agent,
});

// A dynamic tool is one that the SDK was not given: its output has no type.
for (const { toolResults } of steps)
  for (const result of toolResults) if (result.dynamic !== true) console.log(result.output.text);
console.log(thread.getState());
await thread.close();
