// The demo's server over HTTP, on SQLite; each test has a thread of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpAgent, type Message } from "@ag-ui/client";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { openThread, type Proposal, type Snapshot } from "@opstate/core";
import { type Board, board, sampleBoard } from "@opstate/kanban-domain";
import { listen } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { createApp } from "../../src/app.ts";
import { chooseModel } from "../../src/model.ts";
import { short } from "./board-run.ts";

/** A person's conversation with the agent about one thread. */
export interface Chat {
  readonly threadId: string;
  /** What the agent answers in the end. */
  ask(request: string, forwardedProps?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The replies that the agent offered with its last answer. */
  replies(): readonly string[];
  /** Of the same thread, in another conversation. */
  other(user: string): Chat;
  /** Submits as a person. */
  edit(operation: object, user?: string): Promise<void>;
  /** The board as it is now: "backlog: T-42 T-1" for each column. */
  cards(): Promise<readonly string[]>;
  board(): Promise<Board | null>;
  proposals(): Promise<readonly Proposal[]>;
  /** Accepts all that is proposed, oldest first. */
  accept(user: string): Promise<void>;
}

export interface DemoServer {
  chat(state?: Board | null): Promise<Chat>;
  close(): Promise<void>;
}

/** With the offline model, or another one. */
export async function demoServer(model?: BaseChatModel): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), "kanban-requests-"));
  const log = sqliteLog({ path: join(folder, "demo.sqlite") });
  const offline = await chooseModel({ OPSTATE_OFFLINE_DELAY: "0" });
  const chosen = model === undefined ? offline : { model, name: "scripted", offline: false };
  const app = await createApp({ log, model: chosen, site: folder });
  const { url, close } = await listen(app.fetch);
  let threads = 0;

  async function call(path: string, user: string, body?: object): Promise<unknown> {
    const response = await fetch(url + path, {
      headers: { "content-type": "application/json", "x-opstate-user": user },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  function chatOf(threadId: string, user: string, conversationId: string): Chat {
    let messages: Message[] = [];
    const at = `/threads/${threadId}`;
    const snapshot = async () => (await call(at, "reader")) as Snapshot<Board | null>;
    const proposals = async () => (await call(`${at}/proposals`, "reader")) as readonly Proposal[];
    return {
      threadId,
      async ask(request, forwardedProps) {
        const agent = new HttpAgent({
          url: `${url}/ag-ui/kanban`,
          threadId,
          headers: { "x-opstate-user": user },
          initialMessages: messages,
        });
        agent.addMessage({ id: crypto.randomUUID(), role: "user", content: request });
        await agent.runAgent({ forwardedProps: { conversationId, ...forwardedProps } });
        ({ messages } = agent);
        const { content } = messages.findLast(({ role }) => role === "assistant") ?? {};
        return typeof content === "string" ? content : "";
      },
      replies() {
        const last = messages.findLast(({ role }) => role === "assistant");
        const calls = last?.role === "assistant" ? (last.toolCalls ?? []) : [];
        const offer = calls.find((call) => call.function.name === "offerReplies")?.function.arguments;
        return offer === undefined ? [] : (JSON.parse(offer) as { replies: string[] }).replies;
      },
      other: (name) => chatOf(threadId, name, crypto.randomUUID()),
      edit: async (operation, by = user) => void (await call(`${at}/operations`, by, operation)),
      cards: async () => short((await snapshot()).state),
      board: async () => (await snapshot()).state,
      proposals,
      async accept(by) {
        for (const { id, version } of await proposals())
          await call(`${at}/proposals/${encodeURIComponent(id)}/approve`, by, { proposedAt: version });
      },
    };
  }

  return {
    async chat(state = sampleBoard) {
      const threadId = `requests-${(threads += 1)}`;
      const thread = await openThread({ definition: board, log, threadId });
      if (state !== null)
        await thread.dispatch({ type: "$replace", value: state }, { actor: { kind: "system", id: "test" } });
      await thread.close();
      return chatOf(threadId, "ada", crypto.randomUUID());
    },
    async close() {
      const closed = close();
      await app.close();
      await closed;
      await log.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
