// The operations that a replica has sent or queued and that have no verdict yet.

import { describe, expect, it } from "vitest";
import { ada, bob, tally } from "../thread/tally.ts";
import { add, bench, name } from "./bench.ts";

describe("a replica that is offline", () => {
  it("queues edits in order and sends all without a verdict again, with the same ids, when it is online", async () => {
    const { replica, line, judge } = await bench();
    void replica.dispatch(add(1));
    void replica.dispatch(add(2));
    line().message(await judge(line().sent[0]!));
    line().status("offline");
    void replica.dispatch(add(3));
    expect(replica.getState().count).toBe(6);
    expect(replica.sync.getState().status).toBe("offline");
    expect(line().sent).toHaveLength(2);
    line().status("connecting");
    line().status("online");
    expect(line().sent.map(({ operation }) => operation)).toEqual([add(1), add(2), add(2), add(3)]);
    expect(line().sent[1]?.id).toBe(line().sent[2]?.id);
  });

  it("queues edits made before the first confirmed state and judges them when it arrives", async () => {
    const { replica, line, commit, snapshot } = await bench({}, false);
    const [bad, good] = [replica.dispatch(name("x")), replica.dispatch(add(1))];
    line().status("online");
    expect(line().sent).toEqual([]);
    await commit(name("x"));
    line().message(snapshot());
    expect(await bad).toMatchObject({ accepted: false, rejection: { reason: "name_taken" } });
    expect(line().sent.map(({ operation }) => operation)).toEqual([add(1)]);
    expect(replica.getState()).toEqual({ count: 1, names: ["x"], size: 1 });
    expect(good).toBeInstanceOf(Promise);
  });

  async function withAnotherActorOnline() {
    const { replica, line } = await bench();
    line().message({ type: "welcome", actor: ada });
    line().status("offline");
    const mine = replica.dispatch(add(1));
    line().status("connecting");
    line().message({ type: "welcome", actor: bob });
    line().status("online");
    return { replica, line, mine };
  }

  it("rejects the edits of one actor when another is welcomed", async () => {
    const { replica, line, mine } = await withAnotherActorOnline();
    expect(line().sent).toEqual([]);
    expect(await mine).toMatchObject({ accepted: false, rejection: { code: "forbidden", reason: "other_actor" } });
    expect(replica.getState().count).toBe(0);
    expect(replica.sync.getState()).toMatchObject({ pending: [], rejections: [{ operation: add(1) }] });
  });

  it("sends what the other actor does then", async () => {
    const { replica, line } = await withAnotherActorOnline();
    void replica.dispatch(add(2));
    expect(line().sent.map(({ operation }) => operation)).toEqual([add(2)]);
  });

  it("refuses an edit when the queue is full", async () => {
    const { replica, line } = await bench({ maxPending: 2 });
    line().status("offline");
    for (const by of [1, 2]) void replica.dispatch(add(by));
    expect(await replica.dispatch(add(3))).toMatchObject({
      accepted: false,
      rejection: { code: "too_large", reason: "queue_full" },
    });
    expect(replica.getState().count).toBe(3);
  });
});

describe("operations that an earlier replica left pending", () => {
  const left = [
    { id: "1", operation: name("x"), status: "sent" as const },
    { id: "2", operation: add(1), expectedVersion: 0, status: "queued" as const },
  ];

  it("are visible at once and are sent as they were", async () => {
    const { replica, line } = await bench({ pending: left, snapshot: { version: 0, state: tally.initial } }, false);
    expect(replica.getState()).toMatchObject({ names: ["x"], count: 1 });
    line().status("online");
    expect(line().sent).toEqual([
      { id: "1", operation: name("x") },
      { id: "2", operation: add(1), expectedVersion: 0 },
    ]);
    expect(replica.sync.getState().pending).toMatchObject([{ id: "1" }, { id: "2" }]);
  });

  it("are sent with the time when they were made, where it was stored", async () => {
    const at = "2026-01-01T00:00:00.000Z";
    const pending = left.map((each) => ({ ...each, at }));
    const { line } = await bench({ pending, snapshot: { version: 0, state: tally.initial } }, false);
    line().status("online");
    expect(line().sent.map(({ madeAt }) => madeAt)).toEqual([Date.parse(at), Date.parse(at)]);
  });

  it("get the verdict of the authority, also when they had their effect before and are dispatched again", async () => {
    const { replica, line, commit, judge, snapshot } = await bench({ pending: left.slice(0, 1) }, false);
    const verdict = replica.dispatch(name("x"), { id: "1" });
    const { version } = await commit(name("x"), ada, "1");
    line().status("online");
    line().message(snapshot());
    expect(replica.getState().names).toEqual(["x"]);
    expect(line().sent).toHaveLength(1);
    line().message(await judge(line().sent[0]!));
    expect(await verdict).toMatchObject({ accepted: true, version });
    expect(replica.sync.getState().pending).toEqual([]);
  });
});

describe("a submission id that is used again", () => {
  it("is one edit with one verdict", async () => {
    const { replica, line, judge } = await bench();
    const first = replica.dispatch(add(1), { id: "1" });
    expect(replica.dispatch(add(1), { id: "1" })).toBe(first);
    line().message(await judge(line().sent[0]!));
    expect(await replica.dispatch(add(1), { id: "1" })).toEqual(await first);
    expect(line().sent).toHaveLength(1);
  });

  it("is refused with another operation", async () => {
    const { replica, line } = await bench();
    void replica.dispatch(add(1), { id: "1" });
    expect(await replica.dispatch(add(2), { id: "1" })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict", path: "/id" },
    });
    expect(replica.getState().count).toBe(1);
    expect(line().sent).toHaveLength(1);
  });

  it("is sent again after a conflict with the expected version", async () => {
    const { replica, line } = await bench();
    const verdict = replica.dispatch(add(1), { id: "1", expectedVersion: 0 });
    expect(line().sent[0]).toMatchObject({ id: "1", operation: add(1), expectedVersion: 0 });
    const rejection = { code: "conflict", message: "", operation: { type: "add" } } as const;
    line().message({ type: "verdict", id: "1", verdict: { accepted: false, version: 3, rejection, attempt: 1 } });
    expect(await verdict).toMatchObject({ accepted: false });
    expect(replica.getState().count).toBe(0);
    void replica.dispatch(add(1), { id: "1" });
    expect(line().sent).toHaveLength(2);
  });
});
