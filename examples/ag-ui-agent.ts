// An agent of the server without a framework: the session's tools, and AG-UI events.

import { AgentSession } from "@opstate/agent";
import type { Agent } from "@opstate/server";
import { actor } from "./board.ts";

export const planner: Agent = async function* ({ input: { runId }, thread }) {
  const session = new AgentSession({ thread, actor, runId });
  // Here your model is given `session.tools`, and answers with a call.
  const call = { callId: "call-1", name: "add", input: { title: "From AG-UI" } };
  yield {
    type: "TOOL_CALL_CHUNK",
    toolCallId: call.callId,
    toolCallName: call.name,
    delta: JSON.stringify(call.input),
  };
  const { text } = await session.execute(call.name, call.input, { callId: call.callId });
  yield { type: "TOOL_CALL_RESULT", messageId: "result-1", toolCallId: call.callId, content: text };
};
