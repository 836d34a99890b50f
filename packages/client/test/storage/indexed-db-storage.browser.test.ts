// The storage in the IndexedDB of a real browser.

import { type ClientStorage, indexedDbStorage } from "@opstate/client";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { ada, edit, snapshot, storageContract } from "./storage-contract.ts";

/** Chromium's storage with a quota of its own. */
interface Buckets {
  open(name: string, options: { quota: number }): Promise<{ indexedDB: IDBFactory }>;
  delete(name: string): Promise<void>;
}

declare module "vitest" {
  interface ProvidedContext {
    /** How often a tab is killed in one test. */
    killedTabs: number;
  }
}

let name = "";
let count = 0;
const uncaught: unknown[] = [];
const onUncaught = (event: ErrorEvent | PromiseRejectionEvent) =>
  uncaught.push("reason" in event ? event.reason : event.error);

beforeEach(() => {
  name = `test ${(count += 1)}`;
  uncaught.length = 0;
  addEventListener("error", onUncaught);
  addEventListener("unhandledrejection", onUncaught);
});

afterEach(async () => {
  await promised(indexedDB.deleteDatabase(name));
  // What is unhandled is reported a task later.
  await new Promise((resolve) => setTimeout(resolve));
  removeEventListener("error", onUncaught);
  removeEventListener("unhandledrejection", onUncaught);
  expect(uncaught).toEqual([]);
});

function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("IndexedDB failed")));
  });
}

/** Another tab's code. */
function openAs(version: number, onVersionChange?: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  return promised(indexedDB.open(name, version)).then((database) => {
    database.addEventListener("versionchange", () => onVersionChange?.(database));
    return database;
  });
}

const idsOf = async (storage: ClientStorage) => (await storage.load(ada, "t")).edits.map(({ id }) => id);

describe("indexedDbStorage", () => {
  for (const [title, check] of Object.entries(storageContract))
    it(title, () => check({ tab: () => indexedDbStorage({ name }) }));

  it("goes on after another tab deleted the database", async () => {
    const storage = indexedDbStorage({ name });
    await storage.saveEdit(ada, "t", edit("before"));
    await promised(indexedDB.deleteDatabase(name));
    expect(await storage.load(ada, "t")).toEqual({ edits: [] });
    await storage.saveEdit(ada, "t", edit("after"));
    expect(await idsOf(storage)).toEqual(["after"]);
  });

  it("lets newer code upgrade the database, and then says that it is outdated", async () => {
    const storage = indexedDbStorage({ name });
    await storage.saveEdit(ada, "t", edit("kept"));
    const newer = await openAs(1_000);
    expect([...newer.objectStoreNames]).toEqual(["actors", "edits", "snapshots"]);
    const error = { name: "StorageError", code: "outdated", message: expect.stringContaining("reload") };
    await expect(storage.saveEdit(ada, "t", edit("lost"))).rejects.toMatchObject(error);
    await expect(storage.load(ada, "t")).rejects.toMatchObject(error);
    newer.close();
  });

  it("says that another tab blocks its upgrade, and goes on when that tab is gone", async () => {
    // An older layout, in a tab that does not close it.
    await indexedDbStorage({ name }).load(ada, "t");
    const older = await openAs(1);
    // This tab's code has a newer layout.
    const factory: Pick<IDBFactory, "open"> = { open: (of) => indexedDB.open(of, 2) };
    const storage = indexedDbStorage({ name, indexedDB: factory });
    await expect(storage.load(ada, "t")).rejects.toMatchObject({ name: "StorageError", code: "blocked" });
    older.close();
    await storage.saveEdit(ada, "t", edit("e"));
    expect(await idsOf(storage)).toEqual(["e"]);
  });

  it("gives each failure of the browser its code", async () => {
    for (const [thrown, code] of [
      ["SecurityError", "unavailable"],
      ["InvalidStateError", "unavailable"],
    ] as const) {
      const open = () => {
        throw new DOMException("no", thrown);
      };
      const storage = indexedDbStorage({ name, indexedDB: { open } as unknown as IDBFactory });
      await expect(storage.load(ada, "t")).rejects.toMatchObject({ name: "StorageError", code });
    }
  });

  it("says that the storage is full, and keeps what was there", async () => {
    const buckets = (navigator as unknown as { storageBuckets: Buckets }).storageBuckets;
    const small = await buckets.open("small", { quota: 300_000 });
    const storage = indexedDbStorage({ name, indexedDB: small.indexedDB });
    await storage.saveEdit(ada, "t", edit("kept"));
    await storage.saveSnapshot(ada, "t", snapshot(1));
    const error = { name: "StorageError", code: "full", message: expect.stringContaining("full") };
    const operation = "x".repeat(1_000_000);
    await expect(storage.saveEdit(ada, "t", edit("more", { operation }))).rejects.toMatchObject(error);
    await expect(storage.saveSnapshot(ada, "t", snapshot(2, { state: operation }))).rejects.toMatchObject(error);
    expect(await storage.load(ada, "t")).toEqual({ snapshot: snapshot(1), edits: [edit("kept")] });
    // What fits can be done.
    await storage.removeEdits(ada, "t", ["kept"]);
    await storage.saveEdit(ada, "t", edit("again"));
    expect(await idsOf(storage)).toEqual(["again"]);
    await buckets.delete("small");
  });

  it("opens again when the browser closed the database under it", async () => {
    const opened: IDBDatabase[] = [];
    const open: IDBFactory["open"] = (of, version) => {
      const request = indexedDB.open(of, version);
      request.addEventListener("success", () => opened.push(request.result));
      return request;
    };
    const storage = indexedDbStorage({ name, indexedDB: { open } });
    await storage.saveEdit(ada, "t", edit("a"));
    opened[0]?.close();
    await storage.saveEdit(ada, "t", edit("b"));
    expect(await idsOf(storage)).toEqual(["a", "b"]);
    expect(opened).toHaveLength(2);
  });

  it("leaves the old or the new when its tab ends between or within calls", { timeout: 3_600_000 }, async () => {
    const storage = indexedDbStorage({ name });
    for (let round = 0; round < inject("killedTabs"); round++) {
      const frame = document.body.appendChild(document.createElement("iframe"));
      const factory = frame.contentWindow?.indexedDB;
      if (factory === undefined) throw new Error("The frame has no IndexedDB.");
      const dying = indexedDbStorage({ name, indexedDB: factory });
      const before = await storage.load(ada, "t");
      const saved: string[] = [];
      const calls = Array.from({ length: 20 }, (_, index) => `${round} ${index}`).map((id) =>
        dying.saveEdit(ada, "t", edit(id)).then(
          () => saved.push(id),
          () => undefined,
        ),
      );
      const version = round + 1;
      const change = dying.saveSnapshot(ada, "t", snapshot(version, { state: "x".repeat(100_000) + version }));
      change.catch(() => undefined);
      // Another number of calls is through each time.
      if (round % 4 > 0) await calls[(round * 7) % 20];
      frame.remove();
      const { edits, snapshot: after } = await storage.load(ada, "t");
      const ids = edits.map(({ id }) => id);
      const old = before.edits.map(({ id }) => id);
      const all = [...old, ...Array.from({ length: 20 }, (_, index) => `${round} ${index}`)];
      expect(ids).toEqual(all.slice(0, ids.length));
      for (const id of [...old, ...saved]) expect(ids).toContain(id);
      for (const { operation } of edits) expect(operation).toEqual({ type: "add", by: 1 });
      if (after !== undefined) expect(after.state).toBe("x".repeat(100_000) + after.version);
      expect([before.snapshot?.version, version]).toContain(after?.version);
    }
  });
});
