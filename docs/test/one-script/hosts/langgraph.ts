// An agent of LangChain on LangGraph, in the process where the thread is decided.

import { Command, MemorySaver, type Interrupt } from "@langchain/langgraph";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  ToolMessage,
  type BaseMessage,
} from "langchain";
import { ada, board } from "../board.ts";
import { processEnded, type Script } from "../script.ts";
import type { Host, Place } from "./host.ts";

export const langGraph: Host = {
  name: "LangGraph",
  asks: true,
  hasKeys: true,
  async play(script, place) {
    let history: BaseMessage[] = [new HumanMessage("Work")];
    let agent = agentOf(script, place);
    let resumed: Command | undefined;
    let run = 1;
    for (let process = 1; !script.isOver || resumed !== undefined;) {
      // A run that is begun again has the id that it had.
      const config = { configurable: { thread_id: `t-${process}`, opstate: { runId: `run-${run}` } } };
      try {
        const result = await agent.invoke(resumed ?? { messages: history }, config);
        const open = "__interrupt__" in result ? (result.__interrupt__ as readonly Interrupt[]) : [];
        resumed = undefined;
        if (open.length > 0) {
          const resume: Record<string, unknown> = {};
          for (const { id } of open) {
            const { yes, message } = await script.answer();
            resume[String(id)] = yes ? { type: "accept" } : { type: "decline", message };
          }
          resumed = new Command({ resume });
          continue;
        }
        history = [...result.messages, new HumanMessage("Go on")];
        run++;
      } catch (error) {
        processEnded(error);
      }
      process++;
      agent = agentOf(script, place);
    }
  },
};

function agentOf(script: Script, { thread, agent }: Place) {
  const model = createMiddleware({
    name: "script",
    // The innermost one: it answers in the model's place.
    async wrapModelCall({ messages }) {
      for (const message of messages)
        if (ToolMessage.isInstance(message)) script.heard(message.tool_call_id, message.text);
      const id = `m-${messages.filter((message) => AIMessage.isInstance(message)).length}`;
      const said = await script.next();
      if (typeof said === "string") return new AIMessage({ id, content: said });
      const calls = said.map((call) => ({
        id: call.id,
        name: call.name,
        args: { ...call.input },
        type: "tool_call" as const,
      }));
      return new AIMessage({ id, content: "", tool_calls: calls });
    },
  });
  return createAgent({
    model: fakeModel(),
    tools: operationTools(board, { thread, actor: agent, approver: ada }),
    middleware: [opstateMiddleware(board, { thread, actor: agent }), model],
    checkpointer: new MemorySaver(),
  });
}
