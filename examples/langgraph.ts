// An agent of LangChain on LangGraph.

import { remoteThread } from "@opstate/client/remote";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, HumanMessage, ToolMessage } from "langchain";
import { actor, board, headers, url } from "./board.ts";
import { langChainModel } from "./models.ts";

const thread = await remoteThread({ definition: board, url, threadId: "demo", headers });
const agent = createAgent({
  model: langChainModel("From LangGraph"), // or new ChatOpenAI({ model: "gpt-5" }), ...
  tools: operationTools(board, { thread, actor }),
  middleware: [opstateMiddleware(board, { thread, actor })],
});
const { messages } = await agent.invoke({ messages: [new HumanMessage("Add a card")] });

for (const message of messages) if (ToolMessage.isInstance(message)) console.log(message.text);
console.log(thread.getState());
await thread.close();
