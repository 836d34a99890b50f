// Every kind of damage, planted and found.

import { type AnyDefinition, type Commit, defineState, memoryLog, openThread } from "@opstate/core";
import type { Patch } from "@opstate/core/json-patch";
import type { LogAdapter, StoredSnapshot, ThreadInfo, ThreadLog } from "@opstate/core/log";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { checkLog } from "../../src/index.ts";
import { ada, fill, list, robot } from "../support/filled-log.ts";

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

describe("with definitions", () => {
  /** A thread with two items, and a commit that no reducer made. */
  async function forged(patches: Patch, operation: object = { type: "rename", from: "one", to: "other" }) {
    const given = memoryLog();
    const thread = await openThread({ definition: list, log: given, threadId: "t" });
    for (const text of ["one", "two"]) await thread.dispatch({ type: "add", text }, { actor: ada });
    const commit: Commit = {
      version: 3,
      id: "forged",
      operation: operation as Commit["operation"],
      actor: ada,
      at: "2026-01-01T00:00:00.000Z",
      patches,
      inverse: [],
      definitionVersion: 1,
    };
    const receipt = { actor: ada, id: "forged", hash: "", outcome: { accepted: true, version: 3 } as const };
    await given.thread("t").append({ version: 2 }, [{ receipt, commit }]);
    return given;
  }

  const differences = async (given: LogAdapter, definitions: readonly AnyDefinition[] = [list]) =>
    (await checkLog(given, { definitions })).findings.map(({ threadId, kind, what }) => `${kind} ${threadId}: ${what}`);

  it("a log whose reducers lead to what is stored has no difference", async () => {
    expect(await checkLog(log, { definitions: [list] })).toEqual({ threads: 5, commits: 274, findings: [] });
  });

  it("finds a commit that its operation does not lead to, which fits together otherwise", async () => {
    const given = await forged([{ op: "replace", path: "/items/1/text", value: "other" }]);
    expect((await checkLog(given)).findings).toEqual([]);
    expect(await differences(given)).toEqual([
      "difference t: does not lead to what is stored at version 3 (rename): its operation gives another state now",
    ]);
  });

  it("finds an operation that is refused now", async () => {
    const given = await forged([{ op: "add", path: "/items/-", value: { id: "i", text: "one" } }], {
      type: "add",
      text: "one",
    });
    expect(await differences(given)).toEqual([
      'difference t: does not lead to what is stored at version 3 (add): its operation is refused now: There is "one" already',
    ]);
  });

  it("finds a state that its schema refuses, and a derived field that is stale", async () => {
    const given = await forged([{ op: "replace", path: "/items/1/text", value: 5 }]);
    expect(await differences(given)).toContainEqual(
      expect.stringContaining("difference t: has a state that its definition refuses: "),
    );
    const counted = defineState({
      name: "list",
      schema: z.object({ items: z.array(z.unknown()), count: z.int().default(0) }),
      initial: { items: [], count: 0 },
      derive: { "/count": (state) => state.items.length },
      operations: {},
    });
    expect(await differences(given, [counted])).toContain(
      "difference t: has a state whose derived fields are not what its definition derives",
    );
  });

  it("tries nothing again that another version wrote, nor what was erased", async () => {
    const given = await forged([{ op: "replace", path: "/items/1/text", value: "other" }]);
    const thread = await openThread({ definition: list, log: { ...given }, threadId: "t" });
    await thread.dispatch({ type: "rename", from: "one", to: "short" }, { actor: robot });
    await thread.redact({ actor: { kind: "user", id: "nobody" }, by: { kind: "system", id: "privacy" } });
    expect(await differences(given)).toEqual([]);
    const later = { ...list, version: 2 } as typeof list;
    expect(await differences(given, [later])).toEqual([]);
  });

  it("says what was written by a later version, and what none was given for", async () => {
    const given = memoryLog();
    const definition = { ...list, version: 2 } as typeof list;
    await (await openThread({ definition, log: given, threadId: "t" })).close();
    expect(await differences(given)).toEqual([
      'difference t: was written by version 2 of "list"; the one given is version 1',
    ]);
    expect(await differences(given, [{ ...list, name: "board" }])).toEqual([
      'note t: holds a "list", which is none of the definitions given',
    ]);
  });
});
