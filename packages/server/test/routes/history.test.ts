// The past of a thread over HTTP: history, earlier states, explanations, compaction.

import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { readEvents } from "../support/events.ts";
import { ada, add, bob, list, robot } from "../support/rights/kinds.ts";
import { startWithList } from "../support/list-thread.ts";
import { send } from "../support/server.ts";

describe("the past", () => {
  async function threeCommits() {
    const { thread, post } = await startWithList();
    for (const id of ["a", "b", "c"]) await post("/operations", { id, operation: add(id) }, robot);
    await post("/operations", { id: "bad", operation: add("c") }, bob);
    return { get: (path = "") => send(`${thread}${path}`, "GET", undefined, bob) };
  }

  it.each([
    ["?order=descending&limit=2", ["c", "b"]],
    ["?order=descending&before=2", ["a"]],
    ["?order=descending&rejections=true&limit=2", ["bad", "c"]],
    ["?before=3", ["a", "b"]],
  ])("is read in both orders: %s", async (query, ids) => {
    const { get } = await threeCommits();
    const { body } = await get(`/history${query}`);
    expect(body.map(({ commit, refusal }: any) => (commit ?? refusal).id)).toEqual(ids);
  });

  it("is not read in another order", async () => {
    const { get } = await threeCommits();
    expect(await get("/history?order=up")).toMatchObject({ status: 400, body: { code: "invalid_query" } });
  });

  it("has the state at each version, and at no other", async () => {
    const { get } = await threeCommits();
    expect((await get("/states/1")).body).toEqual({ version: 1, state: { items: ["a"] } });
    for (const version of ["4", "-1", "x"])
      expect(await get(`/states/${version}`)).toMatchObject({ status: 404, body: { code: "unknown_version" } });
  });

  it("explains who wrote a value in the state", async () => {
    const { get } = await threeCommits();
    expect((await get("/explain?pointer=/items/1")).body).toMatchObject({
      commit: { id: "b" },
      actor: { id: "robot" },
    });
    expect(await get("/explain?pointer=items")).toMatchObject({ status: 400, body: { code: "invalid_query" } });
    expect(await get("/explain")).toMatchObject({ status: 400 });
  });

  it("belongs to one incarnation, and begins at its floor", async () => {
    const { get } = await threeCommits();
    expect((await get()).body).toMatchObject({ incarnation: expect.stringMatching(/^[0-9a-f]{32}$/), floor: 0 });
  });

  it("ends at the floor of a compaction", async () => {
    const { thread, post } = await startWithList({ compact: { keep: 2 } });
    for (let index = 1; index <= 6; index++)
      await post("/operations", { id: `${index}`, operation: add(`${index}`) }, robot);
    await expect.poll(async () => (await send(thread, "GET", undefined, bob)).body.floor).toBeGreaterThan(0);
    expect(await send(`${thread}/states/0`, "GET", undefined, bob)).toMatchObject({
      status: 410,
      body: { code: "compacted" },
    });
    expect(await post("/operations", { id: "1", operation: add("1") }, robot)).toMatchObject({
      status: 200,
      body: { accepted: true, version: 1 },
    });
  });
});

describe("compaction", () => {
  async function fourCommits() {
    const { thread, ...rest } = await startWithList();
    for (const id of ["a", "b", "c", "d"]) await rest.post("/operations", { id, operation: add(id) }, robot);
    return { thread, floor: async () => (await send(thread, "GET", undefined, bob)).body.floor, ...rest };
  }

  it("needs the right admin", async () => {
    const { post, client, floor } = await fourCommits();
    expect(await post("/compact", { keep: 1 }, bob)).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    await expect(client(bob).compact({ keep: 1 })).rejects.toMatchObject({ status: 403, code: "not_allowed" });
    expect(await floor()).toBe(0);
  });

  it.each([
    [{}],
    [{ keep: -1 }],
    [{ keep: "1" }],
    [{ before: 0 }],
    [{ before: 6 }],
    [{ keep: 1, before: 2 }],
    [{ keep: 1, more: 1 }],
    [[]],
  ])("refuses the body %j", async (body) => {
    const { post, floor } = await fourCommits();
    expect(await post("/compact", body)).toMatchObject({ status: 400, body: { code: "invalid_body" } });
    expect(await floor()).toBe(0);
  });

  it("keeps the requested commits, and never lowers the floor", async () => {
    const { thread, post, client } = await fourCommits();
    expect(await post("/compact", { before: 3 })).toMatchObject({ status: 200, body: { floor: 2 } });
    expect(await client(ada).compact({ keep: 1 })).toBe(3);
    expect(await client(ada).compact({ keep: 100 })).toBe(3);
    expect((await send(thread, "GET", undefined, bob)).body).toMatchObject({ floor: 3, version: 4 });
    expect((await client(bob).history()).map((entry) => entry.kind === "commit" && entry.commit.id)).toEqual(["d"]);
  });

  it("keeps the verdicts of ids", async () => {
    const { post, client } = await fourCommits();
    await client(ada).compact({ keep: 1 });
    expect(await post("/operations", { id: "a", operation: add("a") }, robot)).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
  });

  it("is not possible on a branch", async () => {
    const { url, post } = await fourCommits();
    const branch = (await post("/branches", {}, bob)).body.threadId;
    expect(await send(`${url}/threads/${branch}/compact`, "POST", { keep: 0 }, ada)).toMatchObject({
      status: 409,
      body: { code: "invalid_branch" },
    });
  });
});

describe("a reader", () => {
  it("gets a snapshot when another process compacted what it has not read", async () => {
    // It announces nothing.
    const { watch: _, ...log } = memoryLog();
    const { thread, post } = await startWithList({ log });
    const events = await readEvents(`${thread}/events?after=0`, bob);
    expect((await events.next()).event).toBe("welcome");
    const elsewhere = await openThread({ definition: list, log: { ...log }, threadId: "t" });
    for (const item of ["a", "b"]) await elsewhere.dispatch(add(item), { actor: { kind: "user", id: "eve" } });
    await elsewhere.compact({ keep: 0 });
    expect(await post("/operations", add("c"))).toMatchObject({ status: 200, body: { version: 3 } });
    expect(await events.until(3)).toMatchObject([
      { event: "snapshot", data: expect.stringContaining('["a","b","c"]') },
    ]);
    await post("/operations", add("d"));
    expect(await events.next()).toMatchObject({ event: "commits", id: "4" });
  });
});
