// Undo, proposals, branches and the past over HTTP: who may, what is refused, and what a page's
// client makes of it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { threadClient } from "../src/client/index.ts";
import { sqliteLog } from "../src/sqlite/index.ts";
import { readEvents } from "./support/events.ts";
import { ada, add, as, bob, list, robot, wipe } from "./support/kinds.ts";
import { send, start } from "./support/server.ts";

async function started(options: Parameters<typeof start>[0] = {}) {
  const { url, ...rest } = await start({ definitions: [list], ...options });
  const thread = `${url}/threads/t`;
  await send(thread, "PUT", { definition: "list" }, ada);
  const post = (path: string, body: unknown, who = ada) => send(thread + path, "POST", body, who);
  const client = (who = ada) => threadClient<typeof list>({ url, threadId: "t", headers: who });
  const items = async () => (await send(thread, "GET", undefined, ada)).body.state.items;
  return { url, thread, post, client, items, ...rest };
}

describe("undo", () => {
  it("takes back one's own work with the right to write, and others' with the right to undo", async () => {
    const { post, items } = await started();
    await post("/operations", { id: "a", operation: add("a") }, robot);
    await post("/operations", { id: "b", operation: add("b"), runId: "r" }, bob);
    expect(await post("/undo", { target: { ids: ["a"] } }, bob)).toMatchObject({
      status: 403,
      body: { code: "forbidden", accepted: false },
    });
    expect(await post("/undo", { target: { runId: "r" }, id: "u" }, bob)).toMatchObject({
      status: 200,
      body: { accepted: true, version: 3, commit: { id: "u", operation: { type: "$undo", ids: ["b"] } } },
    });
    expect(await post("/undo", { target: { runId: "r" }, id: "u" }, bob)).toMatchObject({
      status: 200,
      body: { version: 3 },
    });
    expect(await post("/undo", { target: { actor: { kind: "agent", id: "robot" } } })).toMatchObject({ status: 200 });
    expect(await items()).toEqual([]);
    expect(await post("/undo", { target: { ids: ["u"] } }, bob)).toMatchObject({ status: 200 });
    expect(await items()).toEqual(["b"]);
  });

  it.each([{ runId: "r" }, { actor: { kind: "agent", id: "robot" } }])(
    "of %j takes back what was approved and merged for it, also after a restart, by who has the right to undo",
    async (target) => {
      const folder = mkdtempSync(join(tmpdir(), "opstate-take-back-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, "log.sqlite");
      const before = sqliteLog({ path });
      const first = await started({ log: before });
      await first.post("/operations", add("kept"));
      await first.post("/proposals", { operation: add("proposed"), id: "p", runId: "r" }, robot);
      await first.post("/proposals/p/approve", { id: "yes", runId: "ada's" });
      const { threadId } = (await first.post("/branches", {}, robot)).body;
      await send(
        `${first.url}/threads/${threadId}/operations`,
        "POST",
        { operation: add("branched"), runId: "r" },
        robot,
      );
      await first.post(`/branches/${threadId}/merge`, {});
      await first.server.close();
      await before.close();

      const log = sqliteLog({ path });
      const { post, items } = await started({ log });
      onTestFinished(() => log.close());
      expect(await items()).toEqual(["kept", "proposed", "branched"]);
      // Ada gave her word for these: whoever may take back their own work only does not get at
      // them.
      for (const who of [robot, bob])
        expect(await post("/undo", { target: { ...target, since: 2 } }, who)).toMatchObject({
          status: 403,
          body: { code: "forbidden", rejection: { details: { version: 3, actor: { kind: "user", id: "ada" } } } },
        });
      expect(await post("/undo", { target: { runId: "ada's" } })).toMatchObject({
        status: 200,
        body: { accepted: true, version: 4 },
      });
      expect(await post("/undo", { target, id: "u" })).toMatchObject({
        status: 200,
        body: { commit: { operation: { versions: [2, 3, 4] } } },
      });
      expect(await items()).toEqual(["kept"]);
      expect(await post("/undo", { target: { ids: ["u"] } })).toMatchObject({ status: 200 });
      expect(await items()).toEqual(["kept", "proposed", "branched"]);
    },
  );

  it("says what depends on it, and drops it when told to", async () => {
    const { post, items } = await started();
    await post("/operations", { id: "a", operation: add("a") }, ada);
    await post("/operations", { id: "w", operation: wipe }, ada);
    await post("/operations", { id: "again", operation: add("a") }, ada);
    expect(await post("/undo", { target: { ids: ["w"] } })).toMatchObject({
      status: 409,
      body: { code: "conflict", rejection: { reason: "dependents", details: { dependents: ["again"] } } },
    });
    expect(await post("/undo", { target: { ids: ["w"] }, onDependent: "drop" })).toMatchObject({ status: 200 });
    expect(await items()).toEqual(["a"]);
  });

  it("takes no actor and nothing unknown", async () => {
    const { post } = await started();
    const target = { ids: ["a"] };
    const cases = [
      [{ target, actor: { kind: "user", id: "ada" } }, "actor_in_body"],
      [{ target, allows: true }, "invalid_body"],
      [{ target: { ...target, others: true } }, "invalid_body"],
      [{ target: "a" }, "invalid_body"],
      [{}, "invalid_body"],
      [{ target, onDependent: "ask" }, "invalid_body"],
      [{ target, expectedVersion: -1 }, "invalid_body"],
      [[target], "invalid_body"],
    ] as const;
    for (const [body, code] of cases)
      expect(await post("/undo", body), JSON.stringify(body)).toMatchObject({ status: 400, body: { code } });
    expect(await post("/undo", { target: {} })).toMatchObject({ status: 422, body: { code: "invalid_operation" } });
  });
});

describe("proposals", () => {
  it("wait for somebody who may approve, and are listed until then", async () => {
    const { thread, post, items } = await started();
    await post("/operations", add("a"));
    expect(await post("/operations", wipe, robot)).toMatchObject({ status: 409, body: { code: "needs_approval" } });
    expect(await post("/proposals", { operation: wipe, id: "p/1" }, robot)).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect((await send(`${thread}/proposals`, "GET", undefined, bob)).body).toMatchObject([
      {
        id: "p/1",
        version: 2,
        operation: wipe,
        actor: { kind: "agent", id: "robot" },
        sentence: "wipe {} (Take everything off)",
        stale: [],
      },
    ]);
    expect(await post("/proposals/p%2F1/approve", {}, robot)).toMatchObject({
      status: 403,
      body: { code: "not_allowed" },
    });
    expect(await post("/proposals/p%2F1/approve", {}, as("agent", "robot", "read", "approve"))).toMatchObject({
      status: 403,
      body: { code: "forbidden", rejection: { message: expect.stringMatching(/somebody other than its proposer/) } },
    });
    expect(await post("/proposals/p%2F1/approve", { proposedAt: 1 })).toMatchObject({
      status: 409,
      body: { rejection: { reason: "unknown_id" } },
    });
    expect(await post("/proposals/p%2F1/approve", { id: "yes", proposedAt: 2 })).toMatchObject({
      status: 200,
      body: { commit: { operation: { type: "$approve", proposer: { kind: "agent", id: "robot" } } } },
    });
    expect(await items()).toEqual([]);
    expect((await send(`${thread}/proposals`, "GET", undefined, bob)).body).toEqual([]);
  });

  it("are carried out anyway by who may approve, although others changed what they change", async () => {
    const { post, items, client } = await started();
    await post("/operations", add("a"));
    await post("/proposals", { operation: wipe, id: "p" }, robot);
    await post("/operations", add("b"));
    expect(await post("/proposals/p/approve", {})).toMatchObject({
      status: 409,
      body: { rejection: { reason: "changed" } },
    });
    expect(await post("/proposals/p/approve", { anyway: "yes" })).toMatchObject({
      status: 400,
      body: { code: "invalid_body" },
    });
    expect(await post("/proposals/p/approve", { anyway: true }, bob)).toMatchObject({
      status: 403,
      body: { code: "not_allowed" },
    });
    expect(await post("/proposals/p/approve", { anyway: true }, as("agent", "robot", "read", "approve"))).toMatchObject(
      {
        status: 403,
        body: { code: "forbidden", rejection: { message: expect.stringMatching(/somebody other than its proposer/) } },
      },
    );
    expect(await items()).toEqual(["a", "b"]);
    expect(await client(ada).approve("p", { id: "yes", anyway: true })).toMatchObject({
      accepted: true,
      commit: { operation: { type: "$approve", proposer: { kind: "agent", id: "robot" }, anyway: true } },
    });
    expect(await items()).toEqual([]);
  });

  it("are declined by who may approve, and by their proposer", async () => {
    const { post } = await started();
    await post("/operations", add("a"));
    await post("/proposals", { operation: wipe, id: "p" }, robot);
    await post("/proposals", { operation: wipe, id: "q" }, robot);
    expect(await post("/proposals/p/decline", {}, bob)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await post("/proposals/p/decline", { reason: "keep it" })).toMatchObject({
      status: 200,
      body: { commit: { operation: { reason: "keep it" } } },
    });
    expect(await post("/proposals/q/decline", {}, robot)).toMatchObject({ status: 200 });
    expect(await post("/proposals/q/decline", {}, as("user", "eve", "read"))).toMatchObject({
      status: 403,
      body: { code: "not_allowed" },
    });
  });

  it("show their proposer nothing of a state that he may not read", async () => {
    const { post } = await started();
    await post("/operations", add("Confidential"));
    const blind = await post("/proposals", { operation: wipe }, as("agent", "blind", "write"));
    expect(blind).toMatchObject({
      status: 200,
      body: { accepted: true, commit: { operation: { type: "$propose", operation: wipe } } },
    });
    expect(JSON.stringify(blind.body)).not.toContain("Confidential");
    expect(JSON.stringify((await post("/proposals", { operation: wipe }, robot)).body)).toContain("Confidential");
  });

  it("take no actor and nothing unknown", async () => {
    const { post } = await started();
    await post("/proposals", { operation: add("a"), id: "p" }, robot);
    const cases = [
      ["/proposals", { operation: wipe, actor: { kind: "user", id: "ada" } }, "actor_in_body"],
      ["/proposals", { operation: wipe, allows: true }, "invalid_body"],
      ["/proposals", { id: "x" }, "invalid_body"],
      ["/proposals", { operation: wipe, expiresAt: 7 }, "invalid_body"],
      ["/proposals/p/approve", { actor: { kind: "user", id: "ada" } }, "actor_in_body"],
      ["/proposals/p/approve", { force: true }, "invalid_body"],
      ["/proposals/p/approve", { proposedAt: "1" }, "invalid_body"],
      ["/proposals/p/decline", { reason: 7 }, "invalid_body"],
    ] as const;
    for (const [path, body, code] of cases)
      expect(await post(path, body), JSON.stringify(body)).toMatchObject({ status: 400, body: { code } });
    expect(await post("/proposals", { operation: add("a"), expiresAt: "soon" })).toMatchObject({ status: 422 });
    expect(await post("/proposals/nope/approve", {})).toMatchObject({
      status: 409,
      body: { rejection: { reason: "unknown_id" } },
    });
  });
});

describe("branches", () => {
  it("are threads of their own under the rights of their parent", async () => {
    const asked: string[] = [];
    const { url, thread, post, client } = await started({
      authorize: (request) => {
        const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
        return { actor: { kind, id }, allows: (threadId) => (asked.push(threadId), threadId === "t") };
      },
    });
    await post("/operations", add("a"));
    const made = await post("/branches", {}, robot);
    expect(made).toMatchObject({
      status: 201,
      body: { threadId: expect.stringMatching(/^t~[0-9a-f]{12}$/), version: 0, parent: { threadId: "t", version: 1 } },
    });
    const branch = `${url}/threads/${made.body.threadId}`;
    expect(await send(branch, "GET", undefined, robot)).toMatchObject({
      status: 200,
      body: { state: { items: ["a"] }, parent: { threadId: "t" } },
    });
    const events = await readEvents(`${branch}/events`, robot);
    expect(await send(`${branch}/operations`, "POST", add("b"), robot)).toMatchObject({ status: 200 });
    expect(await send(`${branch}/operations`, "POST", wipe, robot)).toMatchObject({ status: 200 });
    expect((await events.until(2)).map(({ event }) => event)).toEqual(["welcome", "snapshot", "commits", "commits"]);
    expect(
      (await send(`${url}/threads`, "GET", undefined, robot)).body.map(
        ({ threadId }: { threadId: string }) => threadId,
      ),
    ).toEqual(["t"]);
    expect((await client().branches()).map(({ threadId }) => threadId)).toEqual([made.body.threadId]);
    expect((await send(thread, "GET", undefined, robot)).body.state.items).toEqual(["a"]);
    expect(new Set(asked)).toEqual(new Set(["t"]));
    events.close();
  });

  it("are no way around rights: another thread's rights say nothing about them", async () => {
    const { url, post } = await started();
    const { body } = await post("/branches", { name: "x" }, robot);
    expect(body.threadId).toBe("t~x");
    const { authorization: _, ...nobody } = robot;
    expect(await send(`${url}/threads/t~x`, "GET", undefined, nobody)).toMatchObject({ status: 401 });
    expect(await send(`${url}/threads/t~x`, "GET", undefined, as("user", "eve", "write"))).toMatchObject({
      status: 403,
    });
    expect(await post("/branches", { name: "x" }, robot)).toMatchObject({ status: 201, body: { threadId: "t~x" } });
    await post("/operations", add("a"));
    expect(await post("/branches", { name: "x" }, robot)).toMatchObject({
      status: 409,
      body: { code: "invalid_branch" },
    });
    expect(await send(`${url}/threads/t~x/branches`, "POST", {}, ada)).toMatchObject({
      status: 409,
      body: { code: "invalid_branch" },
    });
    expect(await post("/branches/t/merge", {})).toMatchObject({ status: 404, body: { code: "unknown_branch" } });
  });

  it("are looked at, merged and discarded", async () => {
    const { url, thread, post, items } = await started();
    const { threadId } = (await post("/branches", {}, robot)).body;
    const branch = `${url}/threads/${threadId}`;
    for (const [id, operation] of Object.entries({ one: add("a"), two: wipe, three: add("b") }))
      await send(`${branch}/operations`, "POST", { id, operation }, robot);
    const diff = await send(`${thread}/branches/${threadId}/diff`, "GET", undefined, bob);
    expect(diff.body).toMatchObject([
      { id: "one", sentence: 'add {"item":"a"} (Put an item on the list)', needsApproval: false, holds: true },
      { id: "two", needsApproval: true },
      { id: "three", holds: true },
    ]);
    const path = `/branches/${threadId}/merge`;
    expect((await post(path, { ids: ["one", "two"] }, robot)).body).toMatchObject([
      { id: "one", verdict: { accepted: true, version: 1 } },
      { id: "two", verdict: { accepted: false, rejection: { code: "needs_approval" } } },
    ]);
    expect((await post(path, { ids: ["two"] }, bob)).body).toMatchObject([
      { verdict: { rejection: { code: "needs_approval" } } },
    ]);
    expect((await post(path, {}, ada)).body.map(({ verdict }: any) => verdict.version)).toEqual([1, 2, 3]);
    expect(await items()).toEqual(["b"]);
    for (const [body, code] of [
      [{ actor: { kind: "user", id: "ada" } }, "actor_in_body"],
      [{ all: true }, "invalid_body"],
      [{ ids: [] }, "invalid_body"],
    ] as const)
      expect(await post(path, body)).toMatchObject({ status: 400, body: { code } });

    // What others did is discarded with the right to undo.
    expect(await send(`${thread}/branches/${threadId}`, "DELETE", undefined, bob)).toMatchObject({ status: 403 });
    expect(await send(`${thread}/branches/${threadId}`, "DELETE", undefined, robot)).toMatchObject({ status: 204 });
    expect(await send(branch, "GET", undefined, ada)).toMatchObject({ status: 404 });
    expect(await send(`${thread}/branches/${threadId}/diff`, "GET", undefined, ada)).toMatchObject({
      status: 404,
      body: { code: "unknown_branch" },
    });
    expect(await items()).toEqual(["b"]);
  });

  it("go with their parent, and are opened again after a restart", async () => {
    const log = memoryLog();
    const first = await started({ log });
    const { threadId } = (await first.post("/branches", {}, robot)).body;
    await send(`${first.url}/threads/${threadId}/operations`, "POST", add("a"), robot);
    await first.server.close();
    const { url } = await start({ definitions: [list], log });
    expect((await send(`${url}/threads/t/branches/${threadId}/diff`, "GET", undefined, bob)).body).toHaveLength(1);
    expect(await send(`${url}/threads/t`, "DELETE", undefined, ada)).toMatchObject({ status: 204 });
    expect(await log.list()).toEqual([]);
  });
});

describe("a durable log", () => {
  it("keeps branches, proposals and what was merged through restarts and compaction", async () => {
    const folder = mkdtempSync(join(tmpdir(), "opstate-take-back-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "log.sqlite");
    let log = sqliteLog({ path });
    const first = await started({ log });
    await first.post("/operations", add("a"));
    await first.post("/proposals", { operation: wipe, id: "p" }, robot);
    const { threadId } = (await first.post("/branches", {}, robot)).body;
    await send(`${first.url}/threads/${threadId}/operations`, "POST", { id: "b", operation: add("b") }, robot);
    const merged = (await first.post(`/branches/${threadId}/merge`, {})).body;
    expect(merged).toMatchObject([{ id: "b", verdict: { accepted: true, version: 3 } }]);
    await first.server.close();
    await log.close();

    log = sqliteLog({ path });
    const { url } = await start({ definitions: [list], log });
    onTestFinished(() => log.close());
    const page = threadClient<typeof list>({ url, threadId: "t", headers: bob });
    expect((await page.proposals()).map(({ id, stale }) => [id, stale.length > 0])).toEqual([["p", true]]);
    expect(await page.openBranch(threadId).diff()).toMatchObject([{ id: "b", merged: 3 }]);
    expect(await page.openBranch(threadId).merge()).toEqual(merged);
    const decide = threadClient<typeof list>({ url, threadId: "t", headers: ada });
    await decide.decline("p");
    await decide.undo({ ids: [`${merged[0].verdict.commit.id}`] });
    expect((await page.stateAt(5)).state.items).toEqual(["a"]);
    expect(
      (await page.history({ order: "descending", limit: 2 })).map(
        (entry) => entry.kind === "commit" && entry.commit.operation.type,
      ),
    ).toEqual(["$undo", "$decline"]);
  });
});

describe("the past", () => {
  it("is read both ways, at any version, and explained", async () => {
    const { thread, post } = await started();
    for (const id of ["a", "b", "c"]) await post("/operations", { id, operation: add(id) }, robot);
    await post("/operations", { id: "bad", operation: add("c") }, bob);
    const ids = async (query: string) =>
      (await send(`${thread}/history${query}`, "GET", undefined, bob)).body.map(
        ({ commit, refusal }: any) => (commit ?? refusal).id,
      );
    expect(await ids("?order=descending&limit=2")).toEqual(["c", "b"]);
    expect(await ids("?order=descending&before=2")).toEqual(["a"]);
    expect(await ids("?order=descending&rejections=true&limit=2")).toEqual(["bad", "c"]);
    expect(await ids("?before=3")).toEqual(["a", "b"]);
    expect(await send(`${thread}/history?order=up`, "GET", undefined, bob)).toMatchObject({
      status: 400,
      body: { code: "invalid_query" },
    });
    expect((await send(`${thread}/states/1`, "GET", undefined, bob)).body).toEqual({
      version: 1,
      state: { items: ["a"] },
    });
    for (const version of ["4", "-1", "x"])
      expect(await send(`${thread}/states/${version}`, "GET", undefined, bob)).toMatchObject({
        status: 404,
        body: { code: "unknown_version" },
      });
    expect((await send(`${thread}/explain?pointer=/items/1`, "GET", undefined, bob)).body).toMatchObject({
      commit: { id: "b" },
      actor: { id: "robot" },
    });
    expect(await send(`${thread}/explain?pointer=items`, "GET", undefined, bob)).toMatchObject({
      status: 400,
      body: { code: "invalid_query" },
    });
    expect(await send(`${thread}/explain`, "GET", undefined, bob)).toMatchObject({ status: 400 });
    expect((await send(thread, "GET", undefined, bob)).body).toMatchObject({
      incarnation: expect.stringMatching(/^[0-9a-f]{32}$/),
      floor: 0,
    });
  });

  it("ends where it was compacted", async () => {
    const { thread, post } = await started({ compact: { keep: 2 } });
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
  it("is for who has the right admin, keeps what it is told, and leaves ids their verdicts", async () => {
    const { thread, post, client } = await started();
    for (const id of ["a", "b", "c", "d"]) await post("/operations", { id, operation: add(id) }, robot);
    expect(await post("/compact", { keep: 1 }, bob)).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    await expect(client(bob).compact({ keep: 1 })).rejects.toMatchObject({ status: 403, code: "not_allowed" });
    for (const body of [
      {},
      { keep: -1 },
      { keep: "1" },
      { before: 0 },
      { before: 6 },
      { keep: 1, before: 2 },
      { keep: 1, more: 1 },
      [],
    ])
      expect(await post("/compact", body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { code: "invalid_body" },
      });
    expect((await send(thread, "GET", undefined, bob)).body.floor).toBe(0);
    expect(await post("/compact", { before: 3 })).toMatchObject({ status: 200, body: { floor: 2 } });
    expect(await client(ada).compact({ keep: 1 })).toBe(3);
    expect(await client(ada).compact({ keep: 100 })).toBe(3);
    expect((await send(thread, "GET", undefined, bob)).body).toMatchObject({ floor: 3, version: 4 });
    expect((await client(bob).history()).map((entry) => entry.kind === "commit" && entry.commit.id)).toEqual(["d"]);
    expect(await post("/operations", { id: "a", operation: add("a") }, robot)).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
    const branch = (await post("/branches", {}, bob)).body.threadId;
    expect(await send(`${thread.replace(/t$/, "")}${branch}/compact`, "POST", { keep: 0 }, ada)).toMatchObject({
      status: 409,
      body: { code: "invalid_branch" },
    });
  });
});

describe("a reader", () => {
  it("is sent away when another process compacted what it has not seen, and gets a snapshot when it comes again", async () => {
    const log = memoryLog();
    const { thread, post } = await started({ log });
    const events = await readEvents(`${thread}/events?after=0`, bob);
    expect((await events.next()).event).toBe("welcome");
    const elsewhere = await openThread({ definition: list, log, threadId: "t" });
    for (const item of ["a", "b"]) await elsewhere.dispatch(add(item), { actor: { kind: "user", id: "eve" } });
    await elsewhere.compact({ keep: 0 });
    expect(await post("/operations", add("c"))).toMatchObject({ status: 200, body: { version: 3 } });
    await events.ended();
    expect(events.text()).not.toContain("commits");
    const again = await readEvents(`${thread}/events?after=0`, bob);
    expect((await again.until(3)).at(-1)).toMatchObject({
      event: "snapshot",
      data: expect.stringContaining('["a","b","c"]'),
    });
  });
});

describe("threadClient", () => {
  it("does all of it, with verdicts as values", async () => {
    const { client, items } = await started();
    const [page, agent] = [client(ada), client(robot)];
    const proposed = await agent.propose({ type: "add", item: "a" }, { id: "p" });
    expect(proposed.accepted).toBe(true);
    expect((await page.proposals()).map(({ id }) => id)).toEqual(["p"]);
    expect((await page.approve("p", { id: "yes" })).accepted).toBe(true);
    expect(await items()).toEqual(["a"]);
    const undone = await page.undo({ ids: ["yes"] }, { id: "u" });
    expect(undone).toMatchObject({ accepted: true, version: 3 });
    expect((await page.redo("u")).accepted).toBe(true);
    expect(await page.approve("p")).toMatchObject({ accepted: false, rejection: { reason: "decided" }, attempt: 1 });
    expect((await page.history({ order: "descending", limit: 1 })).map(({ kind }) => kind)).toEqual(["commit"]);
    expect((await page.stateAt(2)).state.items).toEqual(["a"]);
    expect(await page.explain("/items/0")).toMatchObject({ path: "/items/0" });
    expect(await client(ada).explain("/nothing")).toBeUndefined();

    const branch = await agent.branch({ version: 0 });
    expect(branch.parent.version).toBe(0);
    expect(await page.openBranch(branch.threadId).diff()).toEqual([]);
    expect(await branch.merge()).toEqual([]);
    await branch.discard();
    expect(await page.branches()).toEqual([]);
    await expect(branch.diff()).rejects.toMatchObject({ name: "RequestError", status: 404, code: "unknown_branch" });
    await expect(client(as("user", "eve")).proposals()).rejects.toMatchObject({ status: 403, code: "not_allowed" });
  });
});
