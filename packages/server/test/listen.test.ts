// Starting and stopping a server.

import { memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServer, listen } from "../src/index.ts";
import { addCard, board } from "./support/board.ts";
import { readEvents } from "./support/events.ts";
import { ada, createBoard, send, start } from "./support/server.ts";

describe("listen", () => {
  it("returns where it listens, by default on any free port", async () => {
    const { url, port, hostname } = await start();
    expect([hostname, url]).toEqual(["127.0.0.1", `http://127.0.0.1:${port}`]);
    expect(port).toBeGreaterThan(0);
  });

  it("rejects with a clear message when the port is in use, and can be called again", async () => {
    const { port } = await start();
    const second = createServer({ definitions: [board], log: memoryLog(), insecure: true });
    onTestFinished(() => second.close());
    await expect(second.listen({ port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or listen on another port.`,
    );
    expect((await second.listen()).port).not.toBe(port);
  });

  it("keeps an idle connection longer than the 60 seconds of common balancers", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/healthz`);
    expect(response.headers.get("keep-alive")).toBe("timeout=75");
  });

  it("leaves the global Request and Response as they are", async () => {
    const globals = [globalThis.Request, globalThis.Response];
    await start();
    expect([globalThis.Request, globalThis.Response]).toEqual(globals);
  });
});

describe("definitions", () => {
  it("must have different names", () => {
    const definitions = { first: board, second: board };
    expect(() => createServer({ definitions, log: memoryLog(), insecure: true })).toThrow(
      expect.objectContaining({
        code: "invalid_definition",
        message: expect.stringContaining('Two definitions in `definitions` have the name "board"'),
      }),
    );
  });
});

describe("a handler of the application", () => {
  async function startApp(pass: boolean) {
    const { server } = await start();
    const answers: Response[] = [];
    const listening = await listen(async (request, connection) => {
      if (new URL(request.url).pathname === "/health") return new Response("ok");
      const answer = await server.fetch(request, ...(pass ? [connection] : []));
      answers.push(answer);
      return answer;
    });
    onTestFinished(() => listening.close());
    return { ...listening, answers };
  }

  it.each([true, false])(
    "is served beside the routes of the server, with the connection passed on: %s",
    async (pass) => {
      const { url, answers } = await startApp(pass);
      expect(await (await fetch(`${url}/health`)).text()).toBe("ok");
      const thread = await createBoard(url);
      const events = await readEvents(`${thread}/events`);
      await events.until(0);
      await send(`${thread}/operations`, "POST", addCard("c1"));
      await events.until(1);
      // With the connection, events go to the socket and not through the response.
      expect(answers[1]?.body === null).toBe(pass);
      events.close();
    },
  );

  it("gets a Response when a host passes another object than a connection", async () => {
    const { server, url } = await start();
    const thread = await createBoard(url);
    const { fetch }: { fetch(request: Request, ...rest: unknown[]): Promise<Response> } = server as never;
    const answer = await fetch(new Request(`${thread}/events`, { headers: ada }), { outgoing: {}, incoming: {} });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    await answer.body?.cancel();
  });

  it("rejects with a code when its port is in use", async () => {
    const { port } = await start();
    await expect(listen(async () => new Response(), { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("close", () => {
  it("finishes what was sent, and answers nothing later", async () => {
    const log = memoryLog();
    const { url, server } = await start({ log });
    const thread = await createBoard(url);
    const events = await readEvents(`${thread}/events`);
    await events.until(0);
    const sent = Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => send(`${thread}/operations`, "POST", addCard(`c${index}`))),
    );
    await events.until(1);
    await server.close();
    const taken = (await sent).flatMap((answer) =>
      answer.status === "fulfilled" && answer.value.status === 200 ? [answer.value.body.version] : [],
    );
    expect(taken.length).toBeGreaterThan(0);
    const stored = await log.read("launch", { after: 0 });
    for (const version of taken) expect(stored[version - 1]?.version).toBe(version);
    await events.ended();
    await expect(fetch(thread, { headers: ada })).rejects.toThrow();
    expect((await server.fetch(new Request(thread, { headers: ada }))).status).toBe(503);
  });

  it("may be called twice, and before listening", async () => {
    const server = createServer({ definitions: [board], log: memoryLog(), insecure: true });
    await server.close();
    await server.close();
  });
});
