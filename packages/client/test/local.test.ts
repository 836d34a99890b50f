// A thread without a server.

import { createLocal, memoryStorage } from "@opstate/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ada, add, defineTally, robot, tally, until } from "./tally.ts";

afterEach(() => void vi.unstubAllGlobals());

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

  it("checks the permissions of its actor", async () => {
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

  it("stores each state at once, one save at a time, and the newest one next", async () => {
    const storage = memoryStorage();
    const saves: { readonly state: unknown; readonly end: () => void }[] = [];
    const page = createLocal(tally, {
      actor: ada,
      storage: {
        ...storage,
        async saveSnapshot(scope, threadId, snapshot, decided) {
          await new Promise<void>((end) => saves.push({ state: snapshot.state, end }));
          await storage.saveSnapshot(scope, threadId, snapshot, decided);
        },
      },
    });
    await page.dispatch(add(1));
    await until("the first save", () => saves.length === 1);
    for (const _ of [1, 2, 3]) await page.dispatch(add(1));
    expect(saves).toHaveLength(1);
    saves[0]?.end();
    await until("the second save", () => saves.length === 2);
    expect(saves[1]?.state).toMatchObject({ count: 4 });
    saves[1]?.end();
    const again = createLocal(tally, { actor: ada, storage });
    await again.ready();
    expect(again.getState().count).toBe(4);
  });

  it("shows a confirmation before a page is left whose newest state is not stored", async () => {
    const storage = memoryStorage();
    const saves: (() => void)[] = [];
    const page = createLocal(tally, {
      actor: ada,
      storage: { ...storage, saveSnapshot: () => new Promise((resolve) => saves.push(resolve)) },
    });
    const window = new EventTarget();
    vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
    vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
    const isAsked = (): boolean => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    await page.ready();
    expect(isAsked()).toBe(false);
    await page.dispatch(add(1));
    expect(isAsked()).toBe(true);
    await until("all is stored", () => {
      for (const end of saves.splice(0)) end();
      return !isAsked();
    });
  });

  it("has the edits that an older release left undecided", async () => {
    const storage = memoryStorage();
    const edit = { id: "e1", operation: add(2), at: "2026-11-20T10:00:00.000Z" };
    await storage.saveEdit({ url: "local:", actor: ada }, "tally", {
      ...edit,
      definition: "tally",
      definitionVersion: 1,
    });
    const page = createLocal(tally, { actor: ada, storage });
    await page.ready();
    await until("its verdict", () => page.sync.getState().pending.length === 0);
    expect(page.getState().count).toBe(2);
    const stored = await storage.load({ url: "local:", actor: ada }, "tally");
    expect(stored).toMatchObject({ snapshot: { state: { count: 2 } }, edits: [] });
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
