// A submission id that comes again: one effect and one final verdict, and which verdicts are not
// final.

import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally, elsewhere } from "../tally.ts";

const add = (by: number) => ({ type: "add", by }) as const;
const open = (log = memoryLog()) => openThread({ definition: tally, log: elsewhere(log), threadId: "t" });

describe("a submission with an id that was used", () => {
  it("has one effect and one verdict: at once, later, and after a restart", async () => {
    const log = memoryLog();
    const thread = await open(log);
    const both = await Promise.all([
      thread.dispatch(add(1), { actor: ada, id: "1" }),
      thread.dispatch(add(1), { actor: ada, id: "1" }),
    ]);
    const later = await thread.dispatch({ by: 1, type: "add" }, { actor: ada, id: "1" });
    const restarted = await (await open(log)).dispatch(add(1), { actor: ada, id: "1" });
    for (const verdict of [both[1], later, restarted]) expect(verdict).toEqual(both[0]);
    expect(await thread.history()).toHaveLength(1);
  });

  it("is refused again when it was refused, even if it would be accepted now", async () => {
    const log = memoryLog();
    const thread = await open(log);
    const unname = { type: "unname", name: "x" } as const;
    const first = await thread.dispatch(unname, { actor: ada, id: "1" });
    await thread.dispatch({ type: "name", name: "x" }, { actor: ada });
    expect(first).toMatchObject({ accepted: false, version: 0 });
    expect(await thread.dispatch(unname, { actor: ada, id: "1" })).toEqual(first);
    expect(await (await open(log)).dispatch(unname, { actor: ada, id: "1" })).toEqual(first);
    expect(await thread.dispatch(unname, { actor: ada, id: "2" })).toMatchObject({ accepted: true });
  });

  it("is refused with another operation, and the first verdict stays", async () => {
    const thread = await open();
    const [, other] = await Promise.all([
      thread.dispatch(add(1), { actor: ada, id: "1" }),
      thread.dispatch(add(2), { actor: ada, id: "1" }),
    ]);
    expect(other).toMatchObject({ accepted: false, rejection: { code: "conflict", path: "/id" } });
    expect(await thread.dispatch(add(2), { actor: ada, id: "1" })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict" },
    });
    expect(await thread.dispatch(add(1), { actor: ada, id: "1" })).toMatchObject({ accepted: true, version: 1 });
    expect(await thread.history({ rejections: true })).toHaveLength(1);
  });

  it("is a submission of its own when another actor sends it", async () => {
    const thread = await open();
    const verdicts = await Promise.all(
      [ada, bob, robot, { kind: "agent", id: "ada" }].map((actor) => thread.dispatch(add(1), { actor, id: "1" })),
    );
    expect(verdicts.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  it("is refused when a broken mintId gives one id twice", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t", mintId: () => "same" });
    expect(await thread.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true, version: 1 });
    expect(await thread.dispatch(add(2), { actor: ada })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict" },
    });
  });
});

describe("a verdict that is not final", () => {
  it("is a conflict with an expected version: it is not recorded, and the id may be sent again", async () => {
    const thread = await open();
    await thread.dispatch(add(1), { actor: ada });
    const missed = await thread.dispatch(add(1), { actor: robot, id: "1", expectedVersion: 0 });
    expect(missed).toMatchObject({
      accepted: false,
      version: 1,
      rejection: { code: "conflict", details: { expected: 0, version: 1 } },
    });
    expect(await thread.dispatch(add(1), { actor: robot, id: "1", expectedVersion: 1 })).toMatchObject({
      accepted: true,
      version: 2,
    });
    expect(await thread.dispatch(add(1), { actor: robot, id: "1", expectedVersion: 1 })).toMatchObject({
      accepted: true,
      version: 2,
    });
    expect(await thread.history({ rejections: true })).toHaveLength(2);
  });

  it("is a conflict with a submission that is ahead in the queue", async () => {
    const thread = await open();
    const verdicts = await Promise.all(
      [add(1), add(1)].map((update) => thread.dispatch(update, { actor: ada, expectedVersion: 0 })),
    );
    expect(verdicts.map(({ accepted }) => accepted)).toEqual([true, false]);
  });

  it("is needs_approval: the id may be sent again, also by an actor who needs none", async () => {
    const thread = await open();
    await thread.dispatch({ type: "name", name: "x" }, { actor: ada });
    expect(await thread.dispatch({ type: "wipe" }, { actor: robot, id: "1" })).toMatchObject({
      rejection: { code: "needs_approval" },
      attempt: 1,
    });
    expect(await thread.dispatch({ type: "wipe" }, { actor: robot, id: "1" })).toMatchObject({
      rejection: { code: "needs_approval" },
      attempt: 2,
    });
    expect(await thread.dispatch({ type: "wipe" }, { actor: ada, id: "1" })).toMatchObject({ accepted: true });
    expect((await thread.history({ rejections: true })).every(({ kind }) => kind === "commit")).toBe(true);
  });
});

describe("attempts", () => {
  type Opened = Awaited<ReturnType<typeof open>>;
  const attempts = async (thread: Opened, updates: readonly (readonly [number, typeof ada])[]) =>
    (await Promise.all(updates.map(([by, actor]) => thread.dispatch(add(by), { actor })))).map((verdict) =>
      verdict.accepted ? 0 : verdict.attempt,
    );

  it("count refusals of the same actor with the same operation, code and reason", async () => {
    expect(
      await attempts(await open(), [
        [101, ada],
        [101, ada],
        [102, ada],
        [101, robot],
        [1, ada],
        [101, ada],
      ]),
    ).toEqual([1, 2, 1, 1, 0, 3]);
  });

  it("are counted on after a restart", async () => {
    const log = memoryLog();
    await attempts(await open(log), [
      [101, ada],
      [101, ada],
      [102, ada],
    ]);
    expect(
      await attempts(await open(log), [
        [101, ada],
        [102, ada],
        [103, ada],
      ]),
    ).toEqual([3, 2, 1]);
  });
});
