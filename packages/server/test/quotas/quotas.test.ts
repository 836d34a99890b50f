// Quotas over HTTP: who gets 429, with which words, what others notice, and that a real client
// loses no edit by it and keeps their order.

import { createClient } from "@opstate/client";
import { remoteThread } from "@opstate/client/remote";
import { defineState } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { Demand } from "../../src/index.ts";
import { addCard } from "../support/board.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

/** So slow that nothing comes back while a test runs. */
const few = { submissions: { perSecond: 0.01, burst: 5 } };
const bob = asUser("bob", "read", "write");

const numbers = defineState({
  name: "numbers",
  schema: z.object({ items: z.array(z.int()) }),
  initial: { items: [] },
  operations: {
    push: {
      input: z.object({ item: z.int() }),
      apply(draft, { item }) {
        draft.items.push(item);
      },
    },
  },
});

async function serve(options: Parameters<typeof start>[0]) {
  const running = await start(options);
  const thread = await createBoard(running.url);
  const post = (cards: readonly string[], headers = ada, id = "launch") =>
    send(
      `${running.url}/threads/${id}/operations`,
      "POST",
      cards.map((card) => addCard(card)),
      headers,
    );
  return { ...running, thread, post };
}

describe("submissions of one actor to one thread", () => {
  it("are refused as a whole, with words and a time, when they were too many", async () => {
    const { thread, post } = await serve({ quotas: few });
    expect((await post(["a", "b", "c", "d", "e", "f", "g", "h"])).status).toBe(200);
    const response = await fetch(`${thread}/operations`, {
      method: "POST",
      headers: { ...ada, "content-type": "application/json" },
      body: JSON.stringify([addCard("i"), addCard("j")]),
    });
    const wait = Number(response.headers.get("retry-after"));
    expect([response.status, wait > 200, wait <= 300]).toEqual([429, true, true]);
    expect(await response.json()).toMatchObject({
      code: "too_many_submissions",
      detail: `The user "ada" has submitted too much to thread "launch" for now. Nothing was accepted: send it again in ${wait} seconds.`,
    });
    expect((await send(thread, "GET")).body.version).toBe(8);
  });

  it("say nothing of other actors, and nothing of other threads in the same request", async () => {
    const { url, post } = await serve({ quotas: few });
    await createBoard(url, "other");
    await post(["a", "b", "c", "d", "e", "f"]);
    expect((await post(["g"])).status).toBe(429);
    expect((await post(["g"], bob)).status).toBe(200);
    const items = ["launch", "other", "launch"].map((thread, index) => ({ thread, operation: addCard(`m${index}`) }));
    const { status, body } = await send(`${url}/operations`, "POST", items);
    expect(status).toBe(200);
    const refused = { problem: { status: 429, code: "too_many_submissions", retryAfter: expect.any(Number) } };
    expect(body).toMatchObject([refused, { accepted: true }, refused]);
  });

  it("count when they propose, too", async () => {
    const { thread, post } = await serve({ quotas: few });
    await post(["a", "b", "c", "d", "e", "f"]);
    expect(await send(`${thread}/proposals`, "POST", { operation: addCard("p") })).toMatchObject({ status: 429 });
  });
});

describe("what one actor costs", () => {
  it("is refused before a body is read, on every thread, and says nothing of others", async () => {
    const { url, post } = await serve({ quotas: { cost: { perSecond: 0.001, burst: 30 } } });
    await createBoard(url, "other");
    const explain = `${url}/threads/other/explain?pointer=/columns`;
    expect((await send(explain, "GET")).status).toBe(200);
    expect((await send(explain, "GET")).status).toBe(200);
    const refused = await post(["a"]);
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(refused.body.detail).toMatch(/^The user "ada" has used up what one actor may cost for now\./);
    expect((await send(`${url}/threads`, "GET")).status).toBe(429);
    expect((await post(["a"], bob)).status).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("is the time in which the operations were judged, of runs and jobs in this process too", async () => {
    const demands: Demand[] = [];
    const slow = defineState({
      name: "slow",
      schema: z.object({ n: z.int() }),
      initial: { n: 0 },
      operations: {
        work: {
          input: z.object({}),
          apply(draft) {
            const end = performance.now() + 40;
            while (performance.now() < end) draft.n += 1;
          },
        },
      },
    });
    const { server, url } = await start({
      definitions: [slow],
      quotas: {
        cost: { perSecond: 0.001, burst: 1_000_000 },
        decide(demand) {
          demands.push(demand);
          return demand.wait;
        },
      },
    });
    const thread = await server.thread("t", slow);
    onTestFinished(() => thread.close());
    await thread.dispatch({ type: "work" }, { actor: { kind: "user", id: "ada" } });
    await send(`${url}/threads`, "GET");
    expect(demands.at(-1)).toMatchObject({ actor: { id: "ada" }, route: "/threads", submissions: 0, wait: 0 });
    expect(demands.at(-1)?.cost).toBeGreaterThan(30);
  });
});

describe("the application's own decision", () => {
  it("sees who requests what, and counts in place of the quotas", async () => {
    const demands: Demand[] = [];
    const { thread, post } = await serve({
      quotas: {
        ...few,
        decide(demand) {
          demands.push(demand);
          return demand.actor.id === "bob" && demand.submissions > 1 ? 7 : 0;
        },
      },
    });
    for (let index = 0; index < 10; index += 1) expect((await post([`a${index}`])).status).toBe(200);
    const response = await fetch(`${thread}/operations`, {
      method: "POST",
      headers: { ...bob, "content-type": "application/json", "x-request-id": "r-7" },
      body: JSON.stringify([addCard("b1"), addCard("b2")]),
    });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    const asked = {
      actor: { kind: "user", id: "bob" },
      requestId: "r-7",
      method: "POST",
      route: "/threads/:id/operations",
      cost: expect.any(Number),
      wait: 0,
    };
    expect(demands.slice(-2)).toEqual([
      { ...asked, submissions: 0 },
      { ...asked, threadId: "launch", submissions: 2 },
    ]);
    expect(demands.some(({ wait }) => wait > 0)).toBe(true);
  });

  it.each<[string, () => number | Promise<number>]>([
    [
      "throws",
      () => {
        throw new Error("the counter is down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the counter is down"))],
    ["gives no number", () => Number.NaN],
  ])("that %s is reported, and the quotas count", async (_how, decide) => {
    const { post, errors } = await serve({ quotas: { ...few, decide } });
    expect((await post(["a", "b", "c", "d", "e", "f"])).status).toBe(200);
    expect((await post(["g"])).status).toBe(429);
    expect(String(errors[0])).toMatch(/the counter is down|a number of seconds/);
  });
});

describe("the options", () => {
  it.each([
    { cost: { perSecond: 0, burst: 1 } },
    { submissions: { perSecond: 1, burst: 0 } },
    { cost: { perSecond: Number.NaN, burst: 1 } },
  ])("that are none are refused: %o", async (quotas) => {
    await expect(start({ quotas })).rejects.toThrow(/`quotas\.(cost|submissions)` must be/);
  });

  it("by default let a person do what a person does, many times over", async () => {
    const { post } = await serve({});
    // A page that comes back with a thousand edits, and a drag of ten minutes in one go.
    for (let index = 0; index < 20; index += 1)
      expect((await post(Array.from({ length: 256 }, (_, item) => `c${index}-${item}`))).status).toBe(200);
  });
});

describe("a client that has to wait", () => {
  async function serveNumbers(quotas: NonNullable<Parameters<typeof start>[0]>["quotas"]) {
    const seen = { refusals: 0 };
    const running = await start({
      definitions: [numbers],
      quotas: {
        ...quotas,
        decide({ actor, wait }) {
          if (actor.id === "root") return 0;
          if (wait > 0) seen.refusals += 1;
          return wait;
        },
      },
    });
    const root = asUser("root", "read", "write");
    await send(`${running.url}/threads/n`, "PUT", { definition: "numbers" }, root);
    const stored = async () => (await send(`${running.url}/threads/n`, "GET", undefined, root)).body.state.items;
    return { ...running, stored, seen };
  }

  it.each<[string, NonNullable<Parameters<typeof start>[0]>["quotas"]]>([
    ["by one thread", { submissions: { perSecond: 20, burst: 5 } }],
    ["by the server", { cost: { perSecond: 6, burst: 3 } }],
  ])("%s loses no edit, makes none twice and keeps their order", async (_who, quotas) => {
    const { url, stored, seen } = await serveNumbers(quotas);
    const client = createClient({ url, headers: ada });
    onTestFinished(() => client.close());
    const thread = client.thread(numbers, "n");
    onTestFinished(thread.subscribe(() => {}));
    await thread.ready();
    const items = Array.from({ length: 40 }, (_, item) => item);
    const verdicts: Promise<{ readonly accepted: boolean }>[] = [];
    for (const item of items) {
      verdicts.push(thread.dispatch(numbers.op.push({ item })));
      // So that they are in several requests.
      if (item % 8 === 0) await verdicts.at(-1);
    }
    expect((await Promise.all(verdicts)).every(({ accepted }) => accepted)).toBe(true);
    expect(seen.refusals).toBeGreaterThan(0);
    expect(await stored()).toEqual(items);
    expect(thread.getState().items).toEqual(items);
  });

  it("from another process sends it again by itself", async () => {
    const { url, stored, seen } = await serveNumbers({ submissions: { perSecond: 2, burst: 2 } });
    const thread = await remoteThread({ url, headers: bob, definition: numbers, threadId: "n" });
    onTestFinished(() => thread.close());
    const actor = { kind: "user", id: "bob" };
    for (let item = 0; item < 6; item += 1)
      expect((await thread.dispatch(numbers.op.push({ item }), { actor })).accepted).toBe(true);
    expect(await stored()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(seen.refusals).toBeGreaterThan(0);
  });
});
