// A client over threads of its own process.

import { createClient } from "@opstate/client";
import { defineState, memoryLog, openThread, type Thread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, add, bob, defineTally, robot, type Tally, tally, turns, until } from "./tally.ts";

async function open(threadId = "t") {
  return openThread({ definition: tally, log: memoryLog(), threadId });
}

async function started() {
  const thread = await open();
  const client = createClient({ threads: [thread], actor: ada });
  return { thread, client, page: client.thread(tally, "t") };
}

describe("a client of threads in this process", () => {
  it("gives the same object for the same arguments", async () => {
    const { client, page } = await started();
    expect(client.thread(tally, "t")).toBe(page);
    expect(client.thread(tally, "other")).not.toBe(page);
  });

  it("refuses another definition under one id, with words", async () => {
    const { client } = await started();
    expect(() => client.thread(defineTally(), "t")).toThrow(
      /not of the definition "tally", but of another of that name/,
    );
    const note = defineState({ name: "note", schema: z.object({}), initial: {}, operations: {} });
    expect(() => client.thread(note, "t")).toThrow(/not of the definition "note", but of "tally"/);
  });

  it("opens no thread before one is watched or edited", async () => {
    const asked: string[] = [];
    const thread = await open();
    const client = createClient({
      actor: ada,
      threads: (id) => {
        asked.push(id);
        return thread;
      },
    });
    const page = client.thread(tally, "t");
    page.getState();
    page.sync.getState();
    page.can(add(1));
    expect(asked).toEqual([]);
    const end = page.subscribe(() => undefined);
    expect(asked).toEqual(["t"]);
    expect(page.sync.getState().status).toBe("online");
    end();
    await until("the end of the connection", () => page.sync.getState().status === "offline");
  });

  it("shows an edit at once, and gives the verdict of the thread", async () => {
    const { thread, page } = await started();
    const verdict = page.dispatch(add(2));
    expect(page.getState().count).toBe(2);
    expect(thread.getState().count).toBe(0);
    expect(await verdict).toMatchObject({ accepted: true, version: 1, commit: { actor: ada } });
    expect(await page.dispatch(add(200))).toMatchObject({ accepted: false, rejection: { reason: "too_much" } });
  });

  it("knows who submits", async () => {
    const thread = await open();
    const client = createClient({ threads: [thread], actor: robot });
    const page = client.thread(tally, "t");
    expect(page.sync.getState().actor).toEqual(robot);
    expect(page.can({ type: "reset" })).toMatchObject({ code: "forbidden" });
    expect(page.can(add(1))).toBeUndefined();
  });

  it("begins with the state that a server rendered", async () => {
    const { thread, client } = await started();
    await thread.dispatch(add(5), { actor: bob });
    const page = client.thread(tally, "u", { initial: { version: 3, state: { count: 7, names: [] } } });
    expect(page.getState().count).toBe(7);
    expect(page.getInitialState().count).toBe(7);
    expect(page.sync.getState()).toMatchObject({ ready: true, version: 3 });
  });

  it("waits for a thread that is found later", async () => {
    const client = createClient({ threads: async (id) => (id === "t" ? open() : undefined), actor: ada });
    const page = client.thread(tally, "t");
    await page.ready();
    expect(page.sync.getState().status).toBe("online");
    const missing = client.thread(tally, "nowhere");
    await expect(missing.ready()).rejects.toThrow('There is no thread "nowhere" here.');
    expect(missing.sync.getState()).toMatchObject({ status: "not_found", error: expect.any(Error) });
  });

  it("requests a thread again that was not there", async () => {
    const threads: Thread[] = [];
    const client = createClient({ threads: (id) => threads.find(({ threadId }) => threadId === id), actor: ada });
    const page = client.thread(tally, "t");
    page.subscribe(() => undefined);
    expect(page.sync.getState().status).toBe("not_found");
    threads.push(await open());
    client.retry();
    expect(page.sync.getState().status).toBe("online");
  });

  it("ends with its client", async () => {
    const { client, page } = await started();
    page.subscribe(() => undefined);
    client.close();
    expect(page.sync.getState().status).toBe("closed");
    await expect(page.dispatch(add(1))).rejects.toMatchObject({ code: "closed" });
    // A page that shows it still can.
    expect(client.thread(tally, "t")).toBe(page);
    expect(() => client.thread(tally, "new")).toThrow(/closed/);
  });

  it("keeps the edits of a thread that no one looks at any more", async () => {
    const { thread, page } = await started();
    const end = page.subscribe(() => undefined);
    void page.dispatch(add(1));
    end();
    await until("the commit", () => thread.getState().count === 1);
  });
});

describe("the past of a client's thread", () => {
  it("is read in pages, live while it has a subscriber", async () => {
    const { page, thread } = await started();
    await thread.dispatch(add(1), { actor: bob });
    const { history } = page;
    expect(history.getState()).toEqual({ entries: [], hasOlder: false, loading: true });
    history.subscribe(() => undefined);
    await until("the first page", () => history.getState().entries.length === 1);
    await page.dispatch(add(2));
    await until("the next entry", () => history.getState().entries.length === 2);
    expect((await history.read()).length).toBe(2);
    expect(await history.stateAt(1)).toEqual({ version: 1, state: { count: 1, names: [] } });
    expect(await history.explain("/count")).toMatchObject({ commit: { actor: ada } });
    expect(page.history).toBe(history);
  });

  it("is undone and redone", async () => {
    const { page, thread } = await started();
    await page.dispatch(add(1));
    await thread.dispatch(add(10), { actor: bob });
    page.undo.subscribe(() => undefined);
    await until("what can be taken back", () => page.undo.getState().canUndo);
    expect(await page.undo()).toMatchObject({ accepted: true });
    expect(thread.getState().count).toBe(10);
    expect(await page.undo.redo()).toMatchObject({ accepted: true });
    expect(thread.getState().count).toBe(11);
    expect(await page.undo({ ids: ["nobody's"] })).toMatchObject({ accepted: false });
    expect(await page.undo()).toMatchObject({ accepted: true });
    expect(await page.undo()).toBeUndefined();
  });

  it("is connected until it shows what was undone", async () => {
    const { page } = await started();
    await page.dispatch(add(1));
    await page.undo();
    expect(page.getState().count).toBe(0);
    await until("the end of the connection", () => page.sync.getState().status === "offline");
  });

  it("reports a failed undo as a value, and rejects for its caller", async () => {
    const thread = await open();
    let isDown = false;
    const fragile: Thread<Tally> = Object.create(thread, {
      undo: {
        value: (...rest: Parameters<typeof thread.undo>) =>
          isDown ? Promise.reject(new Error("The line is down.")) : thread.undo(...rest),
      },
    });
    const page = createClient({ threads: [fragile], actor: ada }).thread(tally, "t");
    page.undo.subscribe(() => undefined);
    await page.dispatch(add(1));
    await until("what can be taken back", () => page.undo.getState().canUndo);
    isDown = true;
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    void page.undo({ ids: ["x"] });
    await expect(page.undo({ ids: ["x"] })).rejects.toThrow("The line is down.");
    expect(page.undo.getState().error).toMatchObject({ message: "The line is down." });
    await turns(10);
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
    isDown = false;
    expect(await page.undo()).toMatchObject({ accepted: true });
    expect(page.undo.getState().error).toBeUndefined();
  });

  it("has proposals that are decided by another", async () => {
    const { page, thread } = await started();
    await thread.propose(add(4), { id: "p", actor: robot });
    page.proposals.subscribe(() => undefined);
    await until("the proposal", () => page.proposals.getState().proposals.length === 1);
    expect(await page.proposals.approve("p")).toMatchObject({ accepted: true });
    await until("its end", () => page.proposals.getState().proposals.length === 0);
    expect(page.getState().count).toBe(4);
  });

  it("has branches, which are threads of the same client", async () => {
    const { page, thread, client } = await started();
    const branch = await page.branches.create({ name: "try" });
    expect(branch.thread).toBe(client.thread(tally, branch.threadId));
    await branch.thread.ready();
    await branch.thread.dispatch(add(3));
    expect(thread.getState().count).toBe(0);
    expect(await branch.diff()).toHaveLength(1);
    expect(await branch.merge()).toHaveLength(1);
    expect(thread.getState().count).toBe(3);
    expect(await page.branches.list()).toHaveLength(1);
    await page.branches.open(branch.threadId).discard();
    expect(await page.branches.list()).toHaveLength(0);
  });
});
