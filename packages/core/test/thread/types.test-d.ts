import { createReplica, memoryLog, openThread, replay, threadTransport, type Commit, type Rejection, type Thread } from "@opstate/core";
import { describe, expectTypeOf, it } from "vitest";
import { ada, tally } from "./tally.ts";

interface Tally {
  count: number;
  names: string[];
  size: number;
}

describe("a thread and a replica of a definition", () => {
  it("have its state and its operations", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    expectTypeOf(thread.getState()).toEqualTypeOf<Tally>();
    expectTypeOf(await thread.stateAt(0)).toEqualTypeOf<Tally>();
    const replica = createReplica({ definition: tally, transport: threadTransport(thread, { actor: ada }) });
    expectTypeOf(replica.getState()).toEqualTypeOf<Tally>();
    expectTypeOf(replica.subscribe).parameter(0).parameter(0).toEqualTypeOf<Tally>();
    expectTypeOf(replay(tally, []).state).toEqualTypeOf<Tally>();
    expectTypeOf(thread).toExtend<Thread>();
  });

  it("give verdicts and commits whose operation is told by its type", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const verdict = await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    if (verdict.accepted) {
      const operation = verdict.commit?.operation;
      if (operation?.type === "add") expectTypeOf(operation.by).toEqualTypeOf<number>();
    } else {
      expectTypeOf(verdict.rejection).toEqualTypeOf<Rejection>();
    }
    thread.onCommit((commit) => {
      expectTypeOf(commit).toExtend<Commit>();
      if (commit.operation.type === "name") expectTypeOf(commit.operation.name).toEqualTypeOf<string>();
    });
    // @ts-expect-error -- an actor is needed
    void thread.dispatch({ type: "add", by: 1 }, {});
  });
});
