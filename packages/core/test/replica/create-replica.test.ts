import {
  type Commit,
  createReplica,
  memoryLog,
  openThread,
  type Replica,
  type Transport,
  type AnyOperation,
} from "@opstate/core";
import type { Submission, TransportMessage, TransportStatus } from "@opstate/core/transport";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../thread/tally.ts";

/** A transport that is all in the test's hands, and an authority to make true messages with. */
async function bench(options: Partial<Parameters<typeof createReplica<typeof tally>>[0]> = {}, online = true) {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const lines: {
    after: number | undefined;
    open: boolean;
    sent: Submission[];
    message: (message: TransportMessage) => void;
    status: (status: TransportStatus) => void;
  }[] = [];
  const transport: Transport = {
    connect({ after, onMessage, onStatus }) {
      const line = { after, open: true, sent: [] as Submission[], message: onMessage, status: onStatus };
      lines.push(line);
      return { send: (submission) => line.sent.push(submission), close: () => (line.open = false) };
    },
  };
  const replica = createReplica({ definition: tally, transport, ...options });
  const line = () => lines.at(-1)!;
  const commit = async (update: AnyOperation, actor = bob, id?: string): Promise<Commit> => {
    const verdict = await thread.submit(update, { actor, ...(id === undefined ? {} : { id }) });
    return verdict.accepted ? verdict.commit! : expect.unreachable("the authority should accept");
  };
  const judge = async (submission: Submission, actor = ada) =>
    ({
      type: "verdict",
      id: submission.id,
      verdict: await thread.dispatch(submission.operation as never, { actor, id: submission.id }),
    }) as const;
  const snapshot = () =>
    ({ type: "snapshot", snapshot: { version: thread.version, state: thread.getState() } }) as const;
  if (online) {
    line().status("online");
    line().message(snapshot());
  }
  return { thread, replica, lines, line, commit, judge, snapshot };
}

const add = (by: number) => ({ type: "add", by }) as const;
const name = (text: string) => ({ type: "name", name: text }) as const;
const pendingOf = (replica: Replica<typeof tally>) =>
  replica.sync.getState().pending.map(({ operation, status }) => [operation, status]);

describe("a replica", () => {
  it("begins with the definition's initial state, and is ready with the first confirmed one", async () => {
    const { replica, line, snapshot, commit } = await bench({}, false);
    let ready = false;
    void replica.ready().then(() => (ready = true));
    expect(line().after).toBeUndefined();
    expect(replica.getState()).toEqual(tally.initial);
    expect(replica.sync.getState()).toEqual({
      status: "connecting",
      ready: false,
      version: 0,
      pending: [],
      rejections: [],
    });
    await commit(add(2));
    line().message(snapshot());
    await replica.ready();
    expect(ready).toBe(true);
    expect(replica.getState().count).toBe(2);
    expect(replica.sync.getState().version).toBe(1);
  });

  it("begins with a snapshot it is given, and asks for what came after", async () => {
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

  it("shows an edit at once, sends it, and resolves with the authority's verdict", async () => {
    const { replica, line, judge } = await bench();
    const verdict = replica.dispatch(add(2));
    expect(replica.getState().count).toBe(2);
    expect(pendingOf(replica)).toEqual([[add(2), "sent"]]);
    expect(line().sent).toEqual([{ id: expect.any(String), operation: add(2) }]);
    line().message(await judge(line().sent[0]!));
    expect(await verdict).toMatchObject({ accepted: true, version: 1 });
  });

  it("refuses at once, and does not send, what its own view refuses", async () => {
    const { replica, line } = await bench();
    const before = replica.getState();
    void replica.dispatch(name("x"));
    expect(await replica.dispatch(name("x"))).toMatchObject({
      accepted: false,
      version: 0,
      attempt: 1,
      rejection: { reason: "name_taken", details: { names: ["x"] } },
    });
    expect(await replica.dispatch(name("x"))).toMatchObject({ attempt: 2 });
    expect(await replica.submit({ type: "nope" })).toMatchObject({ rejection: { code: "unknown_operation" } });
    expect(await replica.submit(null)).toMatchObject({ rejection: { code: "invalid_operation" } });
    expect(await replica.dispatch({ type: "add", by: 1n } as never)).toMatchObject({
      rejection: { code: "invalid_operation" },
    });
    expect(line().sent).toHaveLength(1);
    expect(replica.getState()).not.toBe(before);
    expect(replica.sync.getState().rejections.map(({ verdict }) => verdict.rejection.code)).toEqual([
      "refused",
      "refused",
      "unknown_operation",
      "invalid_operation",
      "invalid_operation",
    ]);
  });

  it("checks permissions once it knows its actor", async () => {
    const { replica, line } = await bench({ actor: robot });
    expect(await replica.dispatch({ type: "reset" })).toMatchObject({ rejection: { code: "forbidden" } });
    const unknown = await bench();
    void unknown.replica.dispatch({ type: "reset" });
    unknown.line().message({ type: "welcome", actor: robot });
    expect(await unknown.replica.dispatch({ type: "reset" })).toMatchObject({ rejection: { code: "forbidden" } });
    expect([line().sent.length, unknown.line().sent.length]).toEqual([0, 1]);
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

describe("what others do", () => {
  it("comes in under the pending operations", async () => {
    const { replica, line, commit } = await bench();
    void replica.dispatch(name("mine"));
    line().message({ type: "commits", commits: [await commit(name("theirs"))] });
    expect(replica.getState()).toEqual({ count: 0, names: ["theirs", "mine"], size: 2 });
    expect(replica.sync.getState().version).toBe(1);
  });

  it("takes an operation in flight out of the view when it no longer holds, and waits for the verdict", async () => {
    const { replica, line, commit, judge } = await bench();
    const verdict = replica.dispatch(name("x"));
    line().message({ type: "commits", commits: [await commit(name("x"))] });
    expect(replica.getState().names).toEqual(["x"]);
    expect(pendingOf(replica)).toEqual([[name("x"), "sent"]]);
    line().message(await judge(line().sent[0]!));
    expect(await verdict).toMatchObject({ accepted: false, version: 1, rejection: { reason: "name_taken" } });
    expect(replica.sync.getState()).toMatchObject({ pending: [], rejections: [{ operation: name("x") }] });
  });

  it("rejects at once what was never sent and no longer holds", async () => {
    const { replica, line, commit } = await bench();
    line().status("offline");
    const [lost, kept] = [replica.dispatch(name("x")), replica.dispatch(add(1))];
    expect(pendingOf(replica)).toEqual([
      [name("x"), "queued"],
      [add(1), "queued"],
    ]);
    line().message({ type: "commits", commits: [await commit(name("x"))] });
    expect(await lost).toMatchObject({ accepted: false, version: 1, rejection: { reason: "name_taken" } });
    line().status("online");
    expect(line().sent.map(({ operation }) => operation)).toEqual([add(1)]);
    expect(pendingOf(replica)).toEqual([[add(1), "sent"]]);
    expect(kept).toBeInstanceOf(Promise);
  });

  it("is told to listeners: commits, refusals", async () => {
    const { replica, line, commit, thread } = await bench();
    const heard: string[] = [];
    const leave = replica.onCommit(({ version }) => heard.push(`commit ${version}`));
    replica.onRejection(({ id }) => heard.push(`refusal ${id}`));
    thread.onRejection((refusal) => line().message({ type: "refusal", refusal }));
    line().message({ type: "commits", commits: [await commit(add(1)), await commit(add(1))] });
    await thread.dispatch(add(101), { actor: bob, id: "no" });
    leave();
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(heard).toEqual(["commit 1", "commit 2", "refusal no"]);
  });
});

describe("between verdict and echo", () => {
  async function watched() {
    const made = await bench();
    const views: string[] = [];
    made.replica.subscribe(({ names }) => views.push(names.join()));
    const verdict = made.replica.dispatch(name("mine"));
    const answer = await made.judge(made.line().sent[0]!);
    return { ...made, views, verdict, answer };
  }

  it("nothing flickers when the verdict comes first", async () => {
    const { replica, line, views, answer, thread } = await watched();
    const shown = replica.getState();
    line().message(answer);
    expect(pendingOf(replica)).toHaveLength(1);
    line().message({ type: "commits", commits: await commitsOf(thread) });
    expect(pendingOf(replica)).toEqual([]);
    expect(replica.getState()).toBe(shown);
    expect(views).toEqual(["mine"]);
  });

  it("what the echo did not change stays the same object, also when others edit elsewhere", async () => {
    const { replica, line, thread, commit } = await watched();
    const { names } = replica.getState();
    line().message({ type: "commits", commits: await commitsOf(thread) });
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(replica.getState().count).toBe(1);
    expect(replica.getState().names).toBe(names);
  });

  it("nothing flickers when the commit comes first, and it is verdict enough", async () => {
    const { replica, line, views, answer, thread, verdict } = await watched();
    line().message({ type: "commits", commits: await commitsOf(thread) });
    expect(await verdict).toMatchObject({ accepted: true, version: 1, commit: { operation: name("mine") } });
    line().message(answer);
    expect(pendingOf(replica)).toEqual([]);
    expect(views).toEqual(["mine"]);
  });

  it("nothing flickers when a snapshot comes in place of the commit", async () => {
    const { line, views, answer, snapshot, replica } = await watched();
    line().message(answer);
    line().message(snapshot());
    expect(pendingOf(replica)).toEqual([]);
    expect(views).toEqual(["mine"]);
  });

  it("another actor's commit under the same id is not mine", async () => {
    const { replica, line, commit, judge } = await bench({ actor: ada });
    void replica.dispatch(add(1), { id: "same" });
    line().message({ type: "commits", commits: [await commit(add(1), bob, "same")] });
    expect(replica.getState().count).toBe(2);
    line().message(await judge(line().sent[0]!));
    expect(replica.getState().count).toBe(2);
  });

  it("an operation that the authority found to change nothing stays until its version is there", async () => {
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

describe("a stream that does not fit", () => {
  it("is waited for when commits come before the first snapshot", async () => {
    const { replica, lines, line, commit, snapshot } = await bench({}, false);
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(lines).toHaveLength(1);
    line().message(snapshot());
    expect(replica.sync.getState().version).toBe(1);
  });

  it("may hold a state that this side's definition refuses: nothing is edited on top of it until it is whole again", async () => {
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

  it("is opened again from the confirmed version when there is a gap; the old one is heard no more", async () => {
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

  it("is opened from a snapshot when the gap stays, or when patches do not apply", async () => {
    const { replica, lines, line, commit, snapshot } = await bench();
    const [, second, third] = [await commit(add(1)), await commit(name("x")), await commit(name("y"))];
    line().message({ type: "commits", commits: [third] });
    line().message({ type: "commits", commits: [third] });
    expect(lines.map(({ after }) => after)).toEqual([undefined, 0, undefined]);
    line().message(snapshot());
    expect(replica.getState()).toEqual({ count: 1, names: ["x", "y"], size: 2 });
    line().message({
      type: "commits",
      commits: [{ ...second, version: 4, patches: [{ op: "remove", path: "/names/9" }] }],
    });
    expect(line().after).toBeUndefined();
    line().message(snapshot());
    expect(replica.sync.getState().version).toBe(3);
  });

  it("skips what it has, and ignores an older snapshot", async () => {
    const { replica, line, commit, snapshot } = await bench();
    const old = snapshot();
    const commits = [await commit(add(1)), await commit(add(1))];
    line().message({ type: "commits", commits });
    const before = replica.getState();
    line().message({ type: "commits", commits });
    line().message(old);
    line().message({ type: "verdict", id: "nobody's", verdict: { accepted: true, version: 1 } });
    expect(replica.getState()).toBe(before);
    expect(replica.sync.getState().version).toBe(2);
  });

  it("takes a newer snapshot and puts what is pending on top", async () => {
    const { replica, line, commit, snapshot } = await bench();
    void replica.dispatch(name("mine"));
    await commit(name("theirs"));
    line().message(snapshot());
    expect(replica.getState().names).toEqual(["theirs", "mine"]);
  });
});

describe("offline", () => {
  it("keeps edits in order and sends all that have no verdict again after a reconnection, under the same ids", async () => {
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

  it("keeps edits made before the first confirmed state, and judges them when it is there", async () => {
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

  it("sends nothing that one person did in the name of another who connects then, and says so", async () => {
    const { replica, line } = await bench();
    line().message({ type: "welcome", actor: ada });
    line().status("offline");
    const mine = replica.dispatch(add(1));
    line().status("connecting");
    line().message({ type: "welcome", actor: bob });
    line().status("online");
    expect(line().sent).toEqual([]);
    expect(await mine).toMatchObject({ accepted: false, rejection: { code: "forbidden", reason: "other_actor" } });
    expect(replica.getState().count).toBe(0);
    expect(replica.sync.getState()).toMatchObject({ pending: [], rejections: [{ operation: add(1) }] });
    void replica.dispatch(add(2));
    expect(line().sent.map(({ operation }) => operation)).toEqual([add(2)]);
  });

  it("holds a bounded number of edits, and says so", async () => {
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

describe("what an earlier replica left pending", () => {
  const left = [
    { id: "1", operation: name("x"), status: "sent" as const },
    { id: "2", operation: add(1), expectedVersion: 0, status: "queued" as const },
  ];

  it("shows at once over the snapshot, and is sent as it was", async () => {
    const { replica, line } = await bench({ pending: left, snapshot: { version: 0, state: tally.initial } }, false);
    expect(replica.getState()).toMatchObject({ names: ["x"], count: 1 });
    line().status("online");
    expect(line().sent).toEqual([
      { id: "1", operation: name("x") },
      { id: "2", operation: add(1), expectedVersion: 0 },
    ]);
    expect(replica.sync.getState().pending).toMatchObject([{ id: "1" }, { id: "2" }]);
  });

  it("is not refused here when it has had its effect: the authority's verdict counts, and comes to who dispatches it again", async () => {
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

describe("ids", () => {
  it("one id is one edit: the same again gets the same verdict, another operation is refused", async () => {
    const { replica, line, judge } = await bench();
    const first = replica.dispatch(add(1), { id: "1" });
    expect(replica.dispatch(add(1), { id: "1" })).toBe(first);
    expect(await replica.dispatch(add(2), { id: "1" })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict", path: "/id" },
    });
    expect(replica.getState().count).toBe(1);
    line().message(await judge(line().sent[0]!));
    expect(await replica.dispatch(add(1), { id: "1" })).toEqual(await first);
    expect(line().sent).toHaveLength(1);
  });

  it("passes an expected version on, and a conflict is not final", async () => {
    const { replica, line } = await bench();
    const verdict = replica.dispatch(add(1), { id: "1", expectedVersion: 0 });
    expect(line().sent[0]).toEqual({ id: "1", operation: add(1), expectedVersion: 0 });
    const rejection = { code: "conflict", message: "", operation: { type: "add" } } as const;
    line().message({ type: "verdict", id: "1", verdict: { accepted: false, version: 3, rejection, attempt: 1 } });
    expect(await verdict).toMatchObject({ accepted: false });
    expect(replica.getState().count).toBe(0);
    void replica.dispatch(add(1), { id: "1" });
    expect(line().sent).toHaveLength(2);
  });
});

describe("watching", () => {
  it("tells each change once, with state and sync in step, and nothing when nothing changed", async () => {
    const { replica, line, commit } = await bench();
    const told: string[] = [];
    replica.subscribe((state) =>
      told.push(
        `state ${state.count}, version ${replica.sync.getState().version}, pending ${replica.sync.getState().pending.length}`,
      ),
    );
    replica.sync.subscribe((sync) =>
      told.push(`sync ${sync.version}, pending ${sync.pending.length}, count ${replica.getState().count}`),
    );
    const sync = replica.sync.getState();
    line().message({ type: "commits", commits: [] });
    line().status("online");
    expect(replica.sync.getState()).toBe(sync);
    const ours = await commit(add(5));
    line().message({ type: "commits", commits: [ours] });
    line().message({ type: "commits", commits: [ours] });
    expect(told).toEqual(["state 5, version 1, pending 0", "sync 1, pending 0, count 5"]);
  });

  it("never tells a value that is not there any more, also when a listener edits", async () => {
    const { replica } = await bench();
    const told: string[] = [];
    replica.subscribe(({ count }) => {
      if (count === 1) void replica.dispatch(add(1));
    });
    replica.subscribe((state) => told.push(`${state.count} ${state === replica.getState()}`));
    replica.sync.subscribe((sync) => told.push(`${sync.pending.length} ${sync === replica.sync.getState()}`));
    void replica.dispatch(add(1));
    expect(told.every((line) => line.endsWith("true"))).toBe(true);
    expect(told.filter((line) => line === "2 true")).not.toEqual([]);
    expect(replica.getState().count).toBe(2);
  });

  it("ends with close: pending verdicts reject, the line is closed, later dispatches are refused", async () => {
    const { replica, line, commit } = await bench();
    const pending = replica.dispatch(add(1));
    replica.close();
    await expect(pending).rejects.toMatchObject({ code: "closed" });
    await expect(replica.dispatch(add(1))).rejects.toMatchObject({ code: "closed" });
    expect(line().open).toBe(false);
    const before = replica.getState();
    line().message({ type: "commits", commits: [await commit(add(1))] });
    expect(replica.getState()).toBe(before);
    expect(replica.sync.getState().status).toBe("closed");
  });
});
