// What a replica makes of the messages of its authority: commits of others, its own commits and
// verdicts in either order, gaps, and snapshots.

import { describe, expect, it } from "vitest";
import { ada, bob } from "../thread/tally.ts";
import { add, bench, name, pendingOf } from "./bench.ts";

describe("commits of others", () => {
  it("come before the pending operations in the visible state", async () => {
    const { replica, line, commit } = await bench();
    void replica.dispatch(name("mine"));
    line().message({ type: "commits", commits: [await commit(name("theirs"))] });
    expect(replica.getState()).toEqual({ count: 0, names: ["theirs", "mine"], size: 2 });
    expect(replica.sync.getState().version).toBe(1);
  });

  it("hide an operation in flight that they make invalid, until its verdict", async () => {
    const { replica, line, commit, judge } = await bench();
    const verdict = replica.dispatch(name("x"));
    line().message({ type: "commits", commits: [await commit(name("x"))] });
    expect(replica.getState().names).toEqual(["x"]);
    expect(pendingOf(replica)).toEqual([[name("x"), "sent"]]);
    line().message(await judge(line().sent[0]!));
    expect(await verdict).toMatchObject({ accepted: false, version: 1, rejection: { reason: "name_taken" } });
    expect(replica.sync.getState()).toMatchObject({ pending: [], rejections: [{ operation: name("x") }] });
  });

  it("reject a queued operation that they make invalid at once, and the others are sent", async () => {
    const { replica, line, commit } = await bench();
    line().status("offline");
    const [rejected, sent] = [replica.dispatch(name("x")), replica.dispatch(add(1))];
    expect(pendingOf(replica)).toEqual([
      [name("x"), "queued"],
      [add(1), "queued"],
    ]);
    line().message({ type: "commits", commits: [await commit(name("x"))] });
    expect(await rejected).toMatchObject({ accepted: false, version: 1, rejection: { reason: "name_taken" } });
    line().status("online");
    expect(line().sent.map(({ operation }) => operation)).toEqual([add(1)]);
    expect(pendingOf(replica)).toEqual([[add(1), "sent"]]);
    expect(sent).toBeInstanceOf(Promise);
  });

  it("are given to listeners until they unsubscribe", async () => {
    const { replica, line, commit } = await bench();
    const versions: number[] = [];
    const unsubscribe = replica.onCommit(({ version }) => versions.push(version));
    line().message({ type: "commits", commits: [await commit(add(1)), await commit(add(1))] });
    unsubscribe();
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(versions).toEqual([1, 2]);
  });

  it("and refusals have listeners of their own", async () => {
    const { replica, line, thread } = await bench();
    const refusals: string[] = [];
    replica.onRejection(({ id }) => refusals.push(id));
    thread.onRejection((refusal) => line().message({ type: "refusal", refusal }));
    await thread.dispatch(add(101), { actor: bob, id: "no" });
    expect(refusals).toEqual(["no"]);
  });
});

describe("an own operation, between its verdict and its commit", () => {
  async function watched() {
    const made = await bench();
    const views: string[] = [];
    made.replica.subscribe(({ names }) => views.push(names.join()));
    const verdict = made.replica.dispatch(name("mine"));
    const answer = await made.judge(made.line().sent[0]!);
    return { ...made, views, verdict, answer };
  }

  it("stays visible without a change when the verdict comes first", async () => {
    const { replica, line, views, answer, thread } = await watched();
    const shown = replica.getState();
    line().message(answer);
    expect(pendingOf(replica)).toHaveLength(1);
    line().message({ type: "commits", commits: await commitsOf(thread) });
    expect(pendingOf(replica)).toEqual([]);
    expect(replica.getState()).toBe(shown);
    expect(views).toEqual(["mine"]);
  });

  it("leaves what its commit does not change the same object, also when others edit elsewhere", async () => {
    const { replica, line, thread, commit } = await watched();
    const { names } = replica.getState();
    line().message({ type: "commits", commits: await commitsOf(thread) });
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(replica.getState().count).toBe(1);
    expect(replica.getState().names).toBe(names);
  });

  it("stays visible without a change when the commit comes first, which resolves the verdict", async () => {
    const { replica, line, views, answer, thread, verdict } = await watched();
    line().message({ type: "commits", commits: await commitsOf(thread) });
    expect(await verdict).toMatchObject({ accepted: true, version: 1, commit: { operation: name("mine") } });
    line().message(answer);
    expect(pendingOf(replica)).toEqual([]);
    expect(views).toEqual(["mine"]);
  });

  it("stays visible without a change when a snapshot comes in place of the commit", async () => {
    const { line, views, answer, snapshot, replica } = await watched();
    line().message(answer);
    line().message(snapshot());
    expect(pendingOf(replica)).toEqual([]);
    expect(views).toEqual(["mine"]);
  });

  it("is not confirmed by a commit of another actor with the same id", async () => {
    const { replica, line, commit, judge } = await bench({ actor: ada });
    void replica.dispatch(add(1), { id: "same" });
    line().message({ type: "commits", commits: [await commit(add(1), bob, "same")] });
    expect(replica.getState().count).toBe(2);
    line().message(await judge(line().sent[0]!));
    expect(replica.getState().count).toBe(2);
  });

  it("stays pending until its version arrives when it changed nothing at the authority", async () => {
    const { replica, line, commit, judge } = await bench();
    line().message({ type: "commits", commits: [await commit(name("x"))] });
    const wiped = await commit({ type: "wipe" });
    void replica.dispatch({ type: "wipe" });
    expect(replica.getState().names).toEqual([]);
    line().message(await judge(line().sent[0]!));
    expect([replica.getState().names, pendingOf(replica).length]).toEqual([[], 1]);
    line().message({ type: "commits", commits: [wiped] });
    expect([replica.getState().names, pendingOf(replica).length]).toEqual([[], 0]);
  });

  async function commitsOf(thread: Awaited<ReturnType<typeof bench>>["thread"]) {
    return (await thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
  }
});

describe("messages out of order", () => {
  it("are ignored when they are commits before the first snapshot", async () => {
    const { replica, lines, line, commit, snapshot } = await bench({}, false);
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(lines).toHaveLength(1);
    line().message(snapshot());
    expect(replica.sync.getState().version).toBe(1);
  });

  it("that lead to a state which the definition refuses: operations are refused until it is valid", async () => {
    const { replica, line, commit } = await bench(
      { snapshot: { version: 0, state: { count: 2_000_000, names: [], size: 0 } } },
      false,
    );
    line().message({ type: "commits", commits: [await commit(name("x"))] });
    expect(replica.getState()).toEqual({ count: 2_000_000, names: ["x"], size: 1 });
    expect(await replica.dispatch(name("y"))).toMatchObject({ accepted: false, rejection: { code: "invalid_state" } });
    line().message({ type: "commits", commits: [await commit(add(1))] });
    void replica.dispatch(name("y"));
    expect(replica.getState()).toEqual({ count: 1, names: ["x", "y"], size: 2 });
  });

  it("with a gap open a new connection from the confirmed version, and the old one is ignored", async () => {
    const { replica, lines, line, commit } = await bench();
    const [first, second, third] = [await commit(add(1)), await commit(add(1)), await commit(add(1))];
    line().message({ type: "commits", commits: [first] });
    line().message({ type: "commits", commits: [third] });
    expect(lines).toHaveLength(2);
    expect([lines[0]!.open, line().after]).toEqual([false, 1]);
    lines[0]!.message({ type: "commits", commits: [second] });
    expect(replica.getState().count).toBe(1);
    line().message({ type: "commits", commits: [second, third] });
    expect(replica.getState().count).toBe(3);
  });

  it("with a gap that stays open a connection that begins with a snapshot", async () => {
    const { replica, lines, line, commit, snapshot } = await bench();
    const [, , third] = [await commit(add(1)), await commit(name("x")), await commit(name("y"))];
    line().message({ type: "commits", commits: [third] });
    line().message({ type: "commits", commits: [third] });
    expect(lines.map(({ after }) => after)).toEqual([undefined, 0, undefined]);
    line().message(snapshot());
    expect(replica.getState()).toEqual({ count: 1, names: ["x", "y"], size: 2 });
  });

  it("with patches that do not apply open a connection that begins with a snapshot", async () => {
    const { replica, line, commit, snapshot } = await bench();
    const first = await commit(add(1));
    line().message(snapshot());
    line().message({
      type: "commits",
      commits: [{ ...first, version: 2, patches: [{ op: "remove", path: "/names/9" }] }],
    });
    expect(line().after).toBeUndefined();
    line().message(snapshot());
    expect(replica.sync.getState().version).toBe(1);
  });

  it("are ignored when they are older than the confirmed state", async () => {
    const { replica, line, commit, snapshot } = await bench();
    const old = snapshot();
    const commits = [await commit(add(1)), await commit(add(1))];
    line().message({ type: "commits", commits });
    const before = replica.getState();
    line().message({ type: "commits", commits });
    line().message(old);
    line().message({ type: "verdict", id: "unknown", verdict: { accepted: true, version: 1 } });
    expect(replica.getState()).toBe(before);
    expect(replica.sync.getState().version).toBe(2);
  });

  it("may be a newer snapshot: pending operations are applied to it", async () => {
    const { replica, line, commit, snapshot } = await bench();
    void replica.dispatch(name("mine"));
    await commit(name("theirs"));
    line().message(snapshot());
    expect(replica.getState().names).toEqual(["theirs", "mine"]);
  });
});
