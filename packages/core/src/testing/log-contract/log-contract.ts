// The contract of logs as runnable cases: order, fence, exactly one effect, durability. Reading,
// compaction, incarnations, ids, lists, watching, handles, pages, calls and dropped receipts have
// files of their own. The logs in memory, SQLite, Postgres and Durable Objects run the same cases.
// (Long because it is a list: each case stands alone.)

import type { Actor } from "../../engine/actor.ts";
import type { LogAdapter } from "../../thread/log/adapter.ts";
import { fullLog } from "../../thread/log/create-log.ts";
import type { Entry, FullLog, Log } from "../../thread/log/log.ts";
import { type ContractCase, expectEqual, expectRejects, expectTrue } from "../shared/contract.ts";
import { callCases } from "./calls.ts";
import { compactionCases } from "./compaction.ts";
import { handleCases } from "./handles.ts";
import { handleIdCases, idCases } from "./ids.ts";
import { incarnationCases } from "./incarnation.ts";
import { listCases } from "./list.ts";
import { pageCases } from "./pages.ts";
import { readingCases } from "./reading.ts";
import { receiptCases } from "./receipts.ts";
import { watchingCases } from "./watching.ts";
import { ada, AT, commitOf, commits, committed, newThread, refused, robot, unchanged } from "./samples.ts";

/**
 * An empty log of the kind under test. `reopen` closes it and opens the same storage again;
 * `dispose` closes it and deletes the storage.
 */
export interface LogUnderTest {
  readonly log: Log | LogAdapter;
  reopen(): Promise<Log | LogAdapter>;
  /**
   * Opens the same storage once more, as another process does, while `log` stays open. Left out,
   * one process alone is tested.
   */
  beside?(): Promise<Log | LogAdapter>;
  dispose?(): Promise<void>;
}

/** What a case gets: the log with the calls of both ports. */
interface Opened<L> {
  reopen(): Promise<L>;
  beside?(): Promise<L>;
}

/** One case. It gets an empty log. */
export type LogCase = (log: Log, opened: Opened<Log>) => Promise<void>;

/** One case of handles. Logs that have none, of the port before, do not run it. */
export type PortCase = (log: LogAdapter, opened: Opened<LogAdapter>) => Promise<void>;

export interface LogContractOptions {
  /**
   * Opens an empty log that keeps this many refusals of one actor in one thread. Called once for
   * each case.
   */
  open(options: { readonly refusalsPerActor: number }): Promise<LogUnderTest>;
}

/**
 * Returns the cases that a `Log` must pass. Each throws when the contract is broken, so any test
 * runner fits.
 *
 * @example
 * ```ts
 * import { memoryLog } from "@opstate/core";
 * import { logContract } from "@opstate/core/testing";
 *
 * const cases = logContract({
 *   async open(options) {
 *     const log = memoryLog(options);
 *     return { log, reopen: async () => log };
 *   },
 * });
 * for (const { run } of cases) await run(); // or, in a test file: for (const { name, run } of cases) it(name, run)
 * ```
 */
export function logContract({ open }: LogContractOptions): readonly ContractCase[] {
  const calls = { ...cases, ...readingCases, ...compactionCases, ...incarnationCases, ...idCases, ...listCases };
  const port = { ...handleCases, ...pageCases, ...callCases, ...receiptCases, ...handleIdCases };
  const run = async (check: (log: FullLog, opened: Opened<FullLog>) => Promise<void>, isOfHandles: boolean) => {
    const opened = await open({ refusalsPerActor: REFUSALS_PER_ACTOR });
    const { log, beside } = opened;
    try {
      if (isOfHandles && !("thread" in log)) return;
      await check(fullLog(log), {
        reopen: async () => fullLog(await opened.reopen()),
        ...(beside && { beside: async () => fullLog(await opened.beside!()) }),
      });
    } finally {
      await opened.dispose?.();
    }
  };
  return [
    ...Object.entries({ ...calls, ...watchingCases }).map(([name, check]) => ({ name, run: () => run(check, false) })),
    ...Object.entries(port).map(([name, check]) => ({ name, run: () => run(check, true) })),
  ];
}

const REFUSALS_PER_ACTOR = 3;

const cases: Record<string, LogCase> = {
  async "creates a thread once"(log) {
    expectEqual("first create", await log.create(newThread("t")), true);
    expectEqual("second create", await log.create(newThread("t", { count: 99 })), false);
    const stored = await log.load("t");
    const incarnation = stored?.info.incarnation;
    expectEqual("info", stored?.info, {
      threadId: "t",
      definition: "counter",
      version: 0,
      floor: 0,
      createdAt: AT,
      incarnation,
    });
    expectEqual("version 0", stored?.snapshot, { version: 0, state: { count: 0 }, definitionVersion: 1 });
    expectEqual("commits", stored?.commits, []);
  },

  async "distinguishes a thread from an earlier one of the same name"(log, { reopen }) {
    await log.create(newThread("t"));
    await log.create(newThread("other"));
    const [first, other] = [(await log.info("t"))?.incarnation, (await log.info("other"))?.incarnation];
    expectTrue("the incarnation should be a text", typeof first === "string" && first.length >= 16);
    expectTrue("threads should not share one", first !== other);
    await log.append("t", 0, commits(1, 2));
    await log.create(newThread("t"));
    const again = await reopen();
    expectEqual("kept", (await again.info("t"))?.incarnation, first);
    expectEqual("loaded", (await again.load("t"))?.info.incarnation, first);
    expectEqual(
      "listed",
      (await again.list()).map(({ incarnation }) => incarnation),
      [first, other],
    );
    await again.delete("t");
    await again.create(newThread("t"));
    const second = (await again.info("t"))?.incarnation;
    expectTrue("the new thread should have another one", typeof second === "string" && second !== first);
  },

  async "knows nothing of a thread that was not created"(log) {
    expectEqual("load", await log.load("t"), undefined);
    expectEqual("receipt", await log.receipt("t", ada, "c1"), undefined);
    expectEqual("read", await log.read("t", { after: 0 }), []);
    expectEqual("refusals", await log.refusals("t"), []);
    expectEqual("snapshotAt", await log.snapshotAt("t", 0), undefined);
    expectEqual("delete", await log.delete("t"), false);
    expectEqual("list", await log.list(), []);
    expectEqual("info", await log.info("t"), undefined);
    await expectRejects("compact", log.compact("t", { version: 0, state: null, definitionVersion: 1 }));
    await expectRejects("append", log.append("t", 0, [committed(1)]));
  },

  async "keeps commits in order, contiguous from 1"(log) {
    await log.create(newThread("t"));
    expectEqual("append 1", await log.append("t", 0, commits(1, 1)), { status: "appended" });
    expectEqual("append 2 to 5", await log.append("t", 1, commits(2, 5)), { status: "appended" });
    const all = await log.read("t", { after: 0 });
    expectEqual(
      "all",
      all,
      [1, 2, 3, 4, 5].map((version) => commitOf(version, `c${version}`)),
    );
    expectEqual(
      "a range",
      (await log.read("t", { after: 1, limit: 2 })).map(({ version }) => version),
      [2, 3],
    );
    expectEqual("after the head", await log.read("t", { after: 5 }), []);
    const stored = await log.load("t");
    expectEqual("head", stored?.info.version, 5);
    expectEqual("loaded", stored?.commits, all);
  },

  async "keeps the sentence of a commit that has one, and adds none"(log, { reopen }) {
    const sentence = `Rename 'Ünïcode "quoted" \u{1f600}' to '\u0000'`;
    const parts = [{ sentence }, {}, { sentence: "x".repeat(200) }];
    await log.create(newThread("t"));
    const entries = parts.map((each, index) => committed(index + 1, `c${index + 1}`, ada, each));
    await log.append("t", 0, entries);
    const commits = entries.map(({ commit }) => commit);
    expectEqual("read", await log.read("t", { after: 0 }), commits);
    expectEqual("read by actor", await log.read("t", { after: 0, actor: ada }), commits);
    const again = await reopen();
    expectEqual("opened again", (await again.load("t"))?.commits, commits);
  },

  async "writes nothing when the expected version is not the head"(log) {
    await log.create(newThread("t"));
    await log.append("t", 0, commits(1, 2));
    expectEqual("behind", await log.append("t", 1, [committed(2, "late")]), { status: "stale", version: 2 });
    expectEqual("ahead", await log.append("t", 3, [committed(4, "early")]), { status: "stale", version: 2 });
    expectEqual("behind, without a commit", await log.append("t", 1, [unchanged(1, "late")]), {
      status: "stale",
      version: 2,
    });
    expectEqual("behind, a refusal", await log.append("t", 1, [refused(1, "late")]), { status: "stale", version: 2 });
    expectEqual("commits", (await log.read("t", { after: 0 })).length, 2);
    expectEqual("refusals", await log.refusals("t"), []);
    for (const id of ["late", "early"]) expectEqual(`receipt of ${id}`, await log.receipt("t", ada, id), undefined);
  },

  async "refuses commits that do not follow the head one by one"(log) {
    await log.create(newThread("t"));
    await expectRejects("a gap", log.append("t", 0, [committed(1), committed(3)]));
    await expectRejects("a version twice", log.append("t", 0, [committed(1), committed(1, "again")]));
    await expectRejects("a wrong start", log.append("t", 0, [committed(2)]));
    await expectRejects("an id twice", log.append("t", 0, [committed(1, "same"), committed(2, "same")]));
    expectEqual("head", (await log.load("t"))?.info.version, 0);
    expectEqual("commits", await log.read("t", { after: 0 }), []);
    expectEqual("receipt", await log.receipt("t", ada, "c1"), undefined);
    expectEqual("still usable", await log.append("t", 0, commits(1, 2)), { status: "appended" });
  },

  async "returns the receipt of a known id and writes nothing of its batch"(log) {
    await log.create(newThread("t"));
    const known: Entry[] = [committed(1), unchanged(1, "nothing"), refused(1, "no")];
    await log.append("t", 0, known);
    for (const { receipt } of known) {
      const again = { receipt: { ...receipt, hash: "of another operation" }, commit: commitOf(3, receipt.id) };
      const result = await log.append("t", 1, [committed(2, "new"), again]);
      expectEqual(`append of ${receipt.id}`, result, { status: "duplicate", receipt });
      expectEqual(`append of ${receipt.id} at a stale version`, await log.append("t", 0, [again]), {
        status: "duplicate",
        receipt,
      });
    }
    expectEqual("head", (await log.load("t"))?.info.version, 1);
    expectEqual("receipt of the other", await log.receipt("t", ada, "new"), undefined);
  },

  async "keeps a receipt for each verdict: committed, unchanged, refused"(log) {
    await log.create(newThread("t"));
    const entries: Entry[] = [
      refused(0, "r0"),
      committed(1),
      unchanged(1, "u1"),
      committed(2, "c2", robot),
      refused(2, "r2", robot),
    ];
    expectEqual("append", await log.append("t", 0, entries), { status: "appended" });
    for (const { receipt } of entries)
      expectEqual(`receipt of ${receipt.id}`, await log.receipt("t", receipt.actor, receipt.id), receipt);
    expectEqual(
      "commits",
      (await log.read("t", { after: 0 })).map(({ id }) => id),
      ["c1", "c2"],
    );
    expectEqual(
      "refusals",
      (await log.refusals("t")).map(({ id }) => id),
      ["r0", "r2"],
    );
    expectEqual("head", (await log.load("t"))?.info.version, 2);
  },

  async "returns the newest refusals, oldest first"(log) {
    await log.create(newThread("t"));
    for (const [index, actor] of [ada, robot, ada, robot].entries())
      await log.append("t", 0, [refused(0, `r${index}`, actor)]);
    expectEqual(
      "all",
      (await log.refusals("t")).map(({ id }) => id),
      ["r0", "r1", "r2", "r3"],
    );
    expectEqual(
      "two",
      (await log.refusals("t", { limit: 2 })).map(({ id }) => id),
      ["r2", "r3"],
    );
    expectEqual("whole", (await log.refusals("t", { limit: 1 }))[0], refusalOf(refused(0, "r3", robot)));
  },

  async "caps the refusals of each actor in each thread, newest kept"(log) {
    await log.create(newThread("t"));
    await log.create(newThread("other"));
    await log.append("t", 0, [refused(0, "first", robot)]);
    await log.append("other", 0, [refused(0, "elsewhere")]);
    await log.append(
      "t",
      0,
      [1, 2, 3, 4].map((n) => refused(0, `r${n}`)),
    );
    for (const n of [5, 6]) await log.append("t", 0, [refused(0, `r${n}`)]);
    expectEqual(
      "refusals",
      (await log.refusals("t")).map(({ id }) => id),
      ["first", "r4", "r5", "r6"],
    );
    expectEqual("kept", (await log.receipt("t", ada, "r4"))?.id, "r4");
    expectEqual("dropped", await log.receipt("t", ada, "r3"), undefined);
    expectEqual("another thread's", (await log.receipt("other", ada, "elsewhere"))?.id, "elsewhere");
  },

  async "distinguishes the same id of different actors and of different threads"(log) {
    await log.create(newThread("t"));
    await log.create(newThread("u"));
    const actors: Actor[] = [
      ada,
      { kind: "agent", id: "ada" },
      { kind: "user", id: "ada:c" },
      { kind: "user:ada", id: "c" },
      { kind: "user", id: "ADA" },
    ];
    for (const [index, actor] of actors.entries()) {
      expectEqual(
        `append by ${actor.kind} ${actor.id}`,
        await log.append("t", index, [committed(index + 1, "same", actor)]),
        {
          status: "appended",
        },
      );
    }
    for (const [index, actor] of actors.entries()) {
      expectEqual("version", (await log.receipt("t", actor, "same"))?.outcome, { accepted: true, version: index + 1 });
    }
    expectEqual("in another thread", await log.receipt("u", ada, "same"), undefined);
    expectEqual("append to another thread", await log.append("u", 0, [committed(1, "same")]), { status: "appended" });
    for (const id of ["", "C1", "c1 ", "c1:same", "sáme", "%", "_", "'; --"])
      expectEqual(`receipt of "${id}"`, await log.receipt("t", ada, id), undefined);
  },

  async "survives being closed and opened again"(log, opened) {
    await log.create(newThread("t"));
    const entries: Entry[] = [
      committed(1),
      unchanged(1, "u1"),
      refused(1, "r1"),
      committed(2, "c2", robot, { runId: "run", toolCallId: "call" }),
    ];
    await log.append("t", 0, entries);
    await log.saveSnapshot("t", { version: 1, state: { count: 1 }, definitionVersion: 1 });
    const before = await log.load("t");
    const again = await opened.reopen();
    expectEqual("loaded", await again.load("t"), before);
    expectEqual("commits", await again.read("t", { after: 0 }), [
      commitOf(1, "c1"),
      commitOf(2, "c2", robot, { runId: "run", toolCallId: "call" }),
    ]);
    for (const { receipt } of entries)
      expectEqual(`receipt of ${receipt.id}`, await again.receipt("t", receipt.actor, receipt.id), receipt);
    expectEqual(
      "refusals",
      (await again.refusals("t")).map(({ id }) => id),
      ["r1"],
    );
    expectEqual("duplicate", (await again.append("t", 2, [committed(3, "c1")])).status, "duplicate");
    expectEqual("next", await again.append("t", 2, [committed(3)]), { status: "appended" });
  },

  async "stores the values as they are when it is called, and returns copies"(log) {
    const thread = { ...newThread("t"), state: { list: [1] } };
    const created = log.create(thread);
    thread.state.list.push(2);
    await created;
    const value = { deep: [1] };
    const appended = log.append("t", 0, [
      committed(1, "c1", ada, { operation: Object.assign({ type: "set" }, { value }) }),
    ]);
    value.deep.push(2);
    await appended;
    const state = { list: [1] };
    const saved = log.saveSnapshot("t", { version: 1, state, definitionVersion: 1 });
    state.list.push(2);
    await saved;
    for (const round of ["first", "second"]) {
      const start = await log.snapshotAt("t", 0);
      expectEqual(`${round} read of version 0`, start?.state, { list: [1] });
      const stored = await log.load("t");
      expectEqual(`${round} load`, stored?.snapshot.state, { list: [1] });
      const [commit] = await log.read("t", { after: 0 });
      expectEqual(`${round} read`, commit?.operation, { type: "set", value: { deep: [1] } });
      for (const copy of [start, stored, commit]) spoil(copy);
    }
  },

  async "keeps every JSON text exactly, key order too"(log, opened) {
    const texts = [
      "",
      "\u0000",
      "a\u0000b",
      "\ud800",
      "\u2028\u2029",
      "é e\u0301",
      "👩‍👩‍👧",
      "'\"\\`;--",
      "x".repeat(100_000),
    ];
    const state = {
      z: 1,
      a: 2,
      "10": 3,
      "2": 4,
      "": 5,
      "\u0000": 6,
      "\udc00": 7,
      "\udc01": 8,
      texts,
      numbers: [0, -1, 0.1, 1e21, 5e-324, 2 ** 53 - 1],
      nothing: null,
      no: false,
      empty: [{}, []],
    };
    await log.create(newThread("t", state));
    await log.append("t", 0, [
      committed(1, "c1", ada, { operation: Object.assign({ type: "set" }, { value: state }) }),
      refused(1, "r1", ada, { operation: state }),
    ]);
    const check = async (source: Log) => {
      const stored = await source.load("t");
      expectTrue("the state's text changed", JSON.stringify(stored?.snapshot.state) === JSON.stringify(state));
      expectTrue(
        "the operation's text changed",
        JSON.stringify(stored?.commits[0]?.operation) === JSON.stringify({ type: "set", value: state }),
      );
      expectTrue(
        "the refusal's text changed",
        JSON.stringify((await source.refusals("t"))[0]?.operation) === JSON.stringify(state),
      );
    };
    await check(log);
    await check(await opened.reopen());
  },

  async "accepts any thread id and any submission id as it is"(log) {
    const ids = [
      "a",
      "A",
      "a ",
      "a/b",
      "../a",
      "é",
      "e\u0301",
      "👍",
      "'; drop table threads; --",
      "%",
      "_",
      "x".repeat(200),
    ];
    for (const [index, id] of ids.entries()) {
      expectEqual(`create "${id}"`, await log.create(newThread(id, { count: index })), true);
      expectEqual(`append to "${id}"`, await log.append(id, 0, [committed(1, id, { kind: id, id })]), {
        status: "appended",
      });
    }
    for (const [index, id] of ids.entries()) {
      expectEqual(`state of "${id}"`, (await log.load(id))?.snapshot.state, { count: index });
      expectEqual(`receipt of "${id}"`, (await log.receipt(id, { kind: id, id }, id))?.id, id);
    }
    expectEqual("list", (await log.list()).map(({ threadId }) => threadId).toSorted(), ids.toSorted());
  },

  async "loads from the newest snapshot, and finds the one before a version"(log) {
    await log.create(newThread("t", null));
    await log.append("t", 0, commits(1, 10));
    for (const version of [8, 4, 4])
      await log.saveSnapshot("t", { version, state: { count: version }, definitionVersion: 2 });
    const stored = await log.load("t");
    expectEqual("snapshot", stored?.snapshot, { version: 8, state: { count: 8 }, definitionVersion: 2 });
    expectEqual(
      "commits after it",
      stored?.commits.map(({ version }) => version),
      [9, 10],
    );
    expectEqual("info", stored?.info.version, 10);
    for (const [version, found] of [
      [0, 0],
      [3, 0],
      [4, 4],
      [7, 4],
      [8, 8],
      [10, 8],
    ] as const) {
      expectEqual(`snapshot at ${version}`, (await log.snapshotAt("t", version))?.version, found);
    }
    expectEqual("state of version 0", (await log.snapshotAt("t", 0))?.state, null);
    expectEqual("all commits are still there", (await log.read("t", { after: 0 })).length, 10);
  },

  async "lists threads with their versions"(log) {
    for (const threadId of ["a", "b"]) await log.create(newThread(threadId));
    await log.append("a", 0, [committed(1), refused(1, "r1"), unchanged(1, "u1")]);
    await log.append("b", 0, commits(1, 2));
    expectEqual(
      "list",
      (await log.list())
        .map(({ threadId, version }) => [threadId, version])
        .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      [
        ["a", 1],
        ["b", 2],
      ],
    );
    expectEqual("info", await log.info("a"), (await log.load("a"))?.info);
  },

  async "deletes a thread, and no other one"(log) {
    for (const threadId of ["a", "b"]) await log.create(newThread(threadId));
    await log.append("b", 0, commits(1, 2));
    expectEqual("delete", await log.delete("a"), true);
    expectEqual("delete again", await log.delete("a"), false);
    expectEqual("load", await log.load("a"), undefined);
    expectEqual(
      "list",
      (await log.list()).map(({ threadId }) => threadId),
      ["b"],
    );
    expectEqual("the other thread", (await log.load("b"))?.info.version, 2);
  },

  async "has nothing of a deleted thread when one of its name is created"(log) {
    await log.create(newThread("a"));
    await log.append("a", 0, [committed(1), refused(1, "r1"), unchanged(1, "u1")]);
    await log.saveSnapshot("a", { version: 1, state: { count: 1 }, definitionVersion: 1 });
    await log.delete("a");
    expectEqual("create again", await log.create(newThread("a", { count: 7 })), true);
    const fresh = await log.load("a");
    expectEqual("fresh state", [fresh?.info.version, fresh?.snapshot.state, fresh?.commits], [0, { count: 7 }, []]);
    for (const id of ["c1", "r1", "u1"]) expectEqual(`receipt of ${id}`, await log.receipt("a", ada, id), undefined);
    expectEqual("refusals", await log.refusals("a"), []);
  },

  async "lets one of many writers win each version"(log) {
    await log.create(newThread("t"));
    for (let version = 1; version <= 5; version++) {
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, writer) =>
          log.append("t", version - 1, [committed(version, `v${version}w${writer}`)]),
        ),
      );
      expectEqual("winners", results.filter(({ status }) => status === "appended").length, 1);
      expectEqual(
        "losers",
        results.filter((result) => result.status === "stale" && result.version === version).length,
        7,
      );
    }
    expectEqual(
      "versions",
      (await log.read("t", { after: 0 })).map(({ version }) => version),
      [1, 2, 3, 4, 5],
    );
  },

  async "stores one of many copies of a submission"(log) {
    await log.create(newThread("t"));
    const results = await Promise.all(Array.from({ length: 8 }, () => log.append("t", 0, [committed(1, "same")])));
    expectEqual("stored", results.map(({ status }) => status).toSorted(), [
      "appended",
      ...Array.from({ length: 7 }, () => "duplicate"),
    ]);
    expectEqual("commits", (await log.read("t", { after: 0 })).length, 1);
  },

  async "appends to many threads at once, in large batches too"(log) {
    const threadIds = Array.from({ length: 50 }, (_, index) => `t${index}`);
    await Promise.all(threadIds.map((threadId) => log.create(newThread(threadId))));
    await Promise.all(
      threadIds.map(async (threadId) => {
        for (let head = 0; head < 30; head += 3)
          expectEqual("append", await log.append(threadId, head, commits(head + 1, head + 3)), { status: "appended" });
      }),
    );
    for (const threadId of threadIds) {
      const versions = (await log.read(threadId, { after: 0 })).map(({ version }) => version);
      expectEqual(
        `versions of ${threadId}`,
        versions,
        Array.from({ length: 30 }, (_, index) => index + 1),
      );
    }
    expectEqual("a large batch", await log.append("t0", 30, commits(31, 1030)), { status: "appended" });
    expectEqual("its head", (await log.load("t0"))?.info.version, 1030);
  },
};

function refusalOf({ receipt }: Entry): unknown {
  return receipt.outcome.accepted ? undefined : receipt.outcome.refusal;
}

/** Changes every object below a value: a log must return copies. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const child of Object.values(value)) spoil(child);
  if (!Object.isFrozen(value)) Object.assign(value, { spoiled: true });
}
