// What an observer of a thread gets, on a clock of its own.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineState, memoryLog, openThread } from "../../src/index.ts";
import type { Scheduler, SubmissionEvent } from "../../src/thread.ts";

const ada = { kind: "user", id: "ada" };
const robot = { kind: "agent", id: "robot" };

/** Each submission costs its `work` in milliseconds; each append costs 5. */
function createWorld() {
  let time = 0;
  const scheduler: Scheduler = { now: () => time, yield: async () => {} };
  const definition = defineState({
    name: "tally",
    schema: z.object({ sum: z.int() }),
    initial: { sum: 0 },
    operations: {
      add: {
        input: z.object({ by: z.int(), work: z.int().optional() }),
        apply(draft, { by, work = 0 }, { reject }) {
          time += work;
          if (by > 100) return reject("too_much", "At most 100.");
          draft.sum += by;
        },
      },
    },
    replace: { allow: ["user"] },
  });
  const log = memoryLog();
  const { append } = log;
  log.append = async (...call) => {
    time += 5;
    return append(...call);
  };
  const events: SubmissionEvent[] = [];
  const open = (observe?: (event: SubmissionEvent) => void) =>
    openThread({ definition, log, threadId: "t", scheduler, ...(observe && { observe }) });
  return { definition, log, events, open, observe: (event: SubmissionEvent) => void events.push(event) };
}

describe("an observer", () => {
  it("gets the verdict of each submission and where its time went, and nothing of its content", async () => {
    const { open, observe, events } = createWorld();
    const thread = await open(observe);
    // The first refusal reads the earlier ones, and its batch is judged again.
    await thread.dispatch({ type: "add", by: 200 }, { actor: ada });
    events.length = 0;
    await Promise.all([
      thread.dispatch({ type: "add", by: 1, work: 3 }, { actor: ada, id: "a" }),
      thread.dispatch({ type: "add", by: 200, work: 4 }, { actor: robot, id: "b", runId: "r", toolCallId: "c" }),
    ]);
    const shared = { type: "submission", threadId: "t", definition: "tally", operation: "add", queued: 0, batch: 2 };
    const times = { duration: 12, appended: 5, conflicts: 0 };
    expect(events).toEqual([
      { ...shared, ...times, actor: ada, id: "a", code: "accepted", version: 1, judged: 3 },
      {
        ...shared,
        ...times,
        actor: robot,
        id: "b",
        runId: "r",
        toolCallId: "c",
        code: "refused",
        reason: "too_much",
        version: 1,
        judged: 4,
      },
    ]);
  });

  it("gets undo, decisions and types that no definition has", async () => {
    const { open, observe, events } = createWorld();
    const thread = await open(observe);
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "a" });
    await thread.undo({ ids: ["a"] }, { actor: ada });
    await thread.dispatch({ sum: 7 }, { actor: ada });
    await thread.submit({ type: "x".repeat(1_000) }, { actor: ada });
    await thread.submit({ type: "$nobody" }, { actor: ada });
    expect(events.map(({ operation, code }) => `${operation} ${code}`)).toEqual([
      "add accepted",
      "$undo accepted",
      "$replace accepted",
      "unknown unknown_operation",
      "unknown unknown_operation",
    ]);
  });

  it("gets how long a submission was queued behind another", async () => {
    const { open, observe, events } = createWorld();
    const thread = await open(observe);
    const first = thread.dispatch({ type: "add", by: 1, work: 20 }, { actor: ada });
    // Its append is under way when the second one comes.
    const second = new Promise<void>((resolve) => {
      const stop = thread.onCommit(() => {
        stop();
        resolve(thread.dispatch({ type: "add", by: 2 }, { actor: ada }).then(() => undefined));
      });
    });
    await Promise.all([first, second]);
    expect(events.map(({ queued, judged, batch }) => [queued, judged, batch])).toEqual([
      [0, 20, 1],
      [0, 0, 1],
    ]);
  });

  it("gets a report when another writer was first", async () => {
    const { definition, log, open, observe, events } = createWorld();
    const thread = await open(observe);
    // The same log as another process has it.
    const other = await openThread({ definition, log: { ...log }, threadId: "t" });
    const { append } = log;
    let isFirst = true;
    log.append = async (...call) => {
      if (isFirst) {
        isFirst = false;
        await other.dispatch({ type: "add", by: 10 }, { actor: robot });
      }
      return append(...call);
    };
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    expect(events).toMatchObject([{ code: "accepted", version: 2, conflicts: 1 }]);
  });

  it("gets a report of a log that fails, and the caller gets the error", async () => {
    const { log, open, observe, events } = createWorld();
    const thread = await open(observe);
    log.append = async () => {
      throw new Error("disk full");
    };
    await expect(thread.dispatch({ type: "add", by: 1 }, { actor: ada })).rejects.toThrow("disk full");
    expect(events).toMatchObject([{ code: "failed", version: 0, operation: "add" }]);
  });

  it("has no part in it: what it throws is ignored", async () => {
    const { open } = createWorld();
    const thread = await open(() => {
      throw new Error("no disk for logs");
    });
    expect(await thread.dispatch({ type: "add", by: 1 }, { actor: ada })).toMatchObject({ accepted: true });
  });

  it("gets its own opener's submissions, and those on its branches", async () => {
    const { open, observe, events } = createWorld();
    const thread = await open(observe);
    const beside = await open();
    await beside.dispatch({ type: "add", by: 1 }, { actor: ada });
    expect(events).toEqual([]);
    const branch = await thread.branch();
    await branch.dispatch({ type: "add", by: 1 }, { actor: ada });
    expect(events).toMatchObject([{ threadId: branch.threadId, code: "accepted" }]);
  });
});

it("without an observer nothing is measured", async () => {
  let asked = 0;
  const { definition, log } = createWorld();
  const scheduler: Scheduler = { now: () => (asked += 1) && 0, yield: async () => {} };
  const thread = await openThread({ definition, log, threadId: "t", scheduler });
  await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
  const unobserved = asked;
  const observed = await openThread({ definition, log, threadId: "t", scheduler, observe: () => {} });
  asked = 0;
  await observed.dispatch({ type: "add", by: 1 }, { actor: ada });
  // The clock of the queue's own turns is read either way.
  expect(asked).toBeGreaterThan(unobserved);
  asked = 0;
  await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
  expect(asked).toBeLessThanOrEqual(unobserved);
});
