// The binary form of a run, for clients that ask for it, read by an unmodified HttpAgent.

import { type BaseEvent, HttpAgent } from "@ag-ui/client";
import { describe, expect, it } from "vitest";
import { toProtobuf } from "../../src/ag-ui/protobuf.ts";
import type { Agent } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { ada, send, start } from "../support/server.ts";

const robot = { kind: "agent", id: "robot" };
const binary = "application/vnd.ag-ui.event+proto";

async function run(agent: Agent, accept?: string) {
  const { url, errors } = await start({ agents: { robot: { run: agent, definition: "board" } } });
  const client = new HttpAgent({ url: `${url}/ag-ui/robot`, threadId: "launch", headers: ada });
  const types: (string | null)[] = [];
  const events: BaseEvent[] = [];
  // The client accepts text; a proxy of this test also accepts the binary form.
  const ask = client as unknown as { fetch: typeof fetch };
  ask.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (accept !== undefined) headers.set("accept", accept);
    const response = await fetch(input, { ...init, headers });
    types.push(response.headers.get("content-type"));
    return response;
  };
  client.subscribe({ onEvent: ({ event }) => void events.push(event) });
  return { client, url, events, errors, types };
}

const worker: Agent = async function* ({ thread, input }) {
  yield { type: "TOOL_CALL_START", toolCallId: "t1", toolCallName: "addCard" };
  yield { type: "TOOL_CALL_ARGS", toolCallId: "t1", delta: '{"cardId":"ü"}' };
  yield { type: "TOOL_CALL_END", toolCallId: "t1" };
  await thread.dispatch(addCard("ü"), { actor: robot, runId: input.runId });
  yield { type: "TOOL_CALL_RESULT", messageId: "m1", toolCallId: "t1", content: "done" };
  await thread.dispatch(board.op.annotate({ cardId: "ü", note: "ä".repeat(90_000) }), { actor: robot });
  yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m2", role: "assistant", delta: "Added." };
  await thread.dispatch(board.op.rename({ cardId: "none", title: "x" }), { actor: robot });
  yield { type: "CUSTOM", name: "n", value: { a: [1, null, { b: false }] } };
};

describe("a run in the binary form", () => {
  /** The same run for a client that accepts text and for one that accepts the binary form. */
  async function inBothForms() {
    const plain = await run(worker);
    await plain.client.runAgent({ runId: "r1" });
    const packed = await run(worker, `${binary}, text/event-stream;q=0.5`);
    await packed.client.runAgent({ runId: "r1" });
    return { plain, packed };
  }

  it("has its own content type", async () => {
    const { plain, packed } = await inBothForms();
    expect(plain.types).toEqual(["text/event-stream; charset=utf-8"]);
    expect(packed.types).toEqual([binary]);
  });

  it("leads the client to the same events, messages and state as the text form", async () => {
    const { plain, packed } = await inBothForms();
    expect(packed.events.map(({ type }) => type)).toEqual(plain.events.map(({ type }) => type));
    expect(packed.client.messages).toEqual(plain.client.messages);
    expect(packed.client.state).toEqual(plain.client.state);
    expect(packed.client.state).toEqual((await send(`${packed.url}/threads/launch`, "GET")).body.state);
    expect(packed.errors).toEqual([]);
  });

  it("has the versions of the commits", async () => {
    const { packed } = await inBothForms();
    const versions = (events: readonly BaseEvent[]) =>
      events.filter(({ type }) => type === "STATE_DELTA").map(({ metadata }) => metadata);
    expect(versions(packed.events)).toEqual([
      { opstate: { version: 1, after: 0 } },
      { opstate: { version: 2, after: 1 } },
    ]);
  });

  it("is sent only to clients whose Accept header names it", async () => {
    for (const accept of ["*/*", "text/event-stream", `text/event-stream, ${binary};q=0`, "application/*"]) {
      const { client, types } = await run(async function* () {}, accept);
      await client.runAgent();
      expect(types, accept).toEqual(["text/event-stream; charset=utf-8"]);
    }
  });

  it("stops the agent when the reader leaves", async () => {
    let aborted = () => {};
    const stopped = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const { client, events } = await run(async function* ({ signal }) {
      signal.addEventListener("abort", aborted);
      yield { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "Hello" };
      await new Promise(() => {});
    }, binary);
    client.subscribe({ onTextMessageContentEvent: () => client.abortRun() });
    await client.runAgent().catch(() => {});
    await stopped;
    expect(events.map(({ type }) => type)).toContain("TEXT_MESSAGE_CONTENT");
  });

  it("leaves out comments and what the format cannot represent", async () => {
    const errors: unknown[] = [];
    const text =
      ':\n\ndata: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n:\n\ndata: {"type":"STATE_DELTA","delta":7}\n\ndata: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n';
    const bytes = new TextEncoder().encode(text);
    // In pieces that split frames anywhere.
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    });
    const response = toProtobuf(new Response(pieces), (error) => errors.push(error));
    const frames = new DataView(await response.arrayBuffer());
    let count = 0;
    let at = 0;
    for (; at < frames.byteLength; at += 4 + frames.getUint32(at)) count += 1;
    expect(at).toBe(frames.byteLength);
    expect(count).toBe(2);
    expect(errors).toHaveLength(1);
  });
});
