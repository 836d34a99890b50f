// The tools of the SDK for a session's calls. A result is an object for programs and pages; the
// model reads its text.

import { needsApproval, type AgentResult, type HostCalls } from "@opstate/agent";
import { jsonSchema, tool, type Tool } from "ai";
import { freshCall } from "./calls-in-messages.ts";

/** By name: the operations that the actor may use, and two tools that read. */
export type ThreadTools = Record<string, Tool<unknown, AgentResult>>;

export function threadTools(calls: HostCalls): ThreadTools {
  const { thread, actor } = calls.session;
  return Object.fromEntries(
    calls.tools.map(({ name, description, inputSchema, operation }) => [
      name,
      tool<unknown, AgentResult, Record<string, never>>({
        description,
        // Arguments of any shape reach the thread, which refuses them with words.
        inputSchema: jsonSchema(inputSchema),
        execute: (input, { toolCallId, messages, abortSignal }) =>
          calls.run(name, input, { ...freshCall(messages, toolCallId), signal: abortSignal }),
        toModelOutput: ({ output }) => ({ type: "text", value: output.text }),
        ...(operation !== undefined &&
          needsApproval(thread.definition, operation, { actor, thread }) && {
            needsApproval: async (input: unknown, { toolCallId, messages }) => {
              const { isInMessages, ...call } = freshCall(messages, toolCallId);
              // The SDK calls this again for an answered call: no new proposal is made for that.
              return isInMessages || (await calls.ask(name, input, call)) !== undefined;
            },
          }),
      }),
    ]),
  );
}
