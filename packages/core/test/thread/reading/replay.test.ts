import { memoryLog, openThread, replay } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, tally } from "../tally.ts";

describe("replay", () => {
  it("applies updates in order and returns the transition of each", () => {
    const { state, version, transitions } = replay(tally, [
      { type: "add", by: 2 },
      { type: "add", by: 101 },
      { type: "add", by: 0 },
      null,
      { type: "name", name: "x" },
      { type: "reset" },
    ]);
    expect(state).toEqual({ count: 0, names: ["x"], size: 1 });
    expect(version).toBe(3);
    expect(
      transitions.map((transition) => (transition.accepted ? transition.patches.length : transition.rejection.code)),
    ).toEqual([1, "refused", 0, "invalid_operation", 2, 1]);
  });

  it("begins with a snapshot, such as an earlier replay", () => {
    const first = replay(tally, [{ type: "add", by: 2 }]);
    const second = replay(tally, [{ type: "add", by: 3 }], first);
    expect([second.state.count, second.version]).toEqual([5, 2]);
  });

  it("of no updates is the state that it began with", () => {
    const second = replay(tally, [{ type: "add", by: 3 }]);
    expect(replay(tally, [], second)).toEqual({ state: second.state, version: 1, transitions: [] });
    expect(replay(tally, [])).toEqual({ state: tally.initial, version: 0, transitions: [] });
  });

  it("leads to the state of a thread with the same updates", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const updates = [
      { type: "name", name: "a" },
      { type: "name", name: "a" },
      { type: "add", by: 7 },
      { type: "unname", name: "b" },
    ] as const;
    for (const update of updates) await thread.dispatch(update, { actor: ada });
    expect(replay(tally, updates)).toMatchObject({ state: thread.getState(), version: thread.version });
  });
});
