// Every kind of damage, planted and found.

import { memoryLog } from "@opstate/core";
import type { Commit } from "@opstate/core";
import type { LogAdapter, StoredSnapshot, ThreadInfo, ThreadLog } from "@opstate/core/log";
import { beforeAll, describe, expect, it } from "vitest";
import { checkLog } from "../src/index.ts";
import { fill } from "./support/filled-log.ts";

const log = memoryLog();
beforeAll(() => fill(log));

/** The log, where the calls of one thread answer otherwise. */
function damaged(threadId: string, damage: (thread: ThreadLog) => Partial<ThreadLog>): LogAdapter {
  return {
    ...log,
    thread(id, incarnation) {
      const thread = log.thread(id, incarnation);
      return id === threadId ? { ...thread, ...damage(thread) } : thread;
    },
  };
}

const commitsWith = (change: (commits: readonly Commit[]) => readonly Commit[]) => (thread: ThreadLog) => ({
  commits: async (...call: Parameters<ThreadLog["commits"]>) => {
    const page = await thread.commits(...call);
    return { ...page, items: change(page.items) };
  },
});
const snapshotsWith = (change: (snapshot: StoredSnapshot) => StoredSnapshot | undefined) => (thread: ThreadLog) => ({
  async snapshotAt(version: number) {
    const snapshot = await thread.snapshotAt(version);
    return snapshot && change(snapshot);
  },
});
const infoWith = (change: (info: ThreadInfo) => ThreadInfo) => (thread: ThreadLog) => ({
  async info() {
    const info = await thread.info();
    return info && change(info);
  },
});

async function findings(checked: LogAdapter): Promise<readonly string[]> {
  return (await checkLog(checked)).findings.map(({ threadId, kind, what }) => `${kind} ${threadId}: ${what}`);
}

it("a log without damage has none", async () => {
  expect(await checkLog(log)).toEqual({ threads: 5, commits: 274, findings: [] });
});

describe("finds", () => {
  it.each<[string, string, (thread: ThreadLog) => Partial<ThreadLog>, string]>([
    [
      "a version that is gone",
      "long",
      commitsWith((commits) => commits.filter(({ version }) => version !== 77)),
      "damage long: has no version 77: version 78 follows 76",
    ],
    [
      "an end that is gone",
      "long",
      commitsWith((commits) => commits.filter(({ version }) => version < 260)),
      "damage long: ends at version 259, and its head says 263",
    ],
    [
      "a patch that does not hold",
      "long",
      commitsWith((commits) =>
        commits.map((commit) =>
          commit.version === 9 ? { ...commit, patches: [{ op: "remove", path: "/items/900" }] } : commit,
        ),
      ),
      "damage long: cannot be replayed: the patches of version 9 do not hold",
    ],
    [
      "a snapshot that is another state",
      "long",
      snapshotsWith((snapshot) => (snapshot.version > 40 ? { ...snapshot, state: { items: [] } } : snapshot)),
      "that is not what its commits lead to",
    ],
    [
      "a snapshot of the floor that is gone",
      "compacted",
      snapshotsWith((snapshot) => (snapshot.version === 20 ? undefined : snapshot)),
      "damage compacted: has no snapshot of version 20, where its history begins",
    ],
    [
      "a receipt that is gone",
      "compacted",
      (thread) => ({
        async receipts(range) {
          const page = await thread.receipts(range);
          return { ...page, items: page.items.filter(({ id }) => id !== "c 25") };
        },
      }),
      "damage compacted: has no receipt of version 26: its submission, sent again, would have a second effect",
    ],
    [
      "a branch that begins elsewhere",
      "the branch",
      snapshotsWith((snapshot) => (snapshot.version === 0 ? { ...snapshot, state: { items: [] } } : snapshot)),
      'does not begin with version 100 of "long"',
    ],
    [
      "a branch whose parent ends before it",
      "long",
      infoWith((info) => ({ ...info, version: 90 })),
      'begins at version 100 of "long", which ends at 90',
    ],
  ])("%s", async (_, name, damage, words) => {
    const [branch] = await log.list({ parent: "long" });
    const threadId = name === "the branch" ? (branch?.threadId ?? "") : name;
    expect((await findings(damaged(threadId, damage))).join("\n")).toContain(words);
  });

  it("a branch without its parent, which is no damage", async () => {
    const copy = memoryLog();
    await fill(copy);
    await copy.delete("long");
    const [found, ...more] = await findings(copy);
    expect(more).toEqual([]);
    expect(found).toMatch(/^note .*: is a branch of "long", which is deleted/);
  });
});
