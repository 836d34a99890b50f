// One run over HTTP as a page has it: a `ChatSession` with one subscriber, and `runAgent` of the
// official client with one. The agent is in another process.

import { HttpAgent } from "@ag-ui/client";
import { type ChatMessage, ChatSession, initialChatState } from "@opstate/ag-ui";
import { fork } from "node:child_process";
import { once } from "node:events";
import type { Run } from "../harness/measure.ts";
import { makeHistory } from "./chats.ts";
import { eventsOf, type SentRun } from "./sent-runs.ts";

/** The rows of the budgets. */
export const CLIENT = {
  opstate: "**opstate** `ChatSession`",
  official: "@ag-ui/client 1.0, `runAgent`",
  bytes: "the same request and bytes, nothing folded",
} as const;

export const candidates = { [CLIENT.opstate]: opstate, [CLIENT.official]: official, [CLIENT.bytes]: bytes };

async function opstate(args: SentRun): Promise<Run> {
  const url = await serve(args);
  const history = historyOf(args).map((message) => ({ ...message, status: "complete" }) as ChatMessage);
  const initial = initialChatState({ messages: history });
  const expected = history.length + 1 + eventsOf(args).added;
  return async (count) => {
    for (let i = 0; i < count; i++) {
      const session = new ChatSession({ url, initial });
      let seen = 0;
      const stop = session.subscribe(({ messages }) => (seen = messages.length));
      const { phase, warnings } = await session.send("Go");
      stop();
      if (phase !== "idle" || warnings.length > 0 || seen !== expected) throw new Error("an event was not folded");
    }
  };
}

async function official(args: SentRun): Promise<Run> {
  const url = await serve(args);
  const history = historyOf(args);
  const expected = history.length + 1 + eventsOf(args).added;
  return async (count) => {
    for (let i = 0; i < count; i++) {
      const agent = new HttpAgent({ url, threadId: "thread", initialMessages: history });
      let seen = 0;
      agent.subscribe({ onMessagesChanged: ({ messages }) => void (seen = messages.length) });
      agent.addMessage({ id: "question", role: "user", content: "Go" });
      await agent.runAgent();
      if (seen !== expected) throw new Error("an event was not folded");
    }
  };
}

/** What no client can save: the conversation as JSON, and each event parsed. */
async function bytes(args: SentRun): Promise<Run> {
  const url = await serve(args);
  const messages = [...historyOf(args), { id: "question", role: "user", content: "Go" }];
  const expected = eventsOf(args).events.length;
  return async (count) => {
    for (let i = 0; i < count; i++) {
      const body = JSON.stringify({ threadId: "thread", runId: "run", messages, tools: [], context: [] });
      const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      const events = (await response.text()).split("\n\n").slice(0, -1);
      for (const event of events) JSON.parse(event.slice("data: ".length));
      if (events.length !== expected) throw new Error("an event was not read");
    }
  };
}

function historyOf({ sent, messages }: SentRun) {
  return sent === "text" ? makeHistory(messages) : [];
}

/** The address of an agent that lives as long as this process. */
async function serve(args: SentRun): Promise<string> {
  const child = fork(new URL("run-server.ts", import.meta.url), [JSON.stringify(args)]);
  const [url] = (await once(child, "message")) as [string];
  return url;
}
