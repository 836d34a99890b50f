// Runs that do not end, and too many of them: their thread stays usable.

import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../src/index.ts";
import { addCard } from "../support/board.ts";
import { runInput } from "../support/rights/routes.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

/** It never ends and looks at no signal. */
const hung: Agent = async function* () {
  await new Promise(() => undefined);
  yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m", role: "assistant", delta: "never" };
};
const quick: Agent = async function* () {};
const agents = { hung: { run: hung, definition: "board" }, quick: { run: quick, definition: "board" } };

const run = (url: string, name: string, id: string, signal?: AbortSignal) =>
  fetch(`${url}/ag-ui/${name}`, {
    method: "POST",
    headers: { ...ada, "content-type": "application/json" },
    body: JSON.stringify({ ...runInput("launch"), runId: id }),
    ...(signal === undefined ? {} : { signal }),
  });

describe("a run that does not end", () => {
  it("is ended after its time, and the next one begins", async () => {
    const { url } = await start({ agents, log: memoryLog(), runs: { timeoutMinutes: 0.001 } });
    await createBoard(url);
    const first = await run(url, "hung", "first");
    const next = await run(url, "quick", "next");
    expect(await first.text()).toContain('"code":"run_timeout"');
    expect(await next.text()).toContain("RUN_FINISHED");
    const { body } = await send(`${url}/threads/launch/operations`, "POST", addCard("c1"));
    expect(body.accepted).toBe(true);
  });

  it("lets only so many others wait for it", async () => {
    const { url } = await start({ agents, log: memoryLog(), runs: { queue: 2 } });
    await createBoard(url);
    const left = new AbortController();
    await run(url, "hung", "first", left.signal);
    const second = await run(url, "quick", "second");
    const third = await run(url, "quick", "third");
    expect(third.status).toBe(429);
    expect(third.headers.get("retry-after")).toBe("5");
    expect(await third.json()).toMatchObject({ code: "too_many_runs" });
    left.abort();
    expect(await second.text()).toContain("RUN_FINISHED");
  });
});

/** Requests with long messages; resolves when their runs have ended. */
async function runLong(url: string, ids: readonly string[], length: number): Promise<void> {
  for (const runId of ids) {
    const messages = [{ id: `u-${runId}`, role: "user", content: "x".repeat(length) }];
    const response = await fetch(`${url}/ag-ui/quick?detached=true`, {
      method: "POST",
      headers: { ...ada, "content-type": "application/json" },
      body: JSON.stringify({ ...runInput("launch"), runId, messages }),
    });
    expect(await response.text()).toContain("RUN_FINISHED");
  }
}

describe("what is kept of runs that have ended", () => {
  it("counts their requests, too", async () => {
    const { url } = await start({ agents, log: memoryLog(), runs: { keep: { total: 100_000 } } });
    await createBoard(url);
    await runLong(url, ["r1", "r2", "r3"], 40_000);
    const { body } = await send(`${url}/threads/launch/runs`, "GET");
    expect(body.map(({ runId }: { runId: string }) => runId)).toEqual(["r2", "r3"]);
  });
});

describe("a list of runs with long requests", () => {
  it("comes in pages, each run once and in order", async () => {
    const { url } = await start({ agents, log: memoryLog() });
    await createBoard(url);
    const ids = Array.from({ length: 7 }, (_, n) => `r${n}`);
    await runLong(url, ids, 400_000);
    const listed: string[][] = [];
    let next: string | undefined = `${url}/threads/launch/runs`;
    while (next !== undefined) {
      const response: Response = await fetch(next, { headers: ada });
      const infos = (await response.json()) as { runId: string; messages: { content: string }[] }[];
      for (const { messages } of infos) expect(messages[0]?.content).toHaveLength(400_000);
      listed.push(infos.map(({ runId }) => runId));
      const [, query] = /^<(\?[^>]+)>; rel="next"$/u.exec(response.headers.get("link") ?? "") ?? [];
      next = query && `${url}/threads/launch/runs${query}`;
    }
    expect(listed).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
    const { body } = await send(`${url}/threads/launch/runs?limit=2`, "GET");
    expect(body.map(({ runId }: { runId: string }) => runId)).toEqual(["r0", "r1"]);
    const brief = await send(`${url}/threads/launch/runs?messages=false`, "GET");
    expect(brief.body).toHaveLength(7);
    expect(brief.body[0]).not.toHaveProperty("messages");
    const found = await send(`${url}/threads/launch/runs?runId=r5&messages=false`, "GET");
    expect(found.body).toMatchObject([{ runId: "r5" }]);
    expect((await send(`${url}/threads/launch/runs?continues=r5`, "GET")).body).toEqual([]);
    const page = await fetch(`${url}/threads/launch/runs?messages=false&runId=r1&limit=1`, { headers: ada });
    const [, query = ""] = /^<([^>]+)>; rel="next"$/u.exec(page.headers.get("link") ?? "") ?? [];
    expect(await page.json()).toMatchObject([{ runId: "r1" }]);
    expect((await send(`${url}/threads/launch/runs${query}`, "GET")).body).toEqual([]);
    const wrong = await send(`${url}/threads/launch/runs?after=r3`, "GET");
    expect(wrong).toMatchObject({ status: 400, body: { code: "invalid_query" } });
  });
});

describe("the id of a run", () => {
  it.each(["", "x".repeat(201), "a\nb", "\ud800"])("may not be %j", async (runId) => {
    const { url } = await start({ agents, log: memoryLog() });
    await createBoard(url);
    const response = await run(url, "quick", runId);
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_id" }]);
  });
});
