// A server that is told to stop: what is in flight is answered, what lasts ends in time, and what
// was acknowledged is there afterwards. In this process, and in one of its own at SIGTERM.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpAgent } from "@ag-ui/client";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { ServedAgent } from "../../src/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard } from "../support/board.ts";
import { readEvents, readStream } from "../support/events.ts";
import { ada, asUser, authorize, createBoard, send, start } from "../support/server.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-drain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Posted {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One request on the agent's connections. `fetch` would hide whether they are kept. */
function post(agent: Agent, url: string, body: unknown): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      { method: "POST", agent, headers: { ...ada, "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: text }));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}

/** No notice, and more time than a busy machine takes. */
const AT_ONCE = { notice: 0, deadline: 60_000 };

/** An `authorize` that waits for `open` with each request that says so. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  let waiting = 0;
  const seen: (() => void)[] = [];
  return {
    open: () => open(),
    /** Resolves when `count` requests wait. */
    async arrived(count: number) {
      for (;;) {
        if (waiting >= count) return;
        await new Promise<void>((resolve) => seen.push(resolve));
      }
    },
    async authorize(request: Request) {
      if (request.url.includes("wait")) {
        waiting += 1;
        for (const resolve of seen.splice(0)) resolve();
        await opened;
      }
      return authorize(request);
    },
  };
}

describe("drain", () => {
  it("answers what is in flight, each with `Connection: close`, and then nothing", async () => {
    const door = gate();
    const { url, server } = await start({ authorize: (request) => door.authorize(request) });
    const thread = await createBoard(url);
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    onTestFinished(() => agent.destroy());
    const ids = Array.from({ length: 50 }, (_, index) => `c${index}`);
    const answers = Promise.all(
      ids.map((id) => post(agent, `${thread}/operations?wait`, { id, operation: addCard(id) })),
    );
    await door.arrived(50);
    const drained = server.drain(AT_ONCE);
    door.open();
    for (const { status, headers } of await answers) expect([status, headers.connection]).toEqual([200, "close"]);
    expect(await drained).toEqual({ cut: 0 });
    await expect(fetch(thread)).rejects.toThrow();
    expect((await server.fetch(new Request(thread, { headers: ada }))).status).toBe(503);
  });

  it("answers new requests during its notice, and refuses new streams and runs", async () => {
    const door = gate();
    const agents: Record<string, ServedAgent> = { idle: { definition: "board", async *run() {} } };
    const { url, server } = await start({ agents, authorize: (request) => door.authorize(request) });
    const thread = await createBoard(url);
    const held = send(`${thread}?wait`, "GET");
    await door.arrived(1);
    // As long as a request is open, the server listens on: its notice is the test's.
    const drained = server.drain({ notice: 60_000, deadline: 60_000 });
    expect(await send(`${thread}/operations`, "POST", addCard("late"))).toMatchObject({ status: 200 });
    const run = {
      threadId: "launch",
      runId: "r1",
      messages: [],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    };
    for (const [method, path, body] of [
      ["GET", "/threads/launch/events"],
      ["POST", "/events", { threads: { launch: {} } }],
      ["POST", "/ag-ui/idle", run],
    ] as const)
      expect(await send(url + path, method, body), path).toMatchObject({ status: 503, body: { code: "closing" } });
    door.open();
    expect((await held).status).toBe(200);
    void drained;
  });

  it("ends streams and lists that wait at once, each with its own time to come back", async () => {
    const door = gate();
    const { url, server } = await start({ authorize: (request) => door.authorize(request) });
    const thread = await createBoard(url);
    const streams = await Promise.all([
      ...Array.from({ length: 10 }, () => readEvents(`${thread}/events`)),
      readStream(`${url}/events`, {
        method: "POST",
        headers: { ...ada, "content-type": "application/json" },
        body: JSON.stringify({ threads: { launch: {} } }),
      }),
    ]);
    await Promise.all(streams.map((stream) => stream.next()));
    const caughtUp = await send(`${url}/events`, "POST", { threads: { launch: {} }, wait: 0 });
    const { incarnation } = caughtUp.body.find(({ type }: { type: string }) => type === "welcome");
    const list = send(`${url}/events?wait`, "POST", { threads: { launch: { after: 0, incarnation } }, wait: 25 });
    await door.arrived(1);
    door.open();
    // Another request and its answer: by then the list waits for news.
    await send(thread, "GET");
    const drained = server.drain(AT_ONCE);
    await Promise.all(streams.map((stream) => stream.ended()));
    const delays = streams.map((stream) =>
      [...stream.text().matchAll(/^retry: (\d+)$/gm)].map(([, time]) => Number(time)),
    );
    for (const times of delays) expect(times.length).toBe(2);
    expect(new Set(delays.map(([, last]) => last)).size).toBeGreaterThan(5);
    expect((await list).status).toBe(200);
    expect(await drained).toEqual({ cut: 0 });
  });

  it("lets a run that has begun end, and the runs behind it", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const agents: Record<string, ServedAgent> = {
      slow: {
        definition: "board",
        async *run({ thread, input }) {
          yield { type: "TEXT_MESSAGE_CHUNK", messageId: input.runId, role: "assistant", delta: "I wait." };
          await finished;
          await thread.submit(addCard(input.runId), { actor: { kind: "agent", id: "slow" } });
        },
      },
    };
    const { url, server } = await start({ agents });
    const run = (runId: string) =>
      readStream(`${url}/ag-ui/slow`, {
        method: "POST",
        headers: { ...ada, "content-type": "application/json" },
        body: JSON.stringify({
          threadId: "launch",
          runId,
          messages: [],
          tools: [],
          context: [],
          state: {},
          forwardedProps: {},
        }),
      });
    const [first, second] = [await run("r1"), await run("r2")];
    await first.next();
    const drained = server.drain(AT_ONCE);
    finish();
    await Promise.all([first.ended(), second.ended()]);
    for (const stream of [first, second]) expect(stream.text()).toContain('"type":"RUN_FINISHED"');
    expect(await drained).toEqual({ cut: 0 });
  });

  it("notifies a run that is not done at the deadline, and counts it", async () => {
    const agents: Record<string, ServedAgent> = {
      stuck: {
        definition: "board",
        async *run() {
          yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m", role: "assistant", delta: "I wait." };
          await new Promise(() => {});
        },
      },
    };
    const { url, server } = await start({ agents });
    const agent = new HttpAgent({ url: `${url}/ag-ui/stuck`, threadId: "launch", headers: ada });
    const ended: unknown[] = [];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const run = agent.runAgent(
      { runId: "r1" },
      { onTextMessageStartEvent: () => begin(), onRunErrorEvent: ({ event }) => void ended.push(event.code) },
    );
    await begun;
    expect(await server.drain({ notice: 0, deadline: 50 })).toEqual({ cut: 1 });
    await run.catch(() => undefined);
    expect(ended).toEqual(["closing"]);
  });

  it("is not delayed by a connection that says nothing", async () => {
    const { server, port } = await start();
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const closed = once(socket, "close");
    expect(await server.drain(AT_ONCE)).toEqual({ cut: 0 });
    await closed;
  });

  it("accepts the times of a clock only", async () => {
    const { server } = await start();
    await expect(server.drain({ deadline: Number.NaN })).rejects.toThrow(
      "`deadline` must be a number of milliseconds from 0 on, not NaN.",
    );
    await expect(server.drain({ notice: 200, deadline: 100 })).rejects.toThrow(
      "`notice` (200) must not be longer than `deadline` (100), which includes it.",
    );
    expect((await server.fetch(new Request("http://127.0.0.1/readyz"))).status).toBe(200);
  });
});

const tests = import.meta.dirname;

class Child {
  readonly #process: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly drained: Promise<unknown>;
  readonly url: Promise<string>;

  constructor(path: string, options: object = {}) {
    this.#process = spawn(
      process.execPath,
      [
        "--conditions=@opstate/source",
        join(tests, "../support/processes/draining-server.ts"),
        path,
        JSON.stringify(options),
      ],
      { stdio: ["ignore", "inherit", "inherit", "ipc"] },
    );
    onTestFinished(() => void this.#process.kill("SIGKILL"));
    this.ended = once(this.#process, "exit").then(([code]: unknown[]) => code);
    this.url = this.#said("url") as Promise<string>;
    this.drained = this.#said("drained");
  }

  #said(name: string): Promise<unknown> {
    return new Promise((resolve) => {
      this.#process.on("message", (message) => {
        if (typeof message === "object" && name in message) resolve((message as Record<string, unknown>)[name]);
      });
    });
  }

  terminate(): void {
    this.#process.kill("SIGTERM");
  }
}

describe("SIGTERM", () => {
  it(
    "cuts none of 50 clients that go on sending, and loses nothing that was acknowledged",
    { timeout: 60_000 },
    async () => {
      const path = join(folder, "load.sqlite");
      const child = new Child(path, { deadline: 50_000 });
      const url = await child.url;
      const thread = await createBoard(url);
      const agent = new Agent({ keepAlive: true, maxSockets: 50 });
      onTestFinished(() => agent.destroy());
      const acknowledged = new Map<string, number>();
      const cut: unknown[] = [];

      /** Sends one after the other, until an answer says that it should go elsewhere. */
      async function client(name: string): Promise<void> {
        for (let index = 0; ; index += 1) {
          const id = `${name}-${index}`;
          try {
            const { status, headers, body } = await post(agent, `${thread}/operations`, { id, operation: addCard(id) });
            if (status === 200) acknowledged.set(id, (JSON.parse(body) as { version: number }).version);
            else cut.push(body);
            if (acknowledged.size === 200) child.terminate();
            if (headers.connection === "close") return;
          } catch (error) {
            cut.push(error);
            return;
          }
        }
      }
      await Promise.all(Array.from({ length: 50 }, (_, index) => client(`w${index}`)));
      expect(cut).toEqual([]);
      expect(await child.drained).toEqual({ cut: 0 });
      expect(await child.ended).toBe(0);

      const log = sqliteLog({ path });
      const stored = new Map((await log.read("launch", {})).map(({ id, version }) => [id, version]));
      await log.close();
      expect(acknowledged.size).toBeGreaterThanOrEqual(200);
      for (const [id, version] of acknowledged) expect(stored.get(id), id).toBe(version);
    },
  );

  it("gives a run its time, and ends with 1 when it was cut", { timeout: 240_000 }, async () => {
    const input = { threadId: "b", messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
    const begin = async (url: string) => {
      const stream = await readStream(`${url}/ag-ui/slow`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...input, runId: "r1" }),
      });
      while (!stream.text().includes("I wait.")) await stream.next();
      return stream;
    };

    const patient = new Child(join(folder, "patient.sqlite"), { deadline: 50_000, notice: 1_000 });
    const url = await patient.url;
    const run = await begin(url);
    patient.terminate();
    while ((await fetch(`${url}/readyz`)).status === 200);
    expect((await send(`${url}/threads/b/operations`, "POST", addCard("go"), asUser("ada"))).status).toBe(200);
    await run.ended();
    expect(run.text()).toContain("I am done.");
    expect(await patient.ended).toBe(0);

    const hasty = new Child(join(folder, "hasty.sqlite"), { deadline: 100, notice: 0 });
    const cut = await begin(await hasty.url);
    hasty.terminate();
    await cut.ended();
    expect(cut.text()).toContain('"code":"closing"');
    expect(await hasty.drained).toEqual({ cut: 1 });
    expect(await hasty.ended).toBe(1);
  });
});
