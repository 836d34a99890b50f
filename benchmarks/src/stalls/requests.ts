// The requests that one sender may make, each on a file that was filled for it: the largest of
// their kind, none of them forbidden.

import { randomUUID } from "node:crypto";
import { type Branch, type Log, openThread, type Thread } from "@opstate/core";
import type { Entry } from "@opstate/core/log";
import { ada, ledger, robot } from "./ledger.ts";

/** The thread that the request is about, and one that it is not. */
export const SAME = "same";
export const OTHER = "other";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** By an actor that may do nothing. */
  readonly isStranger?: true;
}

export interface Heavy {
  /** Fills the log before the server starts. */
  fill(log: Log): Promise<void>;
  /** `branches`: those of the thread, as the server lists them. */
  request(branches: readonly { readonly threadId: string }[]): Sent;
  /** Another process holds the file's write lock for as many milliseconds, from the request on. */
  readonly lockedFor?: number;
  /** So many readers connect at once instead, as many versions behind. */
  readonly readers?: { readonly count: number; readonly behind: number };
  /** Bytes of an answer that the sender reads before it hangs up. */
  readonly leavesAfter?: number;
}

const KEYS = 20_000;

const put = (n: number, value: string) => ledger.op.put({ key: `key-${n}`, value });
const write = (text: string): Sent => operations({ type: "write", text });

function operations(body: unknown): Sent {
  return { method: "POST", path: `/threads/${SAME}/operations`, body: JSON.stringify(body) };
}

async function withThread(log: Log, work: (thread: Thread<typeof ledger>) => Promise<unknown>): Promise<void> {
  const thread = await openThread({ definition: ledger, log, threadId: SAME });
  await work(thread);
  await thread.close();
}

function largeRecord(log: Log): Promise<void> {
  const entries = Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`key-${n}`, `value ${n}`]));
  return withThread(log, (thread) => thread.dispatch({ ...ledger.initial, entries }, { actor: robot }));
}

/** Cards, and edits of them by a run; others edit other cards in between. */
async function edits(thread: Thread<typeof ledger> | Branch<typeof ledger>, count: number): Promise<void> {
  const cards = Array.from({ length: 200 }, (_, n) => ({ id: `card-${n}`, title: "Card" }));
  await thread.dispatch({ ...ledger.initial, cards }, { actor: robot });
  for (let from = 0; from < count; from += 250)
    await Promise.all(
      Array.from({ length: Math.min(250, count - from) }, (_, n) => {
        const isOthers = n % 10 === 9;
        const [actor, first] = isOthers ? [robot, 100] : [ada, 0];
        const title = `Title ${from + n}`;
        const id = `card-${first + ((from + n) % 100)}`;
        return thread.dispatch(ledger.op.rename({ id, title }), { actor, ...(isOthers ? {} : { runId: "run" }) });
      }),
    );
}

function branchOf(count: number): Heavy {
  return {
    fill: (log) =>
      withThread(log, async (thread) => {
        const branch = await thread.branch();
        await edits(branch, count);
      }),
    request: ([branch]) => ({ method: "GET", path: `/threads/${SAME}/branches/${branch?.threadId}/diff` }),
  };
}

function undoOf(count: number): Heavy {
  return {
    fill: (log) => withThread(log, (thread) => edits(thread, count)),
    request: () => ({
      method: "POST",
      path: `/threads/${SAME}/undo`,
      body: JSON.stringify({ target: { runId: "run" } }),
    }),
  };
}

/** As a thread would have committed them, without judging each. */
async function appendCommits(log: Log, count: number): Promise<void> {
  const at = new Date(0).toISOString();
  await withThread(log, async () => undefined);
  const incarnation = (await log.info(SAME))?.incarnation;
  for (let from = 0; from < count; from += 1_000) {
    const entries = Array.from({ length: Math.min(1_000, count - from) }, (_, n): Entry => {
      const version = from + n + 1;
      const id = `id-${version}`;
      const patches = [{ op: "replace" as const, path: "/count", value: version }];
      const inverse = [{ op: "replace" as const, path: "/count", value: version - 1 }];
      const operation = { type: "increment" };
      return {
        receipt: { actor: ada, id, hash: "0-0", outcome: { accepted: true, version } },
        commit: { version, id, operation, actor: ada, at, patches, inverse, definitionVersion: ledger.version },
      };
    });
    await log.append(SAME, from, entries, incarnation);
  }
}

export const heavy: Readonly<Record<string, Heavy>> = {
  "`$batch` of 1,000 `put` on a record of 20,000 keys": {
    fill: largeRecord,
    request: () =>
      operations({ type: "$batch", operations: Array.from({ length: 1_000 }, (_, n) => put(n * 7, `new ${n}`)) }),
  },
  "256 operations in one body on such a record": {
    fill: largeRecord,
    request: () => operations(Array.from({ length: 256 }, (_, n) => put(n * 7, `new ${n}`))),
  },
  "diff of a branch of 2,000 edits": branchOf(2_000),
  "diff of a branch of 10,000 edits": branchOf(10_000),
  "undo of a run of 5,000 operations": undoOf(5_000),
  "undo of a run of 10,000 operations": undoOf(10_000),
  "`explain` over 300,000 commits": {
    fill: (log) => appendCommits(log, 300_000),
    request: () => ({ method: "GET", path: `/threads/${SAME}/explain?pointer=/text` }),
  },
  "`history?limit=1000` of commits of 400 KB": {
    fill: (log) =>
      withThread(log, async (thread) => {
        const text = "x".repeat(200_000);
        for (let n = 0; n < 1_000; n++) await thread.dispatch(ledger.op.write({ text: `${n}${text}` }), { actor: ada });
      }),
    request: () => ({ method: "GET", path: `/threads/${SAME}/history?limit=1000` }),
  },
  "8 MB of messages to `/ag-ui/:agent`, without any right": {
    fill: (log) => withThread(log, async () => undefined),
    request: () => ({ ...badMessages(), isStranger: true }),
  },
  "8 MB of messages to `/ag-ui/:agent`": {
    fill: (log) => withThread(log, async () => undefined),
    request: badMessages,
  },
  "`GET /threads` of 100,000, without any right": {
    fill: manyThreads,
    request: () => ({ method: "GET", path: "/threads?limit=1000", isStranger: true }),
  },
  "a write while another process holds SQLite's lock": {
    fill: (log) => withThread(log, async () => undefined),
    request: () => write("waits"),
    lockedFor: 3_000,
  },
  "2,000 readers connect again, 200 versions behind": {
    fill: (log) => withThread(log, (thread) => edits(thread, 1_000)),
    request: () => ({ method: "GET", path: `/threads/${SAME}/events` }),
    readers: { count: 2_000, behind: 200 },
  },
};

function badMessages(): Sent {
  const messages = Array.from({ length: 70_000 }, (_, n) => ({ id: `m${n}`, role: "nobody", content: "x".repeat(60) }));
  const body = { threadId: SAME, runId: "run", messages, tools: [], context: [], state: {}, forwardedProps: {} };
  return { method: "POST", path: "/ag-ui/none", body: JSON.stringify(body) };
}

async function manyThreads(log: Log): Promise<void> {
  const { name: definition, version: definitionVersion, initial: state } = ledger;
  for (let from = 0; from < 100_000; from += 1_000)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        log.create({ threadId: `t-${from + n}-${randomUUID()}`, definition, definitionVersion, state, at: "" }),
      ),
    );
  await withThread(log, async () => undefined);
}
