// Branches over HTTP: the rights on them, merging, discarding, and restarts.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { threadClient } from "../../src/client/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { readEvents } from "../support/events.ts";
import { ada, add, as, bob, list, robot, wipe } from "../support/rights/kinds.ts";
import { startWithList } from "../support/list-thread.ts";
import { send, start } from "../support/server.ts";

describe("branches", () => {
  /** A branch of "t", which alone has rights. `checked` has the threads whose rights were read. */
  async function startWithBranch() {
    const checked: string[] = [];
    const { url, thread, post, client } = await startWithList({
      authorize: (request) => {
        const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
        return { actor: { kind, id }, allows: (threadId) => (checked.push(threadId), threadId === "t") };
      },
    });
    await post("/operations", add("a"));
    const made = await post("/branches", {}, robot);
    return { url, thread, client, made, branch: `${url}/threads/${made.body.threadId}`, checked };
  }

  it("are created from the head of their parent", async () => {
    const { made } = await startWithBranch();
    expect(made).toMatchObject({
      status: 201,
      body: { threadId: expect.stringMatching(/^t~[0-9a-f]{12}$/), version: 0, parent: { threadId: "t", version: 1 } },
    });
  });

  it("are read and written like threads, and their parent does not change", async () => {
    const { thread, branch } = await startWithBranch();
    expect(await send(branch, "GET", undefined, robot)).toMatchObject({
      status: 200,
      body: { state: { items: ["a"] }, parent: { threadId: "t" } },
    });
    const events = await readEvents(`${branch}/events`, robot);
    expect(await send(`${branch}/operations`, "POST", add("b"), robot)).toMatchObject({ status: 200 });
    expect(await send(`${branch}/operations`, "POST", wipe, robot)).toMatchObject({ status: 200 });
    expect((await events.until(2)).map(({ event }) => event)).toEqual(["welcome", "snapshot", "commits", "commits"]);
    expect((await send(thread, "GET", undefined, robot)).body.state.items).toEqual(["a"]);
    events.close();
  });

  it("are listed under their parent only", async () => {
    const { url, client, made } = await startWithBranch();
    expect(
      (await send(`${url}/threads`, "GET", undefined, robot)).body.map(
        ({ threadId }: { threadId: string }) => threadId,
      ),
    ).toEqual(["t"]);
    expect((await client().branches()).map(({ threadId }) => threadId)).toEqual([made.body.threadId]);
  });

  it("have the rights of their parent", async () => {
    const { branch, checked } = await startWithBranch();
    expect(await send(branch, "GET", undefined, robot)).toMatchObject({ status: 200 });
    expect(await send(`${branch}/operations`, "POST", add("b"), robot)).toMatchObject({ status: 200 });
    expect(new Set(checked)).toEqual(new Set(["t"]));
  });

  it("are not opened by rights on another thread", async () => {
    const { url, post } = await startWithList();
    const { body } = await post("/branches", { name: "x" }, robot);
    expect(body.threadId).toBe("t~x");
    const { authorization: _, ...nobody } = robot;
    expect(await send(`${url}/threads/t~x`, "GET", undefined, nobody)).toMatchObject({ status: 401 });
    expect(await send(`${url}/threads/t~x`, "GET", undefined, as("user", "eve", "write"))).toMatchObject({
      status: 403,
    });
  });

  it("with one name and version are the same branch, and another version needs another name", async () => {
    const { post } = await startWithList();
    for (let times = 0; times < 2; times += 1)
      expect(await post("/branches", { name: "x" }, robot)).toMatchObject({ status: 201, body: { threadId: "t~x" } });
    await post("/operations", add("a"));
    expect(await post("/branches", { name: "x" }, robot)).toMatchObject({
      status: 409,
      body: { code: "invalid_branch" },
    });
  });

  it("have no branches themselves, and only branches are merged", async () => {
    const { url, post } = await startWithList();
    await post("/branches", { name: "x" }, robot);
    expect(await send(`${url}/threads/t~x/branches`, "POST", {}, ada)).toMatchObject({
      status: 409,
      body: { code: "invalid_branch" },
    });
    expect(await post("/branches/t/merge", {})).toMatchObject({ status: 404, body: { code: "unknown_branch" } });
  });

  describe("of others", () => {
    async function branchOfRobot() {
      const { url, thread, post, items } = await startWithList();
      const { threadId } = (await post("/branches", {}, robot)).body;
      const branch = `${url}/threads/${threadId}`;
      for (const [id, operation] of Object.entries({ one: add("a"), two: wipe, three: add("b") }))
        await send(`${branch}/operations`, "POST", { id, operation }, robot);
      return { thread, branch, threadId, post, items, merge: `/branches/${threadId}/merge` };
    }

    it("are shown operation by operation", async () => {
      const { thread, threadId } = await branchOfRobot();
      const diff = await send(`${thread}/branches/${threadId}/diff`, "GET", undefined, bob);
      expect(diff.body).toMatchObject([
        { id: "one", sentence: 'add {"item":"a"} (Put an item on the list)', needsApproval: false, holds: true },
        { id: "two", needsApproval: true },
        { id: "three", holds: true },
      ]);
    });

    it("are merged with the right to approve, or without what needs approval", async () => {
      const { post, merge, items } = await branchOfRobot();
      expect((await post(merge, { ids: ["one", "two"] }, robot)).body).toMatchObject([
        { id: "one", verdict: { accepted: true, version: 1 } },
        { id: "two", verdict: { accepted: false, rejection: { code: "needs_approval" } } },
      ]);
      expect((await post(merge, { ids: ["two"] }, bob)).body).toMatchObject([
        { verdict: { rejection: { code: "needs_approval" } } },
      ]);
      expect((await post(merge, {}, ada)).body.map(({ verdict }: any) => verdict.version)).toEqual([1, 2, 3]);
      expect(await items()).toEqual(["b"]);
    });

    it.each([
      [{ actor: { kind: "user", id: "ada" } }, "actor_in_body"],
      [{ all: true }, "invalid_body"],
      [{ ids: [] }, "invalid_body"],
    ])("are not merged by the body %j", async (body, code) => {
      const { post, merge } = await branchOfRobot();
      expect(await post(merge, body)).toMatchObject({ status: 400, body: { code } });
    });

    it("are discarded by their author, or with the right to undo", async () => {
      const { thread, threadId, branch, post, merge, items } = await branchOfRobot();
      await post(merge, {}, ada);
      expect(await send(`${thread}/branches/${threadId}`, "DELETE", undefined, bob)).toMatchObject({ status: 403 });
      expect(await send(`${thread}/branches/${threadId}`, "DELETE", undefined, robot)).toMatchObject({ status: 204 });
      expect(await send(branch, "GET", undefined, ada)).toMatchObject({ status: 404 });
      expect(await send(`${thread}/branches/${threadId}/diff`, "GET", undefined, ada)).toMatchObject({
        status: 404,
        body: { code: "unknown_branch" },
      });
      expect(await items()).toEqual(["b"]);
    });
  });

  it("are deleted with their parent, and can be opened after a restart", async () => {
    const log = memoryLog();
    const first = await startWithList({ log });
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
  it("has branches, proposals and merged commits after restarts and compaction", async () => {
    const folder = mkdtempSync(join(tmpdir(), "opstate-take-back-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "log.sqlite");
    let log = sqliteLog({ path });
    const first = await startWithList({ log });
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
