// Results of tools. The text is for the model; `structuredContent` is the same for programs. A
// refusal is an ordinary result: models repeat calls whose results are errors.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { digestText, type AgentResult, type AgentSession } from "@opstate/agent";
import { defined, type Thread } from "@opstate/core";

/** JSON Schema of what every tool on a thread gives. */
export const RESULT_SCHEMA = {
  type: "object",
  properties: {
    status: { enum: ["accepted", "refused", "proposed", "read"] },
    threadId: { type: "string" },
    version: { type: "integer", description: "The thread's version: `basedOn` of the next call" },
    changesByOthers: { type: "string", description: "What others changed since the last result; empty for nothing" },
    commit: {
      type: "object",
      description: "What was committed; its id can be undone",
      properties: { id: { type: "string" }, version: { type: "integer" } },
      required: ["id", "version"],
    },
    patches: { type: "array", items: { type: "object" }, description: "What changed, as a JSON Patch" },
    rejection: {
      type: "object",
      description: "Why it was refused, and what would be right",
      properties: { code: { type: "string" }, reason: { type: "string" }, message: { type: "string" } },
      required: ["code", "message"],
    },
    proposal: { type: "string", description: "The id of the proposal that waits for a person" },
  },
  required: ["status", "threadId", "version", "changesByOthers"],
} as const;

export function operationResult(
  thread: Thread,
  { text, version, verdict, proposal, news }: AgentResult,
): CallToolResult {
  const about = { threadId: thread.threadId, version, changesByOthers: news };
  if (proposal !== undefined) return result(text, { status: "proposed", ...about, proposal: proposal.id });
  if (verdict === undefined) return result(text, { status: "read", ...about });
  if (!verdict.accepted) return result(text, { status: "refused", ...about, rejection: verdict.rejection });
  const { commit } = verdict;
  return result(text, {
    status: "accepted",
    ...about,
    ...(commit && { commit: { id: commit.id, version: commit.version }, patches: commit.patches }),
  });
}

/** What a tool that reads found, with what others changed. */
export async function readResult(session: AgentSession, text: string, more: object = {}): Promise<CallToolResult> {
  const news = await session.news();
  const { thread } = session;
  return result(withNews(session, text, news), {
    status: "read",
    threadId: thread.threadId,
    version: thread.version,
    changesByOthers: news,
    ...more,
  });
}

/** The text, with what others changed as data behind it. */
export function withNews({ thread }: AgentSession, text: string, news: string): string {
  return news === "" ? text : `${text}\n${digestText({ name: thread.definition.name, digest: news })}`;
}

export function problemResult({ code, message }: { readonly code: string; readonly message: string }): CallToolResult {
  return { ...result(`${message} (${code})`, undefined), isError: true };
}

export function result(text: string, structuredContent: Record<string, unknown> | undefined): CallToolResult {
  return { content: [{ type: "text", text }], ...defined({ structuredContent }) };
}
