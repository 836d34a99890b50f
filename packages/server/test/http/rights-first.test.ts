// Rights are checked before anything is read. These tests count what the server read, not how long
// it took.

import { HttpAgent } from "@ag-ui/client";
import { type Log, memoryLog } from "@opstate/core";
import type { ThreadInfo } from "@opstate/core/log";
import { describe, expect, it, vi } from "vitest";
import { createServer } from "../../src/index.ts";
import { board } from "../support/board.ts";
import { agents, routes, runInput } from "../support/rights/routes.ts";
import { ada, asUser, authorize, send, start } from "../support/server.ts";

const start64 = 64 * 1024;
const chunk = 16 * 1024;

/** A body that is made while it is read. */
function countedBody(text: string) {
  const bytes = new TextEncoder().encode(text);
  const counted = { taken: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = bytes.subarray(counted.taken, counted.taken + chunk);
        counted.taken += next.length;
        if (next.length === 0) controller.close();
        else controller.enqueue(next);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, counted, size: bytes.length };
}

async function post(path: string, method: string, text: string, headers: Record<string, string>) {
  const log = memoryLog();
  const server = createServer({ definitions: [board], log, authorize, agents });
  await log.create({ threadId: "launch", definition: "board", definitionVersion: 1, state: board.initial, at: "" });
  const { body, counted, size } = countedBody(text);
  const parse = vi.spyOn(JSON, "parse");
  const init = { method, headers: { ...headers, "content-type": "application/json" }, body, duplex: "half" as const };
  const response = await server.fetch(new Request(`http://x${path}`, init));
  const parsed = Math.max(0, ...parse.mock.calls.map(([given]) => given.length));
  parse.mockRestore();
  const answer = { status: response.status, taken: counted.taken, size, parsed, text: await response.text() };
  await server.close();
  return { ...answer, log };
}

const stranger = asUser("eve");
const messages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `m${index}`, role: "nobody", content: "x".repeat(80) }));
const large = (threadId: string) => ({ ...runInput(threadId), messages: messages(60_000) });

describe("a body", () => {
  it.each(
    routes
      .filter(([, method]) => method === "POST" || method === "PUT")
      .map((route) => [`${route[1]} ${route[2](":id")}`, route] as const),
  )("of %s is not read for who has no right there", async (_name, [, method, path, body]) => {
    // As the input of a run it would take long to parse.
    const isRun = path("").startsWith("/ag-ui/");
    const text = JSON.stringify(isRun ? large("launch") : body("launch"));
    const inBody = isRun && !path("").includes("?");
    for (const [headers, status] of [
      [stranger, 403],
      [{}, 401],
    ] as const) {
      const { taken, size, parsed, ...answer } = await post(path("launch"), method, text, headers);
      expect(answer.status).toBe(status);
      // The body names the thread.
      expect(taken).toBeLessThanOrEqual(inBody && status === 403 ? start64 : 0);
      expect(parsed).toBeLessThan(100);
      if (isRun) expect(size).toBeGreaterThan(5_000_000);
    }
  });

  it("of a run by an actor who may run is read to its end, wherever it names the thread", async () => {
    const small = runInput("launch");
    const { threadId, ...rest } = { ...small, forwardedProps: { threadId: "secret", text: "x".repeat(5 * start64) } };
    for (const [path, input] of [
      ["/ag-ui/echo", { threadId, ...rest }],
      ["/ag-ui/echo?threadId=launch", { ...rest, threadId }],
      ["/ag-ui/echo", { ...small, threadId }],
      [
        "/ag-ui/echo",
        {
          messages: [],
          tools: [],
          context: [{ description: '"threadId": "secret"', value: "}" }],
          runId: "r1",
          threadId,
        },
      ],
    ] as const) {
      const { status, taken, size, text } = await post(path, "POST", JSON.stringify(input), ada);
      expect([status, taken]).toEqual([200, size]);
      expect(text).toContain("RUN_FINISHED");
    }
  });

  it("of a run that names its thread too late is refused with a reason and read no further", async () => {
    const { threadId, ...rest } = large("launch");
    const { status, taken, text } = await post("/ag-ui/echo", "POST", JSON.stringify({ ...rest, threadId }), ada);
    expect([status, JSON.parse(text).code, taken <= start64]).toEqual([400, "invalid_body", true]);
    expect(text).toContain("within the first 64 KB of the body, or in the query");
  });

  it("of a run cannot avoid the rights with a thread that it names twice or with escapes", async () => {
    const filling = "x".repeat(2 * start64);
    const { threadId: _, ...rest } = runInput("");
    const more = JSON.stringify({ ...rest, forwardedProps: { filling } }).slice(1);
    const bodies: readonly (readonly [path: string, text: string, status: number])[] = [
      ["/ag-ui/echo", `{"threadId":"launch",${more.slice(0, -1)},"threadId":"secret"}`, 400],
      ["/ag-ui/echo", `{"threadId":"launch",${more.slice(0, -1)},"thread\\u0049d":"secret"}`, 400],
      ["/ag-ui/echo?threadId=launch", `{"threadId":"secret",${more}`, 400],
      ["/ag-ui/echo?threadId=secret", `{"threadId":"launch",${more}`, 403],
      ["/ag-ui/echo", `{"threadId":"\\u0073ecret",${more}`, 403],
      ["/ag-ui/echo", `{"thread\\u0049d":"secret",${more}`, 403],
      ["/ag-ui/echo", JSON.stringify({ ...rest, threadId: "secret" }), 403],
      ["/ag-ui/echo", JSON.stringify(rest).replace("{", '{"thread\\u0049d":"secret",'), 403],
    ];
    for (const [path, text, status] of bodies) {
      const answer = await post(path, "POST", text, ada);
      expect(answer.status, text.slice(0, 60)).toBe(status);
      expect(await answer.log.info("secret")).toBeUndefined();
    }
  });

  it("of a run is accepted from an unmodified client, also with the thread in the address", async () => {
    const { url } = await start({ agents });
    for (const query of ["", "?threadId=launch"]) {
      const agent = new HttpAgent({ url: `${url}/ag-ui/echo${query}`, threadId: "launch", headers: ada });
      const types: string[] = [];
      await agent.runAgent({}, { onEvent: ({ event }) => void types.push(event.type) });
      expect(types.at(-1)).toBe("RUN_FINISHED");
    }
  });
});

describe("the list of threads", () => {
  const mine = (index: number) => index % 7 === 3;

  async function withThreads(count: number, over: Partial<Log> = {}) {
    const log = memoryLog();
    for (let index = 0; index < count; index += 1) {
      const threadId = `${mine(index) ? "mine" : "other"}-${index}`;
      await log.create({ threadId, definition: "board", definitionVersion: 1, state: {}, at: "" });
    }
    const counted = { listed: 0, whole: 0, asked: 0 };
    const { page } = log;
    if (!page) throw new Error("A memory log has pages.");
    const counting: Log = {
      ...log,
      async page(range) {
        const found = await page(range);
        counted.listed += found.threads.length;
        return found;
      },
      list(range) {
        counted.whole += 1;
        return log.list(range);
      },
      ...over,
    };
    const { url } = await start({
      log: counting,
      origins: ["https://app.example"],
      authorize: (request) => ({
        actor: { kind: "user", id: "x" },
        allows: (threadId) => ((counted.asked += 1), threadId.startsWith(request.headers.get("x-team") ?? "mine")),
      }),
    });
    return { url, counted };
  }

  /** Follows the links. */
  async function all(url: string, query = ""): Promise<{ readonly pages: readonly (readonly string[])[] }> {
    const pages: string[][] = [];
    for (let next: string | undefined = `${url}/threads${query}`; next !== undefined;) {
      const response: Response = await fetch(next);
      const threads = (await response.json()) as ThreadInfo[];
      pages.push(threads.map(({ threadId }) => threadId));
      const link = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
      next = link === undefined ? undefined : new URL(link, next).href;
    }
    return { pages };
  }

  const expected = (count: number) =>
    Array.from({ length: count }, (_, index) => index).flatMap((index) => (mine(index) ? [`mine-${index}`] : []));

  it("is read a page at a time, for every actor", async () => {
    const { url, counted } = await withThreads(5_000);
    for (const [query, most] of [
      ["", 500],
      ["?limit=20", 20],
      ["?limit=999999", 1_000],
    ] as const) {
      Object.assign(counted, { listed: 0, asked: 0 });
      expect(await send(`${url}/threads${query}`, "GET", undefined, { "x-team": "nobody" })).toMatchObject({
        status: 200,
        body: [],
      });
      expect(counted).toEqual({ listed: most, asked: most, whole: 0 });
    }
  });

  it("is complete when its links are followed, in the order of creation, also across pages that are empty for the actor", async () => {
    for (const [count, query] of [
      [1_234, ""],
      [1_234, "?limit=1000"],
      [1_234, "?limit=1234"],
      [100, "?limit=3"],
      [20, "?limit=0"],
    ] as const) {
      const { pages } = await all((await withThreads(count)).url, query);
      expect(pages.flat()).toEqual(expected(count));
      if (query === "?limit=3") expect(pages.some((page) => page.length === 0)).toBe(true);
    }
  });

  it("refuses an invalid link, and lets pages of other origins read it", async () => {
    const { url } = await withThreads(10);
    for (const query of ["?after=x", "?after=", "?after=-1", "?limit=x"])
      expect(await send(`${url}/threads${query}`, "GET")).toMatchObject({
        status: 400,
        body: { code: "invalid_query" },
      });
    const response = await fetch(`${url}/threads?limit=1`, { headers: { origin: "https://app.example" } });
    const exposed = response.headers.get("access-control-expose-headers")?.split(",");
    expect(exposed).toEqual(expect.arrayContaining(["retry-after", "link", "x-request-id", "opstate-version"]));
  });

  it("of a log without pages is read as a whole and answered in pages", async () => {
    const { page: _, ...log } = memoryLog();
    for (let index = 0; index < 25; index += 1)
      await log.create({ threadId: `mine-${index}`, definition: "board", definitionVersion: 1, state: {}, at: "" });
    const { url } = await start({ log, authorize: () => ({ actor: { kind: "user", id: "x" }, allows: () => true }) });
    const { pages } = await all(url, "?limit=10");
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
  });
});
