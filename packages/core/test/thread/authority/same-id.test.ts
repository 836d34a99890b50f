// One id in one batch: what is submitted in one turn is judged together.

import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, tally } from "../tally.ts";

const nothing = { type: "add", by: 0 } as const;

describe("two submissions of one id in a batch that change nothing", () => {
  async function both(second: { type: "add"; by: number }) {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const options = { actor: ada, id: "x" };
    return {
      thread,
      verdicts: await Promise.all([thread.dispatch(nothing, options), thread.dispatch(second, options)]),
    };
  }

  it("get one verdict, when they are the same", async () => {
    const { thread, verdicts } = await both(nothing);
    expect(verdicts).toEqual([
      { accepted: true, version: 0 },
      { accepted: true, version: 0 },
    ]);
    expect(await thread.dispatch(nothing, { actor: ada, id: "x" })).toEqual(verdicts[0]);
  });

  it("are two operations under one id, when they differ: the second is refused", async () => {
    const { thread, verdicts } = await both({ type: "add", by: 1 });
    expect(verdicts).toMatchObject([
      { accepted: true, version: 0 },
      { accepted: false, rejection: { code: "conflict", path: "/id" } },
    ]);
    expect(thread.getState().count).toBe(0);
  });
});
