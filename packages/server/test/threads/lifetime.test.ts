// How long a thread stays open: until it is deleted or idle.

import { type Log, memoryLog, openThread } from "@opstate/core";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createServer, type ServerOptions } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { ada, authorize, createBoard, send, start } from "../support/server.ts";

/** A promise that the test resolves. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

/** A server that is called in this process, without a network. */
function ask(options: Pick<ServerOptions, "log">) {
  const server = createServer({ definitions: [board], authorize, ...options });
  const request = async (method: string, path = "", body?: unknown) => {
    const headers = { ...ada, "content-type": "application/json" };
    const response = await server.fetch(
      new Request(`http://x/threads/launch${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const put = () => request("PUT", "", { definition: "board" });
  const post = (cardId: string) => request("POST", "/operations", addCard(cardId));
  return { server, request, put, post };
}

describe("a thread that is being deleted", () => {
  /** A log whose deletions wait for the test. */
  function slowDeletion() {
    const log = memoryLog();
    const [reached, finish] = [gate(), gate()];
    const slow: Log = {
      ...log,
      async delete(threadId) {
        reached.open();
        await finish.passed;
        return log.delete(threadId);
      },
    };
    return { log: slow, reached: reached.passed, finish: finish.open };
  }

  it("is gone for requests during the deletion, and its id is free at once", async () => {
    const { log, reached, finish } = slowDeletion();
    const { request, put, post } = ask({ log });
    await put();
    await post("c1");
    const deleted = request("DELETE");
    await reached;
    const meanwhile = Promise.all([request("GET"), post("late")]);
    await new Promise(setImmediate);
    finish();
    expect((await deleted).status).toBe(204);
    expect((await meanwhile).map(({ status }) => status)).toEqual([404, 404]);
    expect(await put()).toMatchObject({ status: 201, body: { version: 0 } });
    expect(await post("c2")).toMatchObject({ status: 200, body: { version: 1 } });
  });

  it("is created again once by requests that wait for the deletion", async () => {
    const { log, reached, finish } = slowDeletion();
    const { request, put } = ask({ log });
    await put();
    const deleted = [request("DELETE"), request("DELETE")];
    await reached;
    const made = [put(), put()];
    finish();
    expect((await Promise.all(deleted)).map(({ status }) => status)).toEqual([204, 404]);
    expect((await Promise.all(made)).map(({ status }) => status)).toEqual(expect.arrayContaining([200, 201]));
  });

  it("is deleted by the time the server has closed", async () => {
    const { log, reached, finish } = slowDeletion();
    const { server, request, put } = ask({ log });
    await put();
    const deleted = request("DELETE");
    await reached;
    const order: string[] = [];
    const closed = server.close().then(() => order.push("closed"));
    void deleted.then(() => order.push("deleted"));
    await log.info("launch");
    expect(order).toEqual([]);
    finish();
    await closed;
    expect(await log.info("launch")).toBeUndefined();
    expect((await deleted).status).toBe(204);
  });

  it("leaves nothing behind, whatever else is requested at the same time and however slow the log is", async () => {
    const step = fc.record({ what: fc.constantFrom("PUT", "GET", "DELETE", "POST"), after: fc.nat({ max: 3 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 6, maxLength: 14, size: "max" }),
        fc.array(fc.nat({ max: 4 }), { minLength: 8, maxLength: 8 }),
        async (steps, delays) => {
          const log = memoryLog();
          let calls = 0;
          const wait = async (turns: number) => {
            for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
          };
          const late =
            <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
            async (...given: A) => {
              await wait(delays[calls++ % delays.length] ?? 0);
              return call(...given);
            };
          const slow: Log = {
            ...log,
            info: late(log.info),
            load: late(log.load),
            create: late(log.create),
            delete: late(log.delete),
          };
          const { server, request, put, post } = ask({ log: slow });
          await put();
          const answers = await Promise.all(
            steps.map(async ({ what, after }, index) => {
              await wait(after * index);
              return what === "PUT" ? put() : what === "POST" ? post(`c${index}`) : request(what);
            }),
          );
          for (const { status } of answers) expect(status).toBeOneOf([200, 201, 204, 404, 503]);
          const stored = await log.info("launch");
          const read = await request("GET");
          expect([read.status, read.body.version]).toEqual(stored ? [200, stored.version] : [404, undefined]);
          expect((await put()).status).toBe(stored ? 200 : 201);
          expect((await post("last")).body.version).toBe((stored?.version ?? 0) + 1);
          await server.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("an unused thread", () => {
  const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000);

  async function startCounting(options: Partial<ServerOptions> = {}) {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const log = memoryLog();
    let loads = 0;
    const counting: Log = { ...log, load: (threadId) => ((loads += 1), log.load(threadId)) };
    const running = await start({ log: counting, ...options });
    // Before the server closes, which takes real time.
    onTestFinished(() => void vi.useRealTimers());
    const thread = await createBoard(running.url);
    const isOpen = async () => {
      const before = loads;
      await send(thread, "GET");
      return loads === before;
    };
    return { ...running, thread, log, isOpen };
  }

  it("is closed after five minutes, and opened again as it was", async () => {
    const { thread, isOpen, log } = await startCounting();
    await send(`${thread}/operations`, "POST", addCard("c1"));
    minutes(5);
    expect(await isOpen()).toBe(true);
    minutes(5);
    expect(await isOpen()).toBe(true);
    minutes(10);
    expect(await isOpen()).toBe(false);
    expect(await isOpen()).toBe(true);
    expect((await send(`${thread}/operations`, "POST", addCard("c2"))).body.version).toBe(2);
    const alone = await openThread({ definition: board, log, threadId: "launch" });
    expect((await send(thread, "GET")).body.state).toEqual(alone.getState());
  });

  it("stays open while it has a reader, and not when the reader has left", async () => {
    const { thread, isOpen } = await startCounting();
    const events = await readEvents(`${thread}/events`);
    await events.until(0);
    minutes(60);
    await send(`${thread}/operations`, "POST", addCard("c1"));
    await events.until(1);
    expect(await isOpen()).toBe(true);
    events.close();
    await vi.waitUntil(async () => {
      minutes(10);
      return !(await isOpen());
    });
  });

  it("stays open while an agent runs on it", async () => {
    const [begun, goOn] = [gate(), gate()];
    const run = async function* ({ thread }: { thread: { dispatch: (...given: any[]) => Promise<unknown> } }) {
      begun.open();
      await goOn.passed;
      await thread.dispatch(addCard("c1"), { actor: { kind: "agent", id: "robot" } });
      yield* [];
    };
    const { url, thread, isOpen } = await startCounting({ agents: { robot: { definition: "board", run } } });
    const body = { threadId: "launch", runId: "r1", messages: [], tools: [], context: [] };
    const response = await fetch(`${url}/ag-ui/robot`, {
      method: "POST",
      headers: { ...ada, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await begun.passed;
    minutes(60);
    await new Promise(setImmediate);
    goOn.open();
    expect(await response.text()).toContain("RUN_FINISHED");
    expect((await send(thread, "GET")).body.version).toBe(1);
    minutes(10);
    expect(await isOpen()).toBe(false);
  });

  it("stays open for as long as the option says", async () => {
    const { isOpen } = await startCounting({ idleMinutes: Infinity });
    minutes(600);
    expect(await isOpen()).toBe(true);
    const wrong = { definitions: [board], log: memoryLog(), insecure: true, idleMinutes: 0 };
    expect(() => createServer(wrong)).toThrow("`idleMinutes` must be a number above 0, or Infinity, not 0.");
  });
});
