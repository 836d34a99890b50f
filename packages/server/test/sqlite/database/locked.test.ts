// Another process has the file locked. The server goes on with everything else; writes wait, or are
// refused in the end.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "@opstate/core";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isLocked, retryWhileLocked } from "../../../src/sqlite/database/locked.ts";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { addCard } from "../../support/board.ts";
import { ada, entry, newThread, snapshotOf } from "../../support/entries.ts";
import { ada as adaMayAll, createBoard, send, start } from "../../support/server.ts";

const directory = mkdtempSync(join(tmpdir(), "opstate-lock-"));
let files = 0;
let path = "";
beforeEach(() => {
  path = join(directory, `log-${(files += 1)}.sqlite`);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Resolves when another process holds the file's write lock. */
async function lock(): Promise<{ release(): Promise<void> }> {
  const holder: ChildProcess = fork(join(import.meta.dirname, "../../support/processes/lock-holder.ts"), [path]);
  const gone = once(holder, "exit");
  onTestFinished(async () => {
    holder.kill("SIGKILL");
    await gone;
  });
  await once(holder, "message");
  return {
    async release() {
      holder.send("release");
      await gone;
    },
  };
}

function open(options: { lockTimeout?: number } = {}): Log {
  const log = sqliteLog({ path, ...options });
  onTestFinished(() => log.close());
  return log;
}

const submission = (id: string) => ({ id, operation: addCard(id) });

describe("a server whose file is locked", () => {
  it("answers what needs no write at once, and a write when the lock is released", async () => {
    const { url } = await start({ log: open({ lockTimeout: 600_000 }) });
    const [launch, other] = [await createBoard(url), await createBoard(url, "other")];
    const { release } = await lock();
    let settled = 0;
    const writes = ["one", "two"].map((title) =>
      send(`${launch}/operations`, "POST", submission(title)).finally(() => (settled += 1)),
    );
    for (const route of [launch, other, `${launch}/history`, `${other}/branches`, `${url}/threads`])
      expect(await send(route, "GET")).toMatchObject({ status: 200 });
    expect((await send(`${launch}/operations`, "POST", { id: 5 })).status).toBe(400);
    expect(settled).toBe(0);
    await release();
    const answers = await Promise.all(writes);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.version))).toEqual(new Set([1, 2]));
  });

  async function startLocked() {
    const log = open({ lockTimeout: 50 });
    const { url, errors } = await start({ log });
    const launch = await createBoard(url);
    const { release } = await lock();
    const submit = () =>
      fetch(`${launch}/operations`, {
        method: "POST",
        headers: { ...adaMayAll, "content-type": "application/json" },
        body: JSON.stringify(submission("s1")),
      });
    return { log, url, errors, launch, release, submit };
  }

  it("answers 503 with Retry-After", async () => {
    const { submit } = await startLocked();
    const refused = await submit();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({
      code: "log_unavailable",
      status: 503,
      detail: expect.stringContaining("locked"),
    });
  });

  it("answers every write with 503, and reports each to the owner", async () => {
    const { url, errors, launch, submit } = await startLocked();
    await submit();
    for (const [method, address, body] of [
      ["PUT", `${url}/threads/another`, { definition: "board" }],
      ["POST", `${launch}/branches`, {}],
      ["DELETE", launch, undefined],
    ] as const)
      expect(await send(address, method, body)).toMatchObject({ status: 503, body: { code: "log_unavailable" } });
    expect(errors).toHaveLength(4);
    expect(errors[0]).toMatchObject({
      code: "log_unavailable",
      message: expect.stringContaining("another process for 50 ms"),
    });
  });

  it("gives a submission that is sent again its one effect when the lock is released", async () => {
    const { log, launch, release, submit } = await startLocked();
    expect((await submit()).status).toBe(503);
    await release();
    for (let times = 0; times < 2; times += 1) {
      const accepted = await submit();
      expect([accepted.status, await accepted.json()]).toMatchObject([200, { accepted: true, version: 1 }]);
    }
    expect(await log.read("launch", {})).toHaveLength(1);
    expect((await send(launch, "DELETE")).status).toBe(204);
  });
});

describe("a log whose file is locked", () => {
  async function lockedLog() {
    const log = open({ lockTimeout: 20 });
    await log.create(newThread("t"));
    await log.append("t", 0, [entry(1)]);
    return { log, ...(await lock()) };
  }

  it.each<[string, (log: Log) => Promise<unknown>]>([
    ["create", (log) => log.create(newThread("u"))],
    ["append", (log) => log.append("t", 1, [entry(2)])],
    ["saveSnapshot", (log) => log.saveSnapshot("t", snapshotOf(1))],
    ["compact", (log) => log.compact("t", snapshotOf(1))],
    ["delete", (log) => log.delete("t")],
  ])("refuses to %s, and does nothing", async (_, write) => {
    const { log, release } = await lockedLog();
    await expect(write(log)).rejects.toMatchObject({ code: "log_unavailable" });
    expect(await log.info("t")).toMatchObject({ version: 1, floor: 0 });
    expect(await log.list()).toHaveLength(1);
    await release();
    expect(await log.append("t", 1, [entry(2)])).toEqual({ status: "appended" });
  });

  it("is read as usual", async () => {
    const { log, release } = await lockedLog();
    expect((await log.load("t"))?.commits).toEqual(await log.read("t", {}));
    expect(await log.receipt("t", ada, entry(1).receipt.id)).toEqual(entry(1).receipt);
    expect(await log.refusals("t")).toEqual([]);
    expect(await log.snapshotAt("t", 1)).toMatchObject({ version: 0 });
    await release();
  });

  it("is opened as usual, unless its tables have to be created", async () => {
    await open().create(newThread("t"));
    const { release } = await lock();
    expect(await open().info("t")).toMatchObject({ version: 0 });
    await release();
    path += "-new";
    await lock();
    expect(() => sqliteLog({ path, lockTimeout: 20 })).toThrow(expect.objectContaining({ code: "log_unavailable" }));
  });

  it("ends each write after its own time limit, whatever is ahead in the queue", async () => {
    const log = open({ lockTimeout: 600_000 });
    await log.create(newThread("t"));
    const impatient = open({ lockTimeout: 0 });
    const { release } = await lock();
    const patient = log.append("t", 0, [entry(1)]);
    await expect(impatient.append("t", 0, [entry(1)])).rejects.toMatchObject({ code: "log_unavailable" });
    await release();
    expect(await patient).toEqual({ status: "appended" });
    expect(() => sqliteLog({ path, lockTimeout: Number.NaN })).toThrow(
      "`lockTimeout` must be a number of milliseconds",
    );
  });

  it("retries a read as well, and only after a lock", async () => {
    const recovering = Object.assign(new Error("database is locked"), { errcode: 261 });
    const broken = Object.assign(new Error("disk I/O error"), { errcode: 10 });
    expect([recovering, broken, undefined].map(isLocked)).toEqual([true, false, false]);
    const read = vi.fn(() => "read");
    for (let times = 0; times < 3; times += 1)
      read.mockImplementationOnce(() => {
        throw recovering;
      });
    expect(await retryWhileLocked(read, { path, lockTimeout: 600_000 })).toBe("read");
    expect(read).toHaveBeenCalledTimes(4);
    const fail = (error: Error) => () => {
      throw error;
    };
    await expect(retryWhileLocked(fail(broken), { path, lockTimeout: 600_000 })).rejects.toBe(broken);
    await expect(retryWhileLocked(fail(recovering), { path, lockTimeout: 0 })).rejects.toMatchObject({
      code: "log_unavailable",
    });
  });
});

describe("a call with a deadline", () => {
  it("is cancelled in time, and what it would have written is not written later", async () => {
    const log = sqliteLog({ path, lockTimeout: 600_000 });
    onTestFinished(() => log.close());
    await log.create(newThread("a"));
    const { release } = await lock();
    const append = log.thread("a").append({ version: 0 }, [entry(1, "late")], { deadline: Date.now() + 100 });
    const next = log.append("a", 0, [entry(1, "next")]);
    await expect(append).rejects.toMatchObject({ code: "timed_out" });
    await release();
    expect(await next).toEqual({ status: "appended" });
    expect((await log.read("a", {})).map(({ id }) => id)).toEqual(["next"]);
  });
});
