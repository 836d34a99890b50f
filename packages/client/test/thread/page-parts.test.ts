// Parts that several places of a page show together: a log with options, the changes of a branch,
// and the connection's switch.

import { createClient } from "@opstate/client";
import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, add, bob, tally, turns, until } from "../tally.ts";

async function started() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const client = createClient({ threads: [thread], actor: ada });
  return { thread, client, page: client.thread(tally, "t") };
}

describe("a history with options", () => {
  it("is one object for the same options, whose reads are shared", async () => {
    const { thread, page } = await started();
    await thread.dispatch(add(1), { actor: bob });
    await thread.dispatch(add(200), { actor: bob });
    const log = page.history.with({ rejections: true, pageSize: 10 });
    expect(page.history.with({ pageSize: 10, rejections: true })).toBe(log);
    expect(page.history.with({ rejections: true })).not.toBe(log);
    const ends = [log, page.history].map((each) => each.subscribe(() => undefined));
    await until("the entries", () => log.getState().entries.length === 2);
    expect(log.getState().entries.map(({ kind }) => kind)).toEqual(["refusal", "commit"]);
    await until("those without refusals", () => page.history.getState().entries.length === 1);
    for (const end of ends) end();
  });
});

describe("the changes of a branch", () => {
  it("follow the branch and the thread that it is a branch of", async () => {
    const { thread, page } = await started();
    const branch = await page.branches.create({ name: "try" });
    expect(page.branches.open(branch.threadId)).toBe(branch);
    const seen: number[] = [];
    const end = branch.changes.subscribe(({ changes, loading }) => void (loading || seen.push(changes.length)));
    await until("the first read", () => !branch.changes.getState().loading);
    expect(branch.changes.getState().changes).toEqual([]);
    await branch.thread.dispatch(add(3));
    await until("the change", () => branch.changes.getState().changes.length === 1);
    expect(branch.changes.getState().changes[0]).toMatchObject({ actor: ada, holds: true });
    await branch.merge();
    await until("the merge", () => branch.changes.getState().changes[0]?.merged === thread.version);
    end();
    await branch.thread.dispatch(add(4));
    await turns(5);
    expect(branch.changes.getState().changes).toHaveLength(1);
    await branch.changes.refresh();
    expect(branch.changes.getState().changes).toHaveLength(2);
  });

  it("say why they cannot be read", async () => {
    const { page } = await started();
    const gone = page.branches.open("t~gone");
    await gone.changes.refresh();
    expect(gone.changes.getState()).toMatchObject({ changes: [], loading: false, error: expect.any(Error) });
  });
});

describe("a connection that is switched off", () => {
  it("keeps edits until it is on again", async () => {
    const { thread, client, page } = await started();
    const end = page.subscribe(() => undefined);
    await page.ready();
    client.disconnect();
    expect(page.sync.getState().status).toBe("offline");
    const verdict = page.dispatch(add(2));
    await thread.dispatch(add(10), { actor: bob });
    await turns(5);
    expect(page.getState().count).toBe(2);
    expect(page.sync.getState()).toMatchObject({ status: "offline", version: 0, pending: [{}] });
    client.connect();
    expect(await verdict).toMatchObject({ accepted: true, version: 2 });
    await until("what came meanwhile", () => page.getState().count === 12);
    expect(page.sync.getState()).toMatchObject({ status: "online", pending: [] });
    end();
  });

  it("may be off before anything connects", async () => {
    const { client, page } = await started();
    client.disconnect();
    const end = page.subscribe(() => undefined);
    await until("offline", () => page.sync.getState().status === "offline");
    client.connect();
    await page.ready();
    expect(page.sync.getState().status).toBe("online");
    end();
  });
});
