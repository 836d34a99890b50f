// A process of its own, with an agent that works on a thread of a server: each message is the
// model's turns, and the answer is what the model read.

import { remoteThread } from "@opstate/client/remote";
import { AIMessage, createAgent, fakeModel, ToolMessage } from "langchain";
import { operationTools, opstateMiddleware } from "../../src/index.ts";
import { board } from "./board.ts";

type Turns = readonly (readonly { readonly name: string; readonly args: Record<string, unknown> }[])[];

const [url = "", threadId = ""] = process.argv.slice(2);
const thread = await remoteThread({
  definition: board,
  url,
  threadId,
  headers: { authorization: "agent planner read,write" },
});

async function run(turns: Turns): Promise<void> {
  const model = fakeModel();
  for (const calls of turns) model.respondWithTools(calls.map(({ name, args }) => ({ name, args })));
  model.respond(new AIMessage("Done"));
  const agent = createAgent({
    model,
    tools: operationTools(board, { thread }),
    middleware: [opstateMiddleware(board, { thread, field: "board" })],
  });
  const result = await agent.invoke({ messages: "Work" });
  const told = result.messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
  const shown = model.calls.map(({ messages }) => messages.map(({ text }) => text).join("\n"));
  process.send?.({ told, shown, field: result.board.version, at: thread.version });
}

process.on("message", (turns: Turns | "end") => {
  if (turns !== "end") return void run(turns);
  void thread.close().then(() => process.disconnect?.());
});
process.send?.("ready");
