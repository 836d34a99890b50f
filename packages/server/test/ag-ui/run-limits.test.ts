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
