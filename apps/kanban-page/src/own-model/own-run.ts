// A run of the agent in this page, on a model of the person's own: the same instructions and tools
// as the server's agent, over a connection of the client to the board. It gives the events of an
// AG-UI agent.
//
//   model (the provider) <── messages, key ── this run ── calls, the agent's token ──> thread
//
// Invariant: what goes to the server has no key, and what goes to the provider no token.

import { AgentSession, HostContext } from "@opstate/agent";
import type { AgentTransport } from "@opstate/ag-ui";
import { remoteThread } from "@opstate/client/remote";
import { AGENT_PROMPT, board } from "@opstate/kanban-domain";
import { textOf } from "../chat/transcript.ts";
import { agentHeadersFor } from "../visit.ts";
import { boardTools, OFFER_REPLIES } from "./board-tools.ts";
import { complete, type ModelMessage } from "./chat-completion.ts";
import type { OwnModel } from "./own-model.ts";

type RunInput = Parameters<AgentTransport>[0];

export interface OwnRunOptions {
  readonly model: OwnModel;
  /** The thread that it works on, and whether every change is proposed. */
  readonly threadId: string;
  readonly askFirst: boolean;
  readonly signal: AbortSignal;
  /** The page's connection to its server. */
  readonly fetch: typeof globalThis.fetch;
  /** The page's own board: the token is for it and its branches. */
  readonly boardId: string;
}

/** Of the agent's token. */
const ACTOR = { kind: "agent", id: "mcp" } as const;
const MAX_STEPS = 12;

export async function* ownRun(
  { messages: given, runId, threadId: conversation }: RunInput,
  options: OwnRunOptions,
): AsyncGenerator<object, void> {
  const { model, threadId, askFirst, signal, fetch, boardId } = options;
  yield { type: "RUN_STARTED", threadId: conversation, runId };
  const headers = agentHeadersFor(boardId);
  const thread = await remoteThread({ definition: board, url: location.origin, threadId, headers, fetch });
  try {
    const session = new AgentSession({ thread, actor: ACTOR, runId });
    const context = new HostContext(session);
    const { tools, step } = boardTools({ session, thread, actor: ACTOR, runId, askFirst });
    const messages = [...modelMessages(given)];
    for (let steps = 0; steps < MAX_STEPS && session.ended === undefined; steps += 1) {
      const { instructions, start, end } = await context.words({
        results: messages.flatMap((message) => (message.role === "tool" ? [message.content] : [])),
        characters: messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0),
      });
      const shown = [
        ...textMessage("system", [AGENT_PROMPT, instructions].filter(Boolean).join("\n\n")),
        ...textMessage("user", start),
        ...messages,
        ...textMessage("user", end),
      ];
      const { text, calls } = await complete(model, shown, tools, signal);
      const messageId = `${runId}-${steps}`;
      yield* textEvents(messageId, text);
      if (calls.length === 0) break;
      messages.push({ role: "assistant", content: text || null, tool_calls: calls });
      for (const { id, function: called } of calls) {
        yield { type: "TOOL_CALL_START", toolCallId: id, toolCallName: called.name, parentMessageId: messageId };
        yield { type: "TOOL_CALL_ARGS", toolCallId: id, delta: called.arguments || "{}" };
        yield { type: "TOOL_CALL_END", toolCallId: id };
      }
      for await (const { call, text: content } of step(calls)) {
        signal.throwIfAborted();
        messages.push({ role: "tool", tool_call_id: call.id, content });
        yield { type: "TOOL_CALL_RESULT", messageId: `${messageId}-${call.id}`, toolCallId: call.id, content };
      }
      if (calls.some((call) => call.function.name === OFFER_REPLIES)) break;
    }
    if (session.ended !== undefined) yield* textEvents(`${runId}-end`, session.ended);
    yield { type: "RUN_FINISHED", threadId: conversation, runId };
  } finally {
    await thread.close();
  }
}

function* textEvents(messageId: string, text: string): Generator<object> {
  if (text === "") return;
  yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
  yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta: text };
  yield { type: "TEXT_MESSAGE_END", messageId };
}

const textMessage = (role: "system" | "user", content: string): readonly ModelMessage[] =>
  content === "" ? [] : [{ role, content }];

/** The conversation so far. Calls that have no result are left out, as providers require. */
function modelMessages(messages: RunInput["messages"]): readonly ModelMessage[] {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  return messages.flatMap((message): readonly ModelMessage[] => {
    if (message.role === "user") return textMessage("user", textOf(message.content));
    if (message.role === "tool")
      return [{ role: "tool", tool_call_id: message.toolCallId, content: textOf(message.content) }];
    if (message.role !== "assistant") return [];
    const calls = (message.toolCalls ?? []).filter(({ id }) => answered.has(id));
    const content = message.content || null;
    if (calls.length === 0) return content === null ? [] : [{ role: "assistant", content }];
    return [
      {
        role: "assistant",
        content,
        tool_calls: calls.map(({ id, function: called }) => ({ id, type: "function", function: called })),
      },
    ];
  });
}
