// A process of its own, with a graph that sends its work to agents at once. Each agent has its own
// connection to the thread of a server.

import { remoteThread } from "@opstate/client/remote";
import { Send, START, StateGraph } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import { operationTools, opstateMiddleware } from "../../src/index.ts";
import { board } from "./board.ts";
import { call, say, type Call } from "./talk.ts";
import { Team, toldCalls } from "./teams.ts";

const [url = "", threadId = "", name = ""] = process.argv.slice(2);

/** The agents' calls, all of one agent in one message. */
export type Work = readonly (readonly Call[])[];

async function run(work: Work): Promise<void> {
  const threads = await Promise.all(
    work.map((_, at) =>
      remoteThread({
        definition: board,
        url,
        threadId,
        headers: { authorization: `agent ${name}-${at} read,write` },
      }),
    ),
  );
  const graph = new StateGraph(Team)
    .addNode("worker", async ({ messages, index }: typeof Team.State & { readonly index: number }) => {
      const thread = threads[index]!;
      const { graph: agent } = createAgent({
        model: fakeModel()
          .respond(call(...work[index]!.map(([type, args], at): Call => [type, args, `${name}-${index}-${at}`])))
          .respond(say("done")),
        tools: operationTools(board, { thread }),
        middleware: [opstateMiddleware(board, { thread, field: "board" })],
      });
      return (await agent.invoke({ messages })) as never;
    })
    .addConditionalEdges(START, (state) => work.map((_, index) => new Send("worker", { ...state, index })), ["worker"])
    .compile();
  const { messages, board: field } = await graph.invoke({ messages: "Work" });
  process.send?.({ told: toldCalls(messages), version: field.version });
  await Promise.all(threads.map((thread) => thread.close()));
}

process.on("message", (work: Work | "end") => {
  if (work === "end") process.disconnect?.();
  else void run(work);
});
process.send?.("ready");
