// What was deleted is not in the file any more, nor in the write-ahead log, while the log is open.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openThread } from "@opstate/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard, board } from "../support/board.ts";

const ada = { kind: "user", id: "ada" };
const SECRET = "Zwetschgenkuchen";

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "opstate-erased-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "log.sqlite");
}

/** In which files of the log the secret is. */
function filesWith(path: string, secret = SECRET): readonly string[] {
  return ["", "-wal", "-shm", "-journal"].filter(
    (suffix) => existsSync(path + suffix) && readFileSync(path + suffix).includes(secret),
  );
}

/** A log with a thread and a branch, whose commits, snapshots and refusals have the secret. */
async function start(path = newPath()) {
  const log = sqliteLog({ path });
  onTestFinished(() => log.close());
  const open = (threadId: string) => openThread({ definition: board, log, threadId, snapshotEvery: 5 });
  const thread = await open("launch");
  for (let n = 0; n < 40; n++) await thread.dispatch(addCard(`c${n}`, `${SECRET} ${n}`), { actor: ada });
  await thread.submit({ type: "nope", note: SECRET }, { actor: ada });
  const branch = await thread.branch();
  await branch.dispatch(addCard("b1", SECRET), { actor: ada, runId: SECRET });
  const other = await open("other");
  await other.dispatch(addCard("c1", "stays"), { actor: ada });
  expect(filesWith(path)).not.toEqual([]);
  return { path, log, thread, branch, other };
}

describe("a deleted thread", () => {
  it("is in no file, with its branch, snapshots, refusals and runs", async () => {
    const { path, log, thread, branch, other } = await start();
    await log.thread("launch", thread.incarnation).delete();
    expect(await log.info(branch.threadId)).toBeUndefined();
    await vi.waitFor(() => expect(filesWith(path)).toEqual([]), { timeout: 60_000 });
    expect(other.getState()).toMatchObject({ columns: [{ cards: [{ title: "stays" }] }, {}] });
  });

  it("is erased by the next process when the first one ended before it was done", async () => {
    const { path, log } = await start();
    const reader = new DatabaseSync(path);
    // Its old look at the file keeps the write-ahead log from being cut.
    reader.exec("BEGIN; SELECT count(*) FROM commits");
    await log.thread("launch").delete();
    await log.close();
    expect(filesWith(path)).not.toEqual([]);
    reader.exec("COMMIT");
    const next = sqliteLog({ path });
    onTestFinished(() => next.close());
    await vi.waitFor(() => expect(filesWith(path)).toEqual([]), { timeout: 60_000 });
    reader.close();
  });

  it("is erased when another process has read to its end", async () => {
    const { path, log } = await start();
    const reader = new DatabaseSync(path);
    onTestFinished(() => reader.close());
    reader.exec("BEGIN; SELECT count(*) FROM commits");
    await log.thread("launch").delete();
    expect(filesWith(path)).not.toEqual([]);
    reader.exec("COMMIT");
    await vi.waitFor(() => expect(filesWith(path)).toEqual([]), { timeout: 60_000 });
  });
});

describe("a compacted history", () => {
  it("is in no file, when the state does not contain it any more", async () => {
    const { path, thread, branch } = await start();
    await branch.discard();
    const state = { columns: board.initial.columns };
    await thread.dispatch({ type: "$replace", value: state } as never, { actor: { kind: "system", id: "cleaner" } });
    // A refusal is no history: it goes with its thread.
    await thread.compact({ keep: 0 });
    await vi.waitFor(() => expect(filesWith(path, `${SECRET} 1`)).toEqual([]), { timeout: 60_000 });
    expect(thread.getState()).toMatchObject(state);
  });

  it("of which a process left a part is erased when the file is opened again", async () => {
    const { path, log, thread, branch } = await start();
    await branch.discard();
    await thread.dispatch({ type: "$replace", value: { columns: board.initial.columns } } as never, {
      actor: { kind: "system", id: "cleaner" },
    });
    await thread.close();
    await log.close();
    // As if it had ended once the floor had moved.
    const database = new DatabaseSync(path);
    database.exec("UPDATE threads SET floor = version WHERE thread_id = 'launch'");
    database.exec(
      `INSERT INTO snapshots SELECT key, version, 1, '${JSON.stringify(thread.getState())}' FROM threads WHERE thread_id = 'launch'`,
    );
    database.close();
    expect(filesWith(path, `${SECRET} 1`)).not.toEqual([]);
    const next = sqliteLog({ path });
    onTestFinished(() => next.close());
    await vi.waitFor(() => expect(filesWith(path, `${SECRET} 1`)).toEqual([]), { timeout: 60_000 });
  });
});

it("a document that is replaced is in no file, also when no history goes with it", async () => {
  const path = newPath();
  const log = sqliteLog({ path });
  onTestFinished(() => log.close());
  const thread = await openThread({ definition: board, log, threadId: "launch" });
  await thread.submit({ type: "nope", note: SECRET }, { actor: ada, id: "refused" });
  expect(filesWith(path)).not.toEqual([]);
  await thread.redact({ actor: ada, by: { kind: "system", id: "privacy" } });
  await vi.waitFor(() => expect(filesWith(path)).toEqual([]), { timeout: 60_000 });
});
