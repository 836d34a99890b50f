// An agent of the server itself, without any framework, and the official AG-UI client before it.
// The client has the conversation: its messages, its questions, and what Ada answers.

import { HttpAgent } from "@ag-ui/client";
import { callText, HostCalls, HostContext } from "@opstate/agent";
import type { Actor } from "@opstate/core";
import type { Agent } from "@opstate/server";
import { ADA } from "../../../../packages/agent/test/support/server.ts";
import { board } from "../board.ts";
import { processEnded, type Call, type Script } from "../script.ts";
import type { Host } from "./host.ts";

export const agUi: Host = {
  name: "AG-UI",
  asks: true,
  hasKeys: true,
  agents: (script, agent) => ({ planner: { definition: board.name, run: agentOf(script, agent) } }),
  async play(script, { url, threadId }) {
    const client = new HttpAgent({ url: `${url}/ag-ui/planner`, threadId, headers: ADA });
    let questions: readonly string[] = [];
    for (let run = 1; !script.isOver || questions.length > 0;) {
      const resume = [];
      for (const interruptId of questions) {
        const { yes: approved, message: reason } = await script.answer();
        const payload = { approved, ...(reason !== undefined && { reason }) };
        resume.push({ interruptId, status: "resolved" as const, payload });
      }
      questions = [];
      let hasFailed = false;
      await client.runAgent(
        { runId: `run-${run}`, ...(resume.length > 0 && { resume }) },
        {
          onRunFinishedEvent({ event: { outcome } }) {
            if (outcome?.type === "interrupt") questions = outcome.interrupts.map(({ id }) => id);
          },
          onRunErrorEvent() {
            hasFailed = true;
          },
        },
      );
      for (const message of client.messages)
        if (message.role === "tool" && typeof message.content === "string")
          script.heard(message.toolCallId, message.content);
      // A run that failed is sent again.
      if (!hasFailed) run++;
    }
  },
};

interface Waiting {
  readonly call: Call;
  readonly message: string;
  readonly proposal: string;
}

/** The agent. What waits for an answer is in its memory. */
function agentOf(script: Script, actor: Actor): Agent {
  let waiting: readonly Waiting[] = [];
  let attempt = 1;
  return async function* ({ input: { runId }, thread, decisions }) {
    const calls = new HostCalls({ thread, actor, conversation: "s", runId });
    const context = new HostContext(calls.session);
    for (const { call, message, proposal } of waiting) {
      const { id, name, input } = call;
      const { text } = await calls.run(name, input, { callId: id, message });
      // An answer that the thread refused leaves the proposal open.
      const decision = decisions.find(({ interruptId }) => interruptId === proposal);
      const isRefused = decision?.verdict.accepted === false;
      yield resultOf(id, isRefused ? callText(board.name, { verdict: decision.verdict }, 0) : text);
    }
    waiting = [];
    for (let message = 1; waiting.length === 0; message++) {
      await context.words({ results: [], characters: 0 });
      let said: readonly Call[] | string;
      try {
        said = await script.next();
      } catch (error) {
        processEnded(error);
        attempt++;
        yield { type: "RUN_ERROR", message: "The process ends." };
        return;
      }
      if (typeof said === "string") return;
      for (const call of said) {
        const { id, name, input } = call;
        yield { type: "TOOL_CALL_CHUNK", toolCallId: id, toolCallName: name, delta: JSON.stringify(input) };
        const result = await calls.run(name, input, { callId: id, message: String(message), attempt });
        if (result.proposal === undefined) yield resultOf(id, result.text);
        else waiting = [...waiting, { call, message: String(message), proposal: result.proposal.id }];
      }
    }
    // The server puts the question, and starts the agent again with the answer.
  };
}

function resultOf(toolCallId: string, content: string) {
  return { type: "TOOL_CALL_RESULT" as const, messageId: `result-${toolCallId}`, toolCallId, content };
}
