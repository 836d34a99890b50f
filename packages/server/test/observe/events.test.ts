// What a server tells its observers, over HTTP.

import { HttpAgent } from "@ag-ui/client";
import { type Log, memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { logEvents, type Observer, type ServedAgent, type ServerEvent, type ServerOptions } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const actor = { kind: "user", id: "ada" };

async function startObserved(options: Partial<ServerOptions> = {}) {
  const events: ServerEvent[] = [];
  const observer: Observer = { onEvent: (event) => void events.push(event) };
  const running = await start({ observe: observer, ...options });
  const of = <T extends ServerEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<ServerEvent, { type: T }> => event.type === type);
  return { ...running, events, of };
}

const greeter: ServedAgent = {
  definition: "board",
  async *run({ thread }) {
    await thread.submit(addCard("from the agent"), { actor: { kind: "agent", id: "greeter" }, toolCallId: "call-1" });
    yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m", role: "assistant", delta: "Hello." };
  },
};

function runOf(url: string, agent: string) {
  const client = new HttpAgent({
    url: `${url}/ag-ui/${agent}`,
    threadId: "launch",
    headers: { ...ada, "x-request-id": "run-request" },
  });
  return client.runAgent({ runId: "r1" }).catch(() => undefined);
}

/** A log whose threads cannot be found any more after `breakDown`. */
function breakableLog() {
  const whole = memoryLog();
  const fault = new Error("disk full");
  let isBroken = false;
  const log: Log = { ...whole, info: (threadId) => (isBroken ? Promise.reject(fault) : whole.info(threadId)) };
  return { log, fault, breakDown: () => void (isBroken = true) };
}

describe("observers are notified", () => {
  it("of each request: its route, status, actor and the code of its problem", async () => {
    const { url, of } = await startObserved();
    await createBoard(url);
    await send(`${url}/threads/secret`, "GET");
    await send(`${url}/threads/launch/operations`, "POST", addCard("c"), { ...ada, "x-request-id": "r-1" });
    await send(`${url}/nowhere`, "GET");
    await send(`${url}/threads`, "GET", undefined, {});
    const request = { type: "request", duration: expect.any(Number), requestId: expect.any(String) };
    expect(of("request")).toEqual([
      { ...request, method: "PUT", route: "/threads/:id", status: 201, actor, threadId: "launch" },
      { ...request, method: "GET", route: "/threads/:id", status: 403, code: "not_allowed", actor, threadId: "secret" },
      {
        ...request,
        method: "POST",
        route: "/threads/:id/operations",
        status: 200,
        actor,
        threadId: "launch",
        requestId: "r-1",
      },
      { ...request, method: "GET", route: "unknown", status: 404, code: "not_found", actor },
      { ...request, method: "GET", route: "/threads", status: 401, code: "unauthenticated" },
    ]);
  });

  it("of each submission, with the request that it came with", async () => {
    const { url, server, of } = await startObserved();
    const thread = await createBoard(url);
    await send(`${thread}/operations`, "POST", addCard("c", "c", "nowhere"), { ...ada, "x-request-id": "r-1" });
    const list = [{ thread: "launch", operation: addCard("d") }];
    await send(`${url}/operations`, "POST", list, { ...ada, "x-request-id": "r-2" });
    const beside = await server.thread("launch", board);
    await beside.dispatch(addCard("e"), { actor: { kind: "system", id: "job" } });
    await beside.close();
    const of3 = { type: "submission", threadId: "launch", definition: "board", operation: "addCard" };
    expect(of("submission")).toMatchObject([
      { ...of3, requestId: "r-1", code: "refused", reason: "column_not_found", actor },
      { ...of3, requestId: "r-2", code: "accepted", version: 1 },
      { ...of3, code: "accepted", version: 2, actor: { kind: "system", id: "job" } },
    ]);
    expect(of("submission")[2]).not.toHaveProperty("requestId");
  });

  it("of streams, and why they closed", async () => {
    const { url, server, of } = await startObserved();
    const thread = await createBoard(url);
    const [leaving, staying] = [await readEvents(`${thread}/events`), await readEvents(`${thread}/events`)];
    await Promise.all([leaving.next(), staying.next()]);
    expect(of("stream_opened").map(({ route, actor: reader }) => [route, reader])).toEqual([
      ["/threads/:id/events", actor],
      ["/threads/:id/events", actor],
    ]);
    leaving.close();
    await expect.poll(() => of("stream_closed").map(({ reason }) => reason)).toEqual(["left"]);
    await server.close();
    expect(of("stream_closed").map(({ reason }) => reason)).toEqual(["left", "ended"]);
    expect(
      of("stream_closed")
        .map(({ requestId }) => requestId)
        .toSorted(),
    ).toEqual(
      of("stream_opened")
        .map(({ requestId }) => requestId)
        .toSorted(),
    );
  });

  it("of runs, with what their agents submitted", async () => {
    const failing: ServedAgent = {
      definition: "board",
      // oxlint-disable-next-line require-yield -- it fails before
      async *run() {
        throw new Error("no model");
      },
    };
    const { url, of, events } = await startObserved({ agents: { greeter, failing } });
    await runOf(url, "greeter");
    await runOf(url, "failing");
    const run = { requestId: "run-request", threadId: "launch", runId: "r1", actor };
    expect(of("run_started")).toMatchObject([
      { ...run, agent: "greeter" },
      { ...run, agent: "failing" },
    ]);
    expect(of("run_ended")).toMatchObject([
      { ...run, agent: "greeter", outcome: "finished" },
      { ...run, agent: "failing", outcome: "failed" },
    ]);
    expect(of("submission")).toMatchObject([{ requestId: "run-request", toolCallId: "call-1", code: "accepted" }]);
    expect(of("error")).toMatchObject([{ requestId: "run-request", error: { message: "no model" } }]);
    expect(events.filter(({ type }) => type === "stream_opened")).toMatchObject([
      { route: "/ag-ui/:agent" },
      { route: "/ag-ui/:agent" },
    ]);
  });

  it("of what the application's `onError` gets", async () => {
    const { log, fault, breakDown } = breakableLog();
    const { url, errors, of } = await startObserved({ log });
    breakDown();
    await send(`${url}/threads/launch`, "GET", undefined, { ...ada, "x-request-id": "r-1" });
    expect(errors).toEqual([fault]);
    expect(of("error")).toEqual([{ type: "error", error: fault, requestId: "r-1" }]);
    expect(of("request")).toMatchObject([{ status: 500, code: "failure", requestId: "r-1" }]);
  });

  it("of a drain", async () => {
    const { server, events } = await startObserved();
    await server.drain({ notice: 0 });
    expect(events).toEqual([{ type: "drain_started" }, { type: "drain_ended", cut: 0 }]);
  });

  it("nothing of a state, an input or a header", async () => {
    const { url, events } = await startObserved({ agents: { greeter } });
    const thread = await createBoard(url);
    await send(`${thread}/operations`, "POST", addCard("c1", "a private title"));
    await send(`${thread}/operations`, "POST", addCard("c2", "another private title", "nowhere"));
    await runOf(url, "greeter");
    await send(thread, "GET", undefined, asUser("eve", "read"));
    const told = JSON.stringify(events);
    expect(told).toContain("column_not_found");
    for (const secret of ["private title", "Hello.", "read,write", "todo"]) expect(told).not.toContain(secret);
  });
});

describe("an observer", () => {
  it("that throws, or runs nothing, changes nothing", async () => {
    const broken: Observer = {
      onEvent() {
        throw new Error("no disk for logs");
      },
      around: () => Promise.reject(new Error("no tracer")),
      outgoingHeaders() {
        throw new Error("no context");
      },
    };
    const lazy: Observer = { around: () => new Promise(() => {}) };
    const { url, errors } = await start({ observe: [broken, lazy], agents: { greeter } });
    const thread = await createBoard(url);
    expect((await send(`${thread}/operations`, "POST", addCard("c"))).status).toBe(200);
    await runOf(url, "greeter");
    expect((await send(thread, "GET")).body.version).toBe(2);
    expect(errors).toEqual([]);
  });

  it("that runs the work twice makes it happen once", async () => {
    const twice: Observer = { around: async (_, work) => (await work(), work()) };
    const { url, of } = await startObserved({ observe: twice });
    expect((await send(`${url}/threads/launch`, "PUT", { definition: "board" })).status).toBe(201);
    expect(of("request")).toEqual([]);
  });
});

describe("logEvents", () => {
  it("writes lines with levels to a logger of pino's shape", async () => {
    const lines: [string, object, string][] = [];
    // A busy machine may keep everybody waiting for a moment, which is told, too.
    const line = (level: string) => (fields: { readonly event?: string }, message: string) => {
      if (fields.event !== "stall") lines.push([level, fields, message]);
    };
    const logger = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
    const { log, fault, breakDown } = breakableLog();
    const { url } = await start({ log, observe: logEvents(logger) });
    const headers = { ...ada, "x-request-id": "r-1" };
    await send(`${url}/healthz`, "GET");
    const thread = await createBoard(url);
    await send(`${thread}/operations`, "POST", addCard("c"), headers);
    await send(`${thread}/operations`, "POST", addCard("d", "d", "nowhere"), headers);
    breakDown();
    await send(thread, "GET", undefined, headers);
    expect(lines.map(([level, , message]) => `${level} ${message.replace(/\d+ ms/, "n ms")}`)).toEqual([
      "debug GET /healthz 200 in n ms",
      "info PUT /threads/:id 201 in n ms",
      "debug addCard accepted",
      "info POST /threads/:id/operations 200 in n ms",
      "info addCard refused",
      "info POST /threads/:id/operations 422 in n ms",
      "error disk full",
      "error GET /threads/:id 500 in n ms",
    ]);
    expect(lines[4]?.[1]).toMatchObject({ event: "submission", requestId: "r-1", reason: "column_not_found" });
    expect(lines[6]?.[1]).toEqual({ event: "error", requestId: "r-1", err: fault });
  });
});
