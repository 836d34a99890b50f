// What several objects answer together, a page and a browser see as the answer of one server.

import { memoryLog } from "@opstate/core";
import { createFetchServer } from "@opstate/server/fetch";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { counter } from "../../core/src/testing/shared/contract-counter.ts";
import { ada, type Edge, send, startEdge } from "./support/edge.ts";

const PAGE = "https://pages.example";
const headers = { ...ada, origin: PAGE, "content-type": "application/json" };
const THREADS = ["one-a", "one-b"];

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  for (const id of THREADS) await send(`${edge.url}/threads/${id}`, "PUT", { definition: "contract-counter" });
});
afterAll(() => edge.kill());

type Post = (path: string, body: object, more?: Readonly<Record<string, string>>) => Promise<Response>;

const toEdge: Post = (path, body, more) => fetch(`${edge.url}${path}`, posted(body, more));

function posted(body: object, more: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) };
}

/** One server, with the same threads. */
async function oneServer(): Promise<Post> {
  const authorize = () => ({ actor: { kind: "user", id: "ada" }, allows: () => true });
  const server = createFetchServer({ definitions: [counter], log: memoryLog(), origins: [PAGE], authorize });
  onTestFinished(() => server.close());
  for (const id of THREADS) await server.thread(id, counter);
  return (path, body, more) => server.fetch(new Request(`https://one.example${path}`, posted(body, more)));
}

/** Those that a browser and a page read; not those of the connection. */
function readHeaders(answer: Response): Record<string, string> {
  const ofTheConnection = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);
  return Object.fromEntries([...answer.headers].filter(([name]) => !ofTheConnection.has(name)));
}

describe("headers of an answer of two objects", () => {
  const operations = THREADS.map((thread) => ({ thread, operation: { type: "add", by: 1 } }));
  it.each([
    ["/operations", operations],
    ["/events", { threads: Object.fromEntries(THREADS.map((id) => [id, {}])), wait: 0 }],
  ])("are those of one server: POST %s", async (path, body) => {
    const more = { "x-request-id": "request-1" };
    const [ours, theirs] = [await toEdge(path, body, more), await (await oneServer())(path, body, more)];
    expect(ours.status).toBe(200);
    expect(readHeaders(ours)).toEqual(readHeaders(theirs));
    expect(ours.headers.get("access-control-allow-origin")).toBe(PAGE);
  });
});

describe("a body that a form of another site may send", () => {
  it.each([
    ["/operations", [{ thread: "one-a", operation: { type: "add", by: 1 } }]],
    ["/operations", THREADS.map((thread) => ({ thread, operation: { type: "add", by: 1 } }))],
    ["/events", { threads: { "one-a": {} } }],
    ["/events", { threads: { "one-a": {} }, wait: 0 }],
    ["/events/s-none", { follow: {} }],
    ["/presence", { stream: "s-none", tab: "one", threads: {} }],
    ["/ag-ui/none?threadId=one-a", {}],
    ["/ag-ui/none", { threadId: "one-a" }],
  ])("is refused as one server refuses it: POST %s %j", async (path, body) => {
    const more = { "content-type": "text/plain" };
    const [ours, theirs] = [await toEdge(path, body, more), await (await oneServer())(path, body, more)];
    await ours.body?.cancel();
    expect([415, 404]).toContain(theirs.status);
    expect(ours.status).toBe(theirs.status);
  });
});
