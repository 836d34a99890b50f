// Starting and stopping a server.

import { memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServer } from "../src/index.ts";
import { addCard, board } from "./support/board.ts";
import { readEvents } from "./support/events.ts";
import { ada, createBoard, send, start } from "./support/server.ts";

describe("listen", () => {
  it("says where it listens, on any free port unless told", async () => {
    const { url, port, hostname } = await start();
    expect([hostname, url]).toEqual(["127.0.0.1", `http://127.0.0.1:${port}`]);
    expect(port).toBeGreaterThan(0);
  });

  it("rejects with a clear message when the port is taken, and can try another", async () => {
    const { port } = await start();
    const second = createServer({ definitions: [board], log: memoryLog(), insecure: true });
    onTestFinished(() => second.close());
    await expect(second.listen({ port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop it, or listen on another port.`,
    );
    expect((await second.listen()).port).not.toBe(port);
  });

  it("leaves the global Request and Response as they are", async () => {
    const globals = [globalThis.Request, globalThis.Response];
    await start();
    expect([globalThis.Request, globalThis.Response]).toEqual(globals);
  });
});

describe("close", () => {
  it("finishes what was sent, and answers no more", async () => {
    const log = memoryLog();
    const { url, server } = await start({ log });
    const thread = await createBoard(url);
    const events = await readEvents(`${thread}/events`);
    await events.until(0);
    const sent = Promise.allSettled(Array.from({ length: 30 }, (_, index) => send(`${thread}/operations`, "POST", addCard(`c${index}`))));
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
