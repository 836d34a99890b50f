import {
  type Commit,
  createReplica,
  defined,
  memoryLog,
  openThread,
  type Replica,
  type Transport,
  type AnyOperation,
} from "@opstate/core";
import type { Submission, TransportMessage, TransportStatus } from "@opstate/core/transport";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../thread/tally.ts";

/** A replica whose transport is the test's own, and a thread that the messages are made with. */
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
    const verdict = await thread.dispatch(update, { actor, ...defined({ id }) });
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
    expect(line().sent).toEqual([{ id: expect.any(String), operation: add(2) }]);
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
    expect(await replica.dispatch({ type: "nope" })).toMatchObject({ rejection: { code: "unknown_operation" } });
    expect(await replica.dispatch(null as never)).toMatchObject({ rejection: { code: "invalid_operation" } });
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
    expect(line().sent[0]).toEqual({ id: "1", operation: add(1), expectedVersion: 0 });
    const rejection = { code: "conflict", message: "", operation: { type: "add" } } as const;
    line().message({ type: "verdict", id: "1", verdict: { accepted: false, version: 3, rejection, attempt: 1 } });
    expect(await verdict).toMatchObject({ accepted: false });
    expect(replica.getState().count).toBe(0);
    void replica.dispatch(add(1), { id: "1" });
    expect(line().sent).toHaveLength(2);
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
