// A thread without a server.

import { createLocal, memoryStorage } from "@opstate/client";
import { describe, expect, it } from "vitest";
import { ada, add, defineTally, robot, tally, until } from "./tally.ts";

describe("a local thread", () => {
  it("shows an edit at once, in one line", () => {
    const page = createLocal(tally, { actor: ada });
    void page.dispatch(add(2));
    expect(page.getState().count).toBe(2);
    expect(page.sync.getState().actor).toEqual(ada);
  });

  it("gives verdicts, a history, and undo", async () => {
    const page = createLocal(tally, { actor: ada });
    expect(await page.dispatch(add(2))).toMatchObject({ accepted: true, version: 1, commit: { actor: ada } });
    expect(await page.dispatch(add(200))).toMatchObject({ rejection: { reason: "too_much" } });
    expect(await page.history.read()).toHaveLength(1);
    expect(await page.undo()).toMatchObject({ accepted: true });
    expect(page.getState().count).toBe(0);
    expect(await page.undo.redo()).toMatchObject({ accepted: true });
    expect(page.getState().count).toBe(2);
  });

  it("begins with the state that it is given", async () => {
    const page = createLocal(tally, { actor: ada, initial: { count: 40, names: ["x"] } });
    expect(page.getState()).toEqual({ count: 40, names: ["x"] });
    expect(await page.dispatch(add(2))).toMatchObject({ accepted: true });
    expect(page.getState().count).toBe(42);
  });

  it("holds its actor to the permissions", async () => {
    const page = createLocal(tally, { actor: robot });
    expect(page.can({ type: "reset" })).toMatchObject({ code: "forbidden" });
    expect(await page.dispatch({ type: "reset" })).toMatchObject({ rejection: { code: "forbidden" } });
  });

  it("has branches of its own", async () => {
    const page = createLocal(tally, { actor: ada });
    const branch = await page.branches.create();
    expect(await branch.thread.dispatch(add(3))).toMatchObject({ accepted: true });
    page.subscribe(() => undefined);
    expect(page.getState().count).toBe(0);
    await branch.merge();
    await until("the merge", () => page.getState().count === 3);
  });

  it("is there again after a reload", async () => {
    const storage = memoryStorage();
    await createLocal(tally, { actor: ada, storage }).dispatch(add(2));
    const again = createLocal(tally, { actor: ada, storage });
    await again.ready();
    expect(again.getState().count).toBe(2);
    expect(await again.dispatch(add(1))).toMatchObject({ accepted: true });
    expect(again.getState().count).toBe(3);
  });

  it("has the edits of a page that ended before its state was stored", async () => {
    const storage = memoryStorage();
    const killed = createLocal(tally, {
      actor: ada,
      storage: { ...storage, saveSnapshot: () => new Promise(() => undefined) },
    });
    void killed.dispatch(add(2));
    await killed.dispatch(add(3));
    const again = createLocal(tally, { actor: ada, storage });
    await again.ready();
    expect(again.getState().count).toBe(5);
    await until("their verdicts", () => again.sync.getState().pending.length === 0);
    expect(await again.history.read()).toHaveLength(2);
  });

  it("migrates what an older version of the definition stored", async () => {
    const storage = memoryStorage();
    const scope = { url: "local:", actor: ada };
    const snapshot = { definition: "tally", definitionVersion: 1, incarnation: "i", version: 9 };
    await storage.saveSnapshot(scope, "tally", { ...snapshot, state: { count: 7, names: [] } });
    const page = createLocal(defineTally(2), { actor: ada, storage });
    await page.ready();
    expect(page.getState().count).toBe(7);
  });
});
