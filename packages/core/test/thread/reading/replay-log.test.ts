import { defineState, memoryLog, openThread, type HistoryEntry } from "@opstate/core";
import { replayLog } from "@opstate/core/log";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, robot, steady } from "../tally.ts";

interface Rules {
  readonly version?: number;
  readonly most?: number;
  readonly names?: boolean;
  readonly factor?: number;
  readonly reason?: string;
}

function tally({ version = 1, most = 100, names = true, factor = 1, reason = "too_much" }: Rules = {}) {
  const add = {
    input: z.object({ by: z.int() }),
    apply(
      draft: { count: number },
      { by }: { by: number },
      { reject }: { reject: (reason: string, message: string) => void },
    ) {
      if (by > most) return reject(reason, `at most ${most}`);
      draft.count += by * factor;
    },
  };
  const name = {
    input: z.object({ name: z.string().max(10_000) }),
    allow: ["user"],
    apply: (draft: { names: string[] }, { name }: { name: string }) => void draft.names.push(name),
  };
  const schema = z.object({ count: z.int(), names: z.array(z.string().max(2_500)) });
  return defineState({
    name: "tally",
    version,
    schema,
    initial: { count: 0, names: [] },
    operations: (names ? { add, name } : { add }) as { add: typeof add },
  });
}

async function recorded(
  updates: readonly (readonly [object & { readonly type: string }, typeof ada])[],
): Promise<readonly HistoryEntry[]> {
  const thread = await openThread({ definition: tally(), log: memoryLog(), threadId: "t", ...steady() });
  for (const [index, [update, actor]] of updates.entries()) await thread.submit(update, { actor, id: `op-${index}` });
  const entries = await thread.history({ rejections: true });
  expect(replayLog(tally(), entries)).toMatchObject({ state: thread.getState(), changes: [] });
  return entries;
}

const add = (by: number) => ({ type: "add", by }) as const;
const name = (name: string) => ({ type: "name", name }) as const;

describe("replayLog", () => {
  it("reports what a stricter rule would refuse, and what changes after it", async () => {
    const entries = await recorded([
      [add(5), ada],
      [add(60), robot],
      [name("x"), ada],
      [add(7), ada],
    ]);
    const { state, changes } = replayLog(tally({ most: 50 }), entries);
    expect(state).toEqual({ count: 12, names: ["x"] });
    expect(changes).toMatchObject([
      {
        version: 2,
        id: "op-1",
        actor: robot,
        operation: add(60),
        was: "accepted",
        now: { code: "refused", reason: "too_much" },
      },
      // Later patches differ: each replaces the count by another number.
      { version: 4, id: "op-3", was: "accepted", now: "accepted", patchesDiffer: true },
    ]);
    expect(changes[0]).not.toHaveProperty("patchesDiffer");
  });

  it("reports every use of an operation that the definition has no longer", async () => {
    const entries = await recorded([
      [name("x"), ada],
      [add(1), ada],
      [name("y"), robot],
    ]);
    const { state, changes } = replayLog(tally({ names: false }), entries);
    expect(state).toEqual({ count: 1, names: [] });
    expect(changes).toMatchObject([
      { id: "op-0", was: "accepted", now: { code: "unknown_operation" } },
      { id: "op-2", version: 2, was: { code: "forbidden" }, now: { code: "unknown_operation" } },
    ]);
  });

  const twiceRefused = () =>
    recorded([
      [add(101), ada],
      [add(102), ada],
    ]);

  it("reports what a laxer rule would accept", async () => {
    const entries = await twiceRefused();
    expect(replayLog(tally({ most: 101 }), entries)).toMatchObject({
      state: { count: 101 },
      changes: [{ id: "op-0", was: { code: "refused" }, now: "accepted" }],
    });
  });

  it("reports a refusal for another reason", async () => {
    const entries = await twiceRefused();
    expect(replayLog(tally({ reason: "too_many" }), entries).changes).toMatchObject([
      { was: { reason: "too_much" }, now: { reason: "too_many" } },
      { was: { reason: "too_much" }, now: { reason: "too_many" } },
    ]);
  });

  it("does not report a refusal that is only worded differently", async () => {
    const entries = await twiceRefused();
    expect(replayLog(tally({ most: 100.5 }), entries).changes).toEqual([]);
  });

  it("reports a different result of an operation that is still accepted", async () => {
    const entries = await recorded([[add(2), ada]]);
    expect(replayLog(tally({ factor: 3 }), entries)).toMatchObject({
      state: { count: 6 },
      changes: [{ was: "accepted", now: "accepted", patchesDiffer: true }],
    });
  });

  it("begins with a snapshot, and skips operations that the log has shortened", async () => {
    const entries = await recorded([
      [add(1), ada],
      [add(2), ada],
      [name("x".repeat(3_000)), ada],
    ]);
    expect(replayLog(tally(), entries, { version: 1, state: { count: 10, names: [] } })).toMatchObject({
      state: { count: 12 },
      skipped: 1,
    });
  });

  const builtIn = (type: string, patches: object[]): HistoryEntry =>
    ({
      kind: "commit",
      commit: {
        version: 1,
        id: "u",
        operation: { type },
        actor: ada,
        at: "",
        patches,
        inverse: [],
        definitionVersion: 1,
      },
    }) as never;

  it("applies the patches of an undo", () => {
    expect(replayLog(tally(), [builtIn("$undo", [{ op: "replace", path: "/count", value: 4 }])])).toMatchObject({
      state: { count: 4 },
      changes: [],
    });
  });

  it("reports an undo whose patches do not apply", () => {
    expect(replayLog(tally(), [builtIn("$undo", [{ op: "replace", path: "/gone", value: 4 }])])).toMatchObject({
      changes: [{ now: { code: "conflict" } }],
    });
  });

  it("does not report a migration whose patches do not apply", () => {
    expect(replayLog(tally(), [builtIn("$migrate", [{ op: "remove", path: "/old" }])])).toMatchObject({
      state: { count: 0 },
      changes: [],
    });
  });
});
