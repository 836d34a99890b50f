// A replica and who uses it: what it shows, what it refuses at once, its listeners and its end.

import { describe, expect, it } from "vitest";
import { robot, tally } from "../thread/tally.ts";
import { add, bench, name, pendingOf } from "./bench.ts";

describe("a replica", () => {
  it("begins with the definition's initial state", async () => {
    const { replica, line } = await bench({}, false);
    expect(line().after).toBeUndefined();
    expect(replica.getState()).toEqual(tally.initial);
    expect(replica.sync.getState()).toEqual({
      status: "connecting",
      ready: false,
      version: 0,
      pending: [],
      rejections: [],
    });
  });

  it("is ready with the first confirmed state", async () => {
    const { replica, line, snapshot, commit } = await bench({}, false);
    await commit(add(2));
    line().message(snapshot());
    await replica.ready();
    expect(replica.getState().count).toBe(2);
    expect(replica.sync.getState().version).toBe(1);
  });

  it("begins with a given snapshot and requests the commits after it", async () => {
    const { replica, line, commit } = await bench(
      { snapshot: { version: 4, state: { count: 7, names: [], size: 0 } } },
      false,
    );
    await replica.ready();
    expect(line().after).toBe(4);
    expect(replica.getState().count).toBe(7);
    line().message({
      type: "commits",
      commits: [{ ...(await commit(add(1))), version: 5, patches: [{ op: "replace", path: "/count", value: 8 }] }],
    });
    expect(replica.getState().count).toBe(8);
  });

  it("shows an edit at once, sends it, and resolves with the verdict of the authority", async () => {
    const { replica, line, judge } = await bench();
    const verdict = replica.dispatch(add(2));
    expect(replica.getState().count).toBe(2);
    expect(pendingOf(replica)).toEqual([[add(2), "sent"]]);
    expect(line().sent).toEqual([
      { id: expect.any(String), operation: add(2), basedOn: 0, things: [""], madeAt: expect.any(Number) },
    ]);
    line().message(await judge(line().sent[0]!));
    expect(await verdict).toMatchObject({ accepted: true, version: 1 });
  });

  it("refuses at once what its visible state refuses, and counts the attempts", async () => {
    const { replica, line } = await bench();
    void replica.dispatch(name("x"));
    expect(await replica.dispatch(name("x"))).toMatchObject({
      accepted: false,
      version: 0,
      attempt: 1,
      rejection: { reason: "name_taken", details: { names: ["x"] } },
    });
    expect(await replica.dispatch(name("x"))).toMatchObject({ attempt: 2 });
    expect(line().sent).toHaveLength(1);
  });

  it("refuses at once what is not an operation, and sends none of it", async () => {
    const { replica, line } = await bench();
    const before = replica.getState();
    expect(await replica.submit({ type: "nope" })).toMatchObject({ rejection: { code: "unknown_operation" } });
    expect(await replica.submit(null)).toMatchObject({ rejection: { code: "invalid_operation" } });
    expect(await replica.dispatch({ type: "add", by: 1n } as never)).toMatchObject({
      rejection: { code: "invalid_operation" },
    });
    expect(line().sent).toEqual([]);
    expect(replica.getState()).toBe(before);
    expect(replica.sync.getState().rejections.map(({ verdict }) => verdict.rejection.code)).toEqual([
      "unknown_operation",
      "invalid_operation",
      "invalid_operation",
    ]);
  });

  it("checks the permissions of its actor before it sends", async () => {
    const { replica, line } = await bench({ actor: robot });
    expect(await replica.dispatch({ type: "reset" })).toMatchObject({ rejection: { code: "forbidden" } });
    expect(line().sent).toEqual([]);
  });

  it("checks permissions from the welcome on when it was given no actor", async () => {
    const { replica, line } = await bench();
    void replica.dispatch({ type: "reset" });
    line().message({ type: "welcome", actor: robot });
    expect(await replica.dispatch({ type: "reset" })).toMatchObject({ rejection: { code: "forbidden" } });
    expect(line().sent).toHaveLength(1);
  });

  it("copies what is dispatched", async () => {
    const { replica, line } = await bench();
    const update = { type: "name" as const, name: "x" };
    void replica.dispatch(update);
    update.name = "y";
    expect(line().sent[0]?.operation).toEqual(name("x"));
    expect(Object.isFrozen(update)).toBe(false);
  });
});

describe("listeners", () => {
  it("are not called when nothing changed", async () => {
    const { replica, line } = await bench();
    let calls = 0;
    replica.subscribe(() => (calls += 1));
    replica.sync.subscribe(() => (calls += 1));
    const sync = replica.sync.getState();
    line().message({ type: "commits", commits: [] });
    line().status("online");
    expect(replica.sync.getState()).toBe(sync);
    expect(calls).toBe(0);
  });

  it("are called once for a change, with state and sync in step", async () => {
    const { replica, line, commit } = await bench();
    const calls: string[] = [];
    replica.subscribe((state) =>
      calls.push(
        `state ${state.count}, version ${replica.sync.getState().version}, pending ${replica.sync.getState().pending.length}`,
      ),
    );
    replica.sync.subscribe((sync) =>
      calls.push(`sync ${sync.version}, pending ${sync.pending.length}, count ${replica.getState().count}`),
    );
    const five = await commit(add(5));
    line().message({ type: "commits", commits: [five] });
    line().message({ type: "commits", commits: [five] });
    expect(calls).toEqual(["state 5, version 1, pending 0", "sync 1, pending 0, count 5"]);
  });

  it("are called with the value that is current, also when one of them edits", async () => {
    const { replica } = await bench();
    const calls: string[] = [];
    replica.subscribe(({ count }) => {
      if (count === 1) void replica.dispatch(add(1));
    });
    replica.subscribe((state) => calls.push(`${state.count} ${state === replica.getState()}`));
    replica.sync.subscribe((sync) => calls.push(`${sync.pending.length} ${sync === replica.sync.getState()}`));
    void replica.dispatch(add(1));
    expect(calls.every((line) => line.endsWith("true"))).toBe(true);
    expect(calls.filter((line) => line === "2 true")).not.toEqual([]);
    expect(replica.getState().count).toBe(2);
  });
});

describe("close", () => {
  it("rejects pending verdicts and later dispatches", async () => {
    const { replica } = await bench();
    const pending = replica.dispatch(add(1));
    replica.close();
    await expect(pending).rejects.toMatchObject({ code: "closed" });
    await expect(replica.dispatch(add(1))).rejects.toMatchObject({ code: "closed" });
  });

  it("closes the connection and ignores what it still delivers", async () => {
    const { replica, line, commit } = await bench();
    replica.close();
    expect(line().open).toBe(false);
    const before = replica.getState();
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(replica.getState()).toBe(before);
    expect(replica.sync.getState().status).toBe("closed");
  });
});
