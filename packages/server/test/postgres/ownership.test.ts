// Who owns a thread, on a real Postgres: claims, leases, and the epoch in the append.

import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { postgresLog } from "../../src/postgres/index.ts";
import { entry, newThread } from "../support/entries.ts";
import { startPostgres } from "../support/postgres.ts";

const postgres = startPostgres();
let pool: Pool;
beforeAll(() => {
  pool = new Pool({ ...postgres?.config, max: 10 });
});
afterAll(async () => {
  await pool.end();
  await postgres?.stop();
});

const LEASE = 60_000;
const node = (id: string, isDraining = false) => ({ id, address: `http://${id}`, isDraining });

describe.skipIf(!postgres)("owners in Postgres", () => {
  async function setUp(threadIds: readonly string[] = ["t"]) {
    const schema = `owners_${randomUUID().slice(0, 8)}`;
    const open = () => {
      const log = postgresLog({ pool, schema, doorbell: false });
      onTestFinished(() => log.close());
      return log;
    };
    const [log, other] = [open(), open()];
    for (const threadId of threadIds) await log.create(newThread(threadId));
    const infos = await Promise.all(threadIds.map((threadId) => log.info(threadId)));
    const threads = infos.map((info) => ({ threadId: info?.threadId ?? "", incarnation: info?.incarnation ?? "" }));
    const [thread] = threads;
    if (thread === undefined) throw new Error("a thread");
    /** As if the node had not renewed its lease for long enough. */
    const pause = (id: string) =>
      pool.query(`UPDATE "${schema}".nodes SET expires = clock_timestamp() WHERE node = $1`, [id]);
    return { log, other, schema, thread, threads, pause };
  }

  it("a free thread goes to a node whose lease runs, and to no other", async () => {
    const { log, other, thread } = await setUp();
    expect(await log.ownership.ownerOf(thread)).toBeUndefined();
    expect(await log.ownership.assign(thread, "a")).toBeUndefined();
    await log.ownership.renew(node("a"), LEASE);
    await other.ownership.renew(node("b"), LEASE);
    const owner = { node: "a", address: "http://a", epoch: 1 };
    expect(await log.ownership.assign(thread, "a")).toEqual(owner);
    expect(await other.ownership.assign(thread, "b")).toEqual(owner);
    expect(await other.ownership.ownerOf(thread)).toEqual(owner);
    expect(await log.ownership.ownerOf({ ...thread, incarnation: "another" })).toBeUndefined();
  });

  it("of many claims at once one is stored", async () => {
    const { log, other, thread } = await setUp();
    await log.ownership.renew(node("a"), LEASE);
    await other.ownership.renew(node("b"), LEASE);
    const claims = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? log.ownership.assign(thread, "a") : other.ownership.assign(thread, "b"),
    );
    const owners = await Promise.all(claims);
    expect(new Set(owners.map((owner) => JSON.stringify(owner))).size).toBe(1);
    expect(owners[0]?.epoch).toBe(1);
  });

  it("a renewal keeps all that a node owns, and a lease that is over frees it, in a new epoch", async () => {
    const { log, other, threads, thread, pause } = await setUp(["t", "u", "v"]);
    await log.ownership.renew(node("a"), LEASE);
    await other.ownership.renew(node("b"), LEASE);
    for (const each of threads) await log.ownership.assign(each, "a");
    await pause("a");
    for (const each of threads) expect(await log.ownership.ownerOf(each)).toBeUndefined();
    const { nodes } = await other.ownership.renew(node("b"), LEASE);
    expect(nodes.map(({ id }) => id)).toEqual(["b"]);
    expect(await other.ownership.assign(thread, "b")).toMatchObject({ node: "b", epoch: 2 });
    // What nobody claimed meanwhile is its own again, in the epoch that it had.
    await log.ownership.renew(node("a"), LEASE);
    const [, second, third] = threads;
    for (const each of [second, third])
      expect(each && (await log.ownership.ownerOf(each))).toMatchObject({ node: "a", epoch: 1 });
    expect(await log.ownership.ownerOf(thread)).toMatchObject({ node: "b", epoch: 2 });
  });

  it("a lease is measured by the database's clock alone", async () => {
    const { log } = await setUp();
    const before = Date.now();
    const { now, nodes } = await log.ownership.renew(node("a"), 5_000);
    const { rows } = await pool.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now");
    expect(now).toBeLessThanOrEqual(Number(rows[0].now));
    expect(now).toBeGreaterThan(before - 60_000);
    expect(nodes[0]?.left).toBeGreaterThan(0);
    expect(nodes[0]?.left).toBeLessThanOrEqual(5_000);
  });

  it("an append of an older epoch is refused in the statement that writes", async () => {
    const { log, other, thread, pause } = await setUp();
    await log.ownership.renew(node("a"), LEASE);
    await other.ownership.renew(node("b"), LEASE);
    await log.ownership.assign(thread, "a");
    const handle = log.thread(thread.threadId, thread.incarnation);
    expect(await handle.append({ version: 0, epoch: 1 }, [entry(1)])).toEqual({ status: "appended" });
    await pause("a");
    // Nobody claimed it yet: nothing is wrong with its own epoch.
    expect(await handle.append({ version: 1, epoch: 1 }, [entry(2)])).toEqual({ status: "appended" });
    await other.ownership.assign(thread, "b");
    expect(await handle.append({ version: 2, epoch: 1 }, [entry(3)])).toEqual({ status: "fenced", epoch: 2 });
    // Said before what is known of its ids: the receipt is for its new owner to give.
    expect(await handle.append({ version: 0, epoch: 1 }, [entry(1)])).toEqual({ status: "fenced", epoch: 2 });
    expect((await log.info(thread.threadId))?.version).toBe(2);
    const newOwner = other.thread(thread.threadId, thread.incarnation);
    expect(await newOwner.append({ version: 2, epoch: 2 }, [entry(3)])).toEqual({ status: "appended" });
    // Who names no epoch is held by the version alone, as ever.
    expect(await handle.append({ version: 3 }, [entry(4)])).toEqual({ status: "appended" });
    expect(await handle.append({ version: 3 }, [entry(5)])).toMatchObject({ status: "stale", version: 4 });
  });

  it("appends that share one transaction are fenced each by its own epoch", async () => {
    const { log, other, thread } = await setUp();
    await log.ownership.renew(node("a"), LEASE);
    await other.ownership.renew(node("b"), LEASE);
    await log.ownership.assign(thread, "a");
    await log.ownership.assign(thread, "b", "a");
    const handle = log.thread(thread.threadId, thread.incarnation);
    const results = await Promise.all([
      handle.append({ version: 0, epoch: 1 }, [entry(1, "old")]),
      handle.append({ version: 0, epoch: 2 }, [entry(1, "new")]),
      handle.append({ version: 1 }, [entry(2, "none")]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fenced", "appended", "appended"]);
    const commits = await log.read(thread.threadId, { after: 0 });
    expect(commits.map(({ id }) => id)).toEqual(["new", "none"]);
  });

  it("once a claim is stored, no append of an older epoch is, however they meet", async () => {
    const { log, other, thread } = await setUp();
    await log.ownership.renew(node("a"), LEASE);
    await other.ownership.renew(node("b"), LEASE);
    await log.ownership.assign(thread, "a");
    const handle = log.thread(thread.threadId, thread.incarnation);
    let [epoch, owner] = [1, "a"];
    for (let round = 0; round < 40; round += 1) {
      const head = (await log.info(thread.threadId))?.version ?? 0;
      const next = owner === "a" ? "b" : "a";
      let claimed = false;
      // Each is sent when the one before was answered; the claim comes somewhere between them.
      const writing = (async () => {
        const late: string[] = [];
        for (let version = head; ; version += 1) {
          const wasClaimed = claimed;
          const { status } = await handle.append({ version, epoch }, [entry(version + 1)]);
          if (wasClaimed) late.push(status);
          if (status !== "appended") return late;
        }
      })();
      await other.ownership.assign(thread, next, owner);
      claimed = true;
      for (const status of await writing) expect(status).toBe("fenced");
      epoch += 1;
      owner = next;
    }
    expect(epoch).toBe(41);
  });

  it("a node that leaves frees all, and what it hands over is another's at once", async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `thread ${index}`);
    const { log, other, threads } = await setUp(ids);
    await log.ownership.renew(node("a"), LEASE);
    await other.ownership.renew(node("b"), LEASE);
    for (const each of threads) await log.ownership.assign(each, "a");
    const moved = await log.ownership.handOver("a", (root) => (root < "thread 5" ? "b" : undefined));
    expect(moved).toBe(5);
    const owners = await Promise.all(threads.map((each) => log.ownership.ownerOf(each)));
    expect(owners.map((owner) => `${owner?.node} ${owner?.epoch}`)).toEqual([...Array(5).fill("b 2"), "a 1", "a 1"]);
    await log.ownership.leave("a");
    const left = await Promise.all(threads.map((each) => log.ownership.ownerOf(each)));
    expect(left.map((owner) => owner?.node)).toEqual([...Array(5).fill("b"), undefined, undefined]);
  });

  it("the owner of a deleted thread is forgotten, and the next thread of its name begins anew", async () => {
    const { log, schema, thread } = await setUp();
    await log.ownership.renew(node("a"), LEASE);
    await log.ownership.assign(thread, "a");
    await log.thread(thread.threadId, thread.incarnation).delete();
    expect(await log.ownership.ownerOf(thread)).toBeUndefined();
    expect(await log.ownership.assign(thread, "a")).toBeUndefined();
    await expect
      .poll(async () => (await pool.query(`SELECT FROM "${schema}".owners`)).rowCount, { timeout: 60_000 })
      .toBe(0);
    await log.create(newThread("t"));
    const { incarnation = "" } = (await log.info("t")) ?? {};
    expect(await log.ownership.assign({ threadId: "t", incarnation }, "a")).toMatchObject({ epoch: 1 });
  });
});
