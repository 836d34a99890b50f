// Undo over HTTP: with which right, and what is refused.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { ada, add, bob, robot, wipe } from "../support/rights/kinds.ts";
import { startWithList } from "../support/list-thread.ts";
import { send } from "../support/server.ts";

describe("undo", () => {
  /** "a" by the robot, and "b" by Bob, who may write but not undo the work of others. */
  async function startWithTwo() {
    const { post, items } = await startWithList();
    await post("/operations", { id: "a", operation: add("a") }, robot);
    await post("/operations", { id: "b", operation: add("b"), runId: "r" }, bob);
    return { post, items };
  }

  it("of the work of others needs the right to undo", async () => {
    const { post, items } = await startWithTwo();
    expect(await post("/undo", { target: { ids: ["a"] } }, bob)).toMatchObject({
      status: 403,
      body: { code: "forbidden", accepted: false },
    });
    expect(await post("/undo", { target: { actor: { kind: "agent", id: "robot" } } })).toMatchObject({ status: 200 });
    expect(await items()).toEqual(["b"]);
  });

  it("of the actor's own work needs the right to write, and has one effect for its id", async () => {
    const { post, items } = await startWithTwo();
    expect(await post("/undo", { target: { runId: "r" }, id: "u" }, bob)).toMatchObject({
      status: 200,
      body: { accepted: true, version: 3, commit: { id: "u", operation: { type: "$undo", versions: [2] } } },
    });
    expect(await post("/undo", { target: { runId: "r" }, id: "u" }, bob)).toMatchObject({
      status: 200,
      body: { version: 3 },
    });
    expect(await items()).toEqual(["a"]);
  });

  it("of an undo is a redo", async () => {
    const { post, items } = await startWithTwo();
    await post("/undo", { target: { runId: "r" }, id: "u" }, bob);
    expect(await post("/undo", { target: { ids: ["u"] } }, bob)).toMatchObject({ status: 200 });
    expect(await items()).toEqual(["a", "b"]);
  });

  it.each([{ runId: "r" }, { actor: { kind: "agent", id: "robot" } }])(
    "of %j undoes what was approved and merged for it, also after a restart, with the right to undo",
    async (target) => {
      const folder = mkdtempSync(join(tmpdir(), "opstate-take-back-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, "log.sqlite");
      const before = sqliteLog({ path });
      const first = await startWithList({ log: before });
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
      const { post, items } = await startWithList({ log });
      onTestFinished(() => log.close());
      expect(await items()).toEqual(["kept", "proposed", "branched"]);
      // Ada approved and merged these. So the right to undo one's own work is not enough.
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
        body: { commit: { operation: { versions: [[2, 4]] } } },
      });
      expect(await items()).toEqual(["kept"]);
      expect(await post("/undo", { target: { ids: ["u"] } })).toMatchObject({ status: 200 });
      expect(await items()).toEqual(["kept", "proposed", "branched"]);
    },
  );

  it("is refused with the dependents, and drops them on request", async () => {
    const { post, items } = await startWithList();
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

  it("keeps what the dependents did on request", async () => {
    const { post, items } = await startWithList();
    await post("/operations", { id: "a", operation: add("a") }, ada);
    await post("/operations", { id: "w", operation: wipe }, ada);
    await post("/operations", { id: "again", operation: add("a") }, ada);
    const kept = await post("/undo", { target: { ids: ["w"] }, onDependent: "keep" });
    expect(kept).toMatchObject({ status: 200, body: { commit: { operation: { carried: [3] } } } });
    expect(await items()).toEqual(["a", "a"]);
  });

  it("refuses an actor in the body, and unknown members", async () => {
    const { post } = await startWithList();
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
