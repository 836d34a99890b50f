// A log that hangs: every route answers 503 in time, and the thread goes on when the log does.

import { randomUUID } from "node:crypto";
import { memoryLog } from "@opstate/core";
import { createLog, type FullLog, type LogAdapter, type ThreadLog } from "@opstate/core/log";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createServer } from "../../src/index.ts";
import { postgresLog } from "../../src/postgres/index.ts";
import { addCard, board } from "../support/board.ts";
import { dropSchemas, startPostgres } from "../support/postgres.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

type Call = keyof ThreadLog | "threads";

/** A log whose calls of some names never end, or end when they are let go. */
function hangingLog() {
  const hung = new Set<Call>();
  const waiting: (() => void)[] = [];
  const { thread, threads, limits, close } = memoryLog();
  const wait = async (name: Call) => {
    if (hung.has(name)) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const adapter: LogAdapter = {
    limits,
    close,
    async threads(...call) {
      await wait("threads");
      return threads(...call);
    },
    thread(threadId, incarnation) {
      const handle = thread(threadId, incarnation);
      const names = Object.keys(handle) as (keyof ThreadLog)[];
      const calls = names.map((name) => [
        name,
        async (...call: never[]) => {
          await wait(name);
          return (handle[name] as (...rest: never[]) => unknown)(...call);
        },
      ]);
      return Object.fromEntries(calls) as ThreadLog;
    },
  };
  const letGo = () => {
    hung.clear();
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { log: createLog(adapter), hung, waiting, letGo };
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

async function ask(url: string, { method, path, body }: Request): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { ...ada, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const operations = (id: string) => ({
  method: "POST",
  path: "/threads/launch/operations",
  body: { id, operation: addCard(id) },
});

const HANGS: readonly (readonly [Call, Request])[] = [
  ["threads", { method: "GET", path: "/threads" }],
  ["info", { method: "GET", path: "/threads/launch" }],
  ["commits", { method: "GET", path: "/threads/launch/history" }],
  ["refusals", { method: "GET", path: "/threads/launch/history?rejections=true" }],
  ["append", operations("a")],
  ["create", { method: "PUT", path: "/threads/other", body: { definition: "board" } }],
  ["load", { method: "PUT", path: "/threads/third", body: { definition: "board" } }],
  ["delete", { method: "DELETE", path: "/threads/launch" }],
];

describe("a server whose log hangs", () => {
  it.each(HANGS)("in %s answers 503 with Retry-After, and then what was requested", async (call, request) => {
    const { log, hung, letGo } = hangingLog();
    const { url, errors } = await start({ log, logTimeout: 50 });
    await createBoard(url);
    await ask(url, operations("first"));
    hung.add(call);
    const response = await ask(url, request);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({ code: "log_unavailable" });
    expect(errors).toContainEqual(expect.objectContaining({ code: "timed_out" }));
    letGo();
    expect((await ask(url, request)).ok).toBe(true);
  });

  it("gives what was cut one effect, however often it is sent again", async () => {
    const { log, hung, letGo } = hangingLog();
    const { url } = await start({ log, logTimeout: 50 });
    const launch = await createBoard(url);
    hung.add("append");
    const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const cut = await Promise.all(ids.map((id) => ask(url, operations(id))));
    expect(new Set(cut.map(({ status }) => status))).toEqual(new Set([503]));
    letGo();
    const again = await Promise.all([...ids, ...ids].map((id) => ask(url, operations(id))));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await send(launch, "GET");
    expect(body.state.columns[0].cards.map(({ cardId }: { cardId: string }) => cardId).toSorted()).toEqual(
      ids.toSorted(),
    );
  });

  it("closes in time", async () => {
    const { log, hung, waiting } = hangingLog();
    const { url, server } = await start({ log, logTimeout: 50 });
    await createBoard(url);
    hung.add("append");
    const asked = ask(url, operations("a"));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await server.close();
    expect((await asked).status).toBe(503);
  });

  it("says what is no time", () => {
    const options = { definitions: [board], log: memoryLog(), insecure: true };
    expect(() => createServer({ ...options, logTimeout: 0 })).toThrow(
      "`logTimeout` must be milliseconds from 1, or Infinity, not 0.",
    );
  });
});

const postgres = startPostgres();
const schema = `opstate_test_${randomUUID().slice(0, 8)}`;
const pool = new Pool({ ...postgres?.config, max: 4 });
afterAll(async () => {
  if (postgres) await dropSchemas(pool, [schema]);
  await pool.end();
  await postgres?.stop();
});

describe("a server whose Postgres hangs", () => {
  it.skipIf(postgres?.hang === undefined)("answers 503 in time, and loses nothing", async () => {
    // The log itself would wait for longer than the test.
    const log: FullLog = postgresLog({ pool, schema, callTimeout: 600_000 });
    onTestFinished(() => log.close());
    const { url } = await start({ log, logTimeout: 2_000 });
    const launch = await createBoard(url);
    expect((await ask(url, operations("before"))).status).toBe(200);
    const goOn = postgres?.hang?.() ?? (() => undefined);
    const requests = [operations("a"), operations("b"), { method: "GET", path: "/threads/launch/history" }];
    try {
      const cut = await Promise.all(requests.map((request) => ask(url, request)));
      expect(cut.map(({ status }) => status)).toEqual([503, 503, 503]);
      expect(cut[0]?.headers.get("retry-after")).toBe("1");
    } finally {
      goOn();
    }
    const again = await Promise.all(["a", "b", "a", "after"].map((id) => ask(url, operations(id))));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await send(launch, "GET");
    expect(body.state.columns[0].cards.map(({ cardId }: { cardId: string }) => cardId).toSorted()).toEqual([
      "a",
      "after",
      "b",
      "before",
    ]);
  });
});
