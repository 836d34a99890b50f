// The tools of the SDK for a session's calls.

import { needsApproval, type HostCall, type HostCalls } from "@opstate/agent";
import { randomId } from "@opstate/core/thread";
import { tool, type FunctionTool, type RunContext } from "@openai/agents";

export function threadTools(calls: HostCalls): FunctionTool[] {
  const { thread, actor } = calls.session;
  return calls.tools.map(({ name, description, inputSchema, operation }) =>
    tool({
      name,
      description,
      // Arguments of any shape reach the thread, which refuses them with words.
      strict: false,
      parameters: { additionalProperties: true, required: [], properties: {}, ...inputSchema, type: "object" },
      execute: async (input, context, details) => {
        const call = callOf(context, details?.toolCall?.callId);
        return (await calls.run(name, input, { ...call, signal: details?.signal })).text;
      },
      needsApproval:
        operation !== undefined &&
        needsApproval(thread.definition, operation, { actor, thread }) &&
        (async (context, input, callId) => (await calls.ask(name, input, callOf(context, callId))) !== undefined),
    }),
  );
}

/** The count of a run's requests is in its state, with which another process may go on. */
function callOf(context: RunContext | undefined, callId = randomId()): HostCall {
  return { callId, message: String(context?.usage.requests ?? 0) };
}
