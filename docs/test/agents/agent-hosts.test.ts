// "The AI SDK beside your page" and "OpenAI Agents on your thread": their code runs as printed,
// against a real server. "Which agent framework?" names what there is.

import { readdirSync, readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { memoryLog } from "@opstate/core";
import { createServer, type Access } from "@opstate/server";
import { readUIMessageStream, simulateReadableStream, type ChatTransport, type UIMessage } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const folders = { "ai-sdk": writeGuide("ai-sdk"), "openai-agents": writeGuide("openai-agents") };

describe.each(Object.keys(folders))("the guide %s", (name) => {
  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));
});

const may =
  (...rights: readonly string[]) =>
  (_: string, right: string) =>
    rights.includes(right);
const tokens = new Map<string, Access>([
  ["Bearer ada", { actor: { kind: "user", id: "ada" }, allows: may("read", "write", "approve", "undo") }],
  ["Bearer planner", { actor: { kind: "agent", id: "planner" }, allows: may("read", "write") }],
]);

async function serve(folder: string) {
  const { board } = await import(join(folder, "board.ts"));
  const server = createServer({
    definitions: [board],
    log: memoryLog(),
    authorize: (request) => tokens.get(request.headers.get("authorization") ?? "") ?? null,
  });
  onTestFinished(() => server.close());
  const { url } = await server.listen({ port: 0 });
  return { url, thread: await server.thread("launch", board) };
}

describe("a chat of the AI SDK", () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const steps = [
    [{ type: "tool-call", toolCallId: "c1", toolName: "add", input: '{"title":"Invoices"}' }],
    [{ type: "tool-call", toolCallId: "c2", toolName: "clear", input: "{}" }],
    [
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Cleared." },
      { type: "text-end", id: "t" },
    ],
  ] as const;

  it("adds, requests approval, and goes on after a yes, beside the page", async () => {
    const { url, thread } = await serve(folders["ai-sdk"]);
    const { chatRoute } = await import(join(folders["ai-sdk"], "route.ts"));
    const { openPage } = await import(join(folders["ai-sdk"], "page.ts"));
    const left = [...steps];
    const model = new MockLanguageModelV4({
      doStream: async () => {
        const step = left.shift() ?? [];
        const unified = step[0]?.type === "tool-call" ? ("tool-calls" as const) : ("stop" as const);
        const chunks = [
          { type: "stream-start" as const, warnings: [] },
          ...step,
          { type: "finish" as const, usage, finishReason: { unified, raw: undefined } },
        ];
        return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
      },
    });
    const listen = getRequestListener(chatRoute(url, model), { overrideGlobalObjects: false });
    const http = createHttpServer((incoming, outgoing) => void listen(incoming, outgoing));
    http.listen(0);
    await once(http, "listening");
    onTestFinished(() => {
      http.close();
      http.closeAllConnections();
    });
    const address = http.address();
    const api = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    const page = openPage(url, api, "Bearer ada");
    onTestFinished(() => page.client.close());
    const transport: ChatTransport<UIMessage> = page.transport;
    onTestFinished(page.thread.sync.subscribe(() => {}));
    await expect.poll(() => page.thread.sync.getState().status).toBe("online");

    const request: UIMessage = { id: "m1", role: "user", parts: [{ type: "text", text: "Add, then clear" }] };
    const first = await sent(transport, [request]);
    expect(first.parts.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["tool-add", "tool-clear", "data-commit"]),
    );
    expect(page.thread.getState().cards).toHaveLength(1);
    const answered = first.parts.map((part) =>
      "state" in part && part.state === "approval-requested" && "approval" in part
        ? { ...part, state: "approval-responded", approval: { ...part.approval, approved: true } }
        : part,
    );
    // The SDK's own `addToolApprovalResponse` makes such a message.
    const last = await sent(transport, [request, JSON.parse(JSON.stringify({ ...first, parts: answered }))]);
    expect(JSON.stringify(last.parts)).toContain("Cleared.");
    expect(thread.getState()).toEqual({ cards: [] });
    expect((await thread.history()).at(-1)).toMatchObject({ commit: { actor: { kind: "user", id: "ada" } } });
  });

  async function sent(transport: ChatTransport<UIMessage>, messages: UIMessage[]): Promise<UIMessage> {
    const about = { trigger: "submit-message", chatId: "chat", messageId: undefined, abortSignal: undefined } as const;
    const stream = await transport.sendMessages({ ...about, messages });
    const last = messages.at(-1);
    const message = last?.role === "assistant" ? { message: last } : {};
    let read: UIMessage | undefined;
    for await (const next of readUIMessageStream({ stream, ...message })) read = next;
    if (read === undefined) throw new Error("The chat said nothing.");
    return read;
  }
});

describe("a run of OpenAI Agents", () => {
  beforeAll(() => setTracingDisabled(true));
  const ada = { authorization: "Bearer ada" };

  it.each([
    [true, "Cleared.", 0],
    [false, "Kept.", 1],
  ])("goes on in another process after the answer %s", async (yes, words, cards) => {
    const { url, thread } = await serve(folders["openai-agents"]);
    const { begin, goOn } = await import(join(folders["openai-agents"], "agent.ts"));
    const first = new ScriptedModel([
      [functionCall("add", { title: "Invoices" }, { callId: "c1" })],
      [functionCall("clear", {}, { callId: "c2" })],
    ]);
    const { waits } = await begin(url, first, "run-1", ada, "Add, then clear");
    expect(await thread.proposals()).toHaveLength(1);
    const second = new ScriptedModel([[assistantMessage(words)]]);
    expect(await goOn(url, second, "run-1", ada, waits, yes)).toBe(words);
    expect(thread.getState()).toMatchObject({ cards: { length: cards } });
    expect(await thread.proposals()).toEqual([]);
    const told = JSON.stringify(second.calls[0]?.request.input);
    expect(told).toContain(yes ? "Approved by user" : "Not now");
  });

  it("keeps nothing of what a call shows in a session", async () => {
    const { thread } = await serve(folders["openai-agents"]);
    const { converse } = await import(join(folders["openai-agents"], "sessions.ts"));
    const model = new ScriptedModel([
      [functionCall("add", { title: "Invoices" }, { callId: "c1" })],
      [assistantMessage("Added.")],
      [assistantMessage("One card.")],
    ]);
    const items = await converse(thread, model, ["Add a card", "How many are there?"]);
    expect(items).toHaveLength(6);
    expect(JSON.stringify(items)).not.toContain("<board version");
    expect(JSON.stringify(model.calls[2]?.request.input)).toContain("<board version");
  });
});

describe("which agent framework", () => {
  const text = readFileSync(join(import.meta.dirname, "../../which-agent-framework.md"), "utf8");

  it("names packages and guides that there are", () => {
    const packages = new Set(readdirSync(join(import.meta.dirname, "../../../packages")));
    const named = [...text.matchAll(/`@opstate\/([\w-]+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !packages.has(name))).toEqual([]);
    const linked = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file = ""]) => file);
    const guides = new Set(readdirSync(join(import.meta.dirname, "../..")));
    expect(linked.filter((file) => !guides.has(file))).toEqual([]);
  });
});
