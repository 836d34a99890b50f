// The thread that has the database of a log: it stops nobody, its end is seen and mended, and it
// holds no process.

import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { logContract } from "@opstate/core/testing";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sqliteLog, type SqliteLogOptions } from "../../src/sqlite/index.ts";
import { entry, newThread } from "../support/entries.ts";
import { longestTurn } from "../support/longest-turn.ts";

const started = vi.hoisted((): Worker[] => []);
vi.mock("../../src/sqlite/worker/start-worker.ts", async (original) => {
  const { startWorker } = await original<typeof import("../../src/sqlite/worker/start-worker.ts")>();
  const start: typeof startWorker = (options) => {
    const worker = startWorker(options);
    started.push(worker);
    return worker;
  };
  return { startWorker: start };
});

const directory = mkdtempSync(join(tmpdir(), "opstate-worker-"));
let files = 0;
let path = "";
beforeEach(() => {
  path = join(directory, `log-${(files += 1)}.sqlite`);
  started.length = 0;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function open(options: Omit<SqliteLogOptions, "path"> = {}) {
  const log = sqliteLog({ path, ...options });
  onTestFinished(() => log.close());
  return log;
}

/** Another process holds the file's write lock until it is released. */
async function lock(): Promise<() => Promise<void>> {
  const holder = fork(join(import.meta.dirname, "../support/processes/lock-holder.ts"), [path]);
  const gone = once(holder, "exit");
  onTestFinished(async () => {
    holder.kill("SIGKILL");
    await gone;
  });
  await once(holder, "message");
  return async () => {
    holder.send("release");
    await gone;
  };
}

describe("the thread of a log", () => {
  it("reads a long history without a long turn of its caller", async () => {
    const log = open();
    await log.create(newThread("a"));
    const count = 60_000;
    await log.append(
      "a",
      0,
      Array.from({ length: count }, (_, index) => entry(index + 1)),
    );
    let read = 0;
    const all = { limit: Infinity, bytes: Infinity };
    const turn = await longestTurn(async () => {
      read = (await log.thread("a").commits(all)).items.length;
    });
    expect(read).toBe(count);
    expect(turn).toBeLessThan(100);
  });

  it("is started again when it ended, and the call that it had rejects", async () => {
    const log = open({ lockTimeout: 600_000 });
    await log.create(newThread("t"));
    expect(await log.append("t", 0, [entry(1)])).toEqual({ status: "appended" });
    const release = await lock();
    const interrupted = log.append("t", 1, [entry(2)]);
    interrupted.catch(() => undefined);
    // It is sent before this read is answered.
    await log.info("t");
    await started[0]?.terminate();
    await expect(interrupted).rejects.toMatchObject({
      code: "log_unavailable",
      message: expect.stringContaining("it is not known whether it was stored"),
    });
    await release();
    expect(await log.append("t", 1, [entry(2)])).toEqual({ status: "appended" });
    expect((await log.read("t", {})).map(({ id }) => id)).toEqual(["c1", "c2"]);
    expect(started).toHaveLength(2);
  });

  it("gets what was not sent yet, after another one ended", async () => {
    const log = open();
    await log.create(newThread("t"));
    const ended = once(started[0] as Worker, "exit");
    void started[0]?.terminate();
    await ended;
    const appends = [1, 2, 3].map((version) => log.append("t", version - 1, [entry(version)]));
    expect(await Promise.all(appends)).toEqual([1, 2, 3].map(() => ({ status: "appended" })));
  });

  it("reports heads after it was started again", async () => {
    const log = open();
    await log.create(newThread("t"));
    const seen: number[] = [];
    log.watch("t", (version) => seen.push(version));
    await vi.waitFor(() => expect(seen).toEqual([0]));
    await started[0]?.terminate();
    const other = open();
    expect(await other.append("t", 0, [entry(1)])).toEqual({ status: "appended" });
    await vi.waitFor(() => expect(seen).toEqual([0, 1]));
  });

  it("has ended when its log is closed, also one that just began", async () => {
    const log = sqliteLog({ path });
    await log.close();
    expect(started.map(({ threadId }) => threadId)).toEqual([-1]);
    await expect(log.info("t")).rejects.toMatchObject({ code: "closed" });
  });
});

describe("a process with a log", () => {
  const run = (node: readonly string[], last = "") =>
    promisify(execFile)(process.execPath, [
      ...node,
      "--conditions=@opstate/source",
      join(import.meta.dirname, "../support/processes/log-process.ts"),
      path,
      last,
    ]);

  function count(table: string): unknown {
    const database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare(`SELECT count(*) AS n FROM ${table}`).get();
    database.close();
    return row?.["n"];
  }

  it("ends by itself, after the writes that it requested", async () => {
    await run([]);
    expect(count("commits")).toBe(5_001);
  });

  it("ends by itself, after what it deleted is swept", async () => {
    await run([], "delete");
    expect([count("commits"), count("receipts")]).toEqual([0, 0]);
  });

  it("does without a thread where it may have none, and is warned", async () => {
    const { stdout } = await run(["--permission", "--allow-fs-read=*", "--allow-fs-write=*"]);
    expect(stdout).toContain("has no thread of its own");
    expect(count("commits")).toBe(5_001);
  });
});

describe("the log contract, without a thread", () => {
  const cases = logContract({
    async open(options) {
      const own = join(directory, `without-${(files += 1)}.sqlite`);
      let log = sqliteLog({ path: own, worker: false, ...options });
      return {
        log,
        async reopen() {
          await log.close();
          log = sqliteLog({ path: own, worker: false, ...options });
          return log;
        },
        beside: async () => sqliteLog({ path: own, worker: false, ...options }),
        dispose: () => log.close(),
      };
    },
  });
  it.each(cases)("$name", ({ run }) => run());
});
