// One effect for one call, however a host makes it again.

import { AgentSession } from "@opstate/agent";
import { memoryLog, openThread } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { planner, board, openBoard } from "../support/board.ts";

describe("a call with an id of the host", () => {
  it("has one effect and one verdict, also after a restart", async () => {
    const log = memoryLog();
    const thread = await openBoard(log);
    const input = { id: "T-1", title: "x" };
    const once = await new AgentSession({ thread, actor: planner, runId: "r" }).execute("add", input, {
      callId: "c",
    });
    await thread.close();
    const reopened = await openBoard(log);
    const session = new AgentSession({ thread: reopened, actor: planner, runId: "r" });
    const again = await session.execute("add", input, { callId: "c" });
    expect(again.verdict).toEqual(once.verdict);
    expect(reopened.version).toBe(1);
  });

  it("is not made again once the thread has forgotten it, and what is new goes on", async () => {
    const [log, start, day] = [memoryLog(), Date.now(), 86_400_000];
    let now = start;
    const open = () =>
      openThread({
        definition: board,
        log,
        threadId: "board",
        clock: () => new Date(now).toISOString(),
        receipts: { keep: day },
      });
    const session = async (more = {}) =>
      new AgentSession({ thread: await open(), actor: planner, runId: "r", since: 0, ...more });
    const first = await session();
    await first.execute("add", { id: "T-1", title: "x" }, { callId: "a", madeAt: start });
    await first.execute("add", { id: "T-2", title: "x" }, { callId: "b", madeAt: start });
    now += 5 * day;
    await first.execute("add", { id: "T-3", title: "x" }, { callId: "c", madeAt: now });
    await first.execute("add", { id: "T-4", title: "x" }, { callId: "d", madeAt: now });
    const floor = async () => (await log.thread("board").info())?.receiptFloor;
    await expect.poll(floor).toBe(1);
    // The session remembers when it was given the call, a new one is told.
    for (const [of, madeAt] of [
      [first, undefined],
      [await session(), start],
    ] as const) {
      const { text } = await of.execute("add", { id: "T-1", title: "x" }, { callId: "a", madeAt });
      expect(text).toContain("Refused (too_old)");
    }
    const paid = await first.execute("pay", { invoice: "7" }, { madeAt: now });
    const proposed = await (
      await session({ since: first.thread.version })
    ).execute("clear", {}, { callId: "clear", madeAt: now });
    expect([paid.verdict?.accepted, proposed.proposal !== undefined]).toEqual([true, true]);
    expect((await open()).getState()).toMatchObject({ cards: { length: 4 }, paid: 1 });
  });

  it("is another call in another step, and in another run", async () => {
    const thread = await openBoard();
    for (const runId of ["r1", "r2"])
      for (const step of ["1", "2"])
        await new AgentSession({ thread, actor: planner, runId }).execute(
          "add",
          { id: runId + step, title: "x" },
          { callId: "call_0", step },
        );
    expect(thread.version).toBe(4);
  });

  it("is the same call in every session where the host says what its ids are unique in", async () => {
    const thread = await openBoard();
    const call = (callScope: string) =>
      new AgentSession({ thread, actor: planner, callScope }).execute(
        "add",
        { id: callScope, title: "x" },
        { callId: "c" },
      );
    await call("here");
    await call("here");
    expect(thread.version).toBe(1);
    await call("there");
    expect(thread.version).toBe(2);
  });

  it("that another call has is refused with what to do", async () => {
    const thread = await openBoard();
    const session = new AgentSession({ thread, actor: planner });
    await session.execute("add", { id: "T-1", title: "x" }, { callId: "c" });
    const { text } = await session.execute("add", { id: "T-2", title: "x" }, { callId: "c" });
    expect(text).toContain('Refused (same_id): Another call had the same id ("c")');
    expect(thread.version).toBe(1);
  });
});

describe("a call with a key of its arguments", () => {
  it("is one call while it is under way, and another one when it was completed", async () => {
    const thread = await openBoard();
    const session = new AgentSession({ thread, actor: planner });
    await Promise.all(["a", "b", "c"].map((callId) => session.execute("pay", { invoice: "I-1" }, { callId })));
    expect(thread.getState().paid).toBe(1);
    await session.execute("pay", { invoice: "I-1", amount: 1 }, { callId: "d" });
    expect(thread.getState().paid).toBe(2);
  });

  it("is made of what the arguments mean, and not of how they are written", async () => {
    const thread = await openBoard();
    const pay = (attempt: number, input: object) =>
      new AgentSession({ thread, actor: planner, runId: "r" }).execute("pay", input, { step: "1", attempt });
    await pay(1, { invoice: "I-1" });
    await pay(2, { amount: 1, invoice: "I-1" });
    expect(thread.getState().paid).toBe(1);
  });

  it("is refused with words when the key is another call's, with other arguments", async () => {
    const thread = await openBoard();
    const pay = (note: string) =>
      new AgentSession({ thread, actor: planner, runId: "r" }).execute("pay", { invoice: "I-1", note }, { step: "1" });
    await pay("first");
    expect((await pay("second")).text).toContain("(same_key): A call of this step had the same key");
    expect(thread.getState().paid).toBe(1);
  });

  it("is refused as any other when its arguments are wrong", async () => {
    const session = new AgentSession({ thread: await openBoard(), actor: planner });
    expect((await session.execute("pay", { invoice: 7 })).text).toContain("Refused (invalid_operation)");
  });

  it("has one effect, however often the host runs the steps again under new call ids", async () => {
    const key = fc.constantFrom("I-1", "I-2");
    const steps = fc.array(
      fc.record({
        calls: fc.array(key, { maxLength: 4 }),
        // How many calls each attempt makes before the process ends; then one that makes them all.
        cut: fc.array(fc.nat(4), { maxLength: 3 }),
        restarts: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const log = memoryLog();
        let thread = await openBoard(log);
        let session = new AgentSession({ thread, actor: planner, runId: "run" });
        let callIds = 0;
        for (const [step, { calls, cut, restarts }] of plan.entries()) {
          for (const [attempt, made] of [...cut, calls.length].entries()) {
            for (const invoice of calls.slice(0, made))
              await session.execute("pay", { invoice }, { callId: `${callIds++}`, step: `${step}`, attempt });
            if (!restarts) continue;
            await thread.close();
            thread = await openBoard(log);
            session = new AgentSession({ thread, actor: planner, runId: "run" });
          }
        }
        // Each call of each step once: what an attempt did is not done by the next one.
        expect(thread.getState().paid).toBe(plan.reduce((sum, { calls }) => sum + calls.length, 0));
      }),
      { numRuns: runs(60) },
    );
  });
});
