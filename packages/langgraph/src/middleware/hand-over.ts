// A tool that hands over to another agent (`Command.PARENT`) ends its agent's graph at once, and
// LangGraph drops what that graph wrote to its own fields. So the field's value, with all that was
// submitted since the agent began, is added to the command.

import { Command, isCommand, isGraphBubbleUp } from "@langchain/langgraph";
import { defined } from "@opstate/core";
import { MiddlewareError, ToolInvocationError, type ToolMessage } from "langchain";

/** What `wrapToolCall` gets of LangChain, as far as it is needed here. */
interface ToolCallRequest {
  readonly toolCall: { readonly id?: string | undefined; readonly name: string; readonly args: object };
}

/**
 * Runs a tool. `values` gives the fields to add to a command that goes to the parent; fields that
 * the command writes itself stay as they are.
 */
export async function handOver<R extends ToolCallRequest>(
  request: R,
  handler: (request: R) => Promise<ToolMessage | Command> | ToolMessage | Command,
  values: () => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>,
): Promise<ToolMessage | Command> {
  let result: ToolMessage | Command;
  try {
    result = await handler(request);
  } catch (error) {
    throw asToolError(error, request);
  }
  if (!isCommand(result) || result.graph !== Command.PARENT) return result;
  const { update, resume, goto, graph } = result;
  const added = await values();
  const all = Array.isArray(update)
    ? [...Object.entries(added).filter(([name]) => !update.some(([written]) => written === name)), ...update]
    : { ...added, ...update };
  return new Command(defined({ resume, goto, graph, update: all }));
}

/**
 * The error of a failing tool. LangChain makes a tool message of it, so that the model can try
 * something else; but in an agent with any `wrapToolCall` it ends the run. This error keeps what
 * LangChain does without one, and a middleware around this one can still catch it.
 */
function asToolError(error: unknown, { toolCall }: ToolCallRequest): unknown {
  const isOthers = ToolInvocationError.isInstance(error) || MiddlewareError.isInstance(error);
  if (isOthers || isGraphBubbleUp(error)) return error;
  const { name, args, id } = toolCall;
  const failure = new ToolInvocationError(error, { name, args: { ...args }, ...defined({ id }), type: "tool_call" });
  failure.message = `${String(error)}\n Please fix your mistakes.`;
  failure.cause = error;
  return failure;
}
