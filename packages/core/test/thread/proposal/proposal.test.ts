import { type Actor, type Log, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, steady, tally, elsewhere } from "../tally.ts";

const open = (log: Log = memoryLog()) =>
  openThread({ definition: tally, log: elsewhere(log), threadId: "t", ...steady() });

/**
 * A thread with a name on the list, which the robot proposes to wipe: for an agent that needs
 * approval.
 */
async function proposed(log: Log = memoryLog(), options: { readonly expiresAt?: string } = {}) {
  const thread = await open(log);
  await thread.dispatch({ type: "name", name: "x" }, { actor: ada, id: "x" });
  const verdict = await thread.propose({ type: "wipe" }, { actor: robot, id: "p", runId: "r", ...options });
  return { thread, verdict };
}

describe("a proposal", () => {
  it("stores the operation, what it is based on and what it would change, and changes nothing", async () => {
    const { thread, verdict } = await proposed();
    expect(verdict).toMatchObject({
      accepted: true,
      version: 2,
      commit: {
        id: "p",
        actor: robot,
        operation: { type: "$propose", operation: { type: "wipe" }, basedOn: 1 },
        patches: [],
      },
    });
    expect(verdict.accepted && verdict.commit?.operation).toMatchObject({
      previous: [{ path: expect.stringMatching(/^\/names/) }],
    });
    expect(thread.getState()).toEqual({ count: 0, names: ["x"], size: 1 });
  });

  it("is carried out by another person's approval, once, also after a restart", async () => {
    const log = memoryLog();
    await proposed(log);
    const thread = await open(log);
    const verdict = await thread.approve("p", { actor: bob, id: "yes" });
    expect(verdict).toMatchObject({
      accepted: true,
      version: 3,
      commit: {
        actor: bob,
        operation: { type: "$approve", proposal: "p", proposer: robot, operation: { type: "wipe" } },
      },
    });
    expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
    expect(await thread.approve("p", { actor: bob, id: "yes" })).toEqual(verdict);
    expect(await thread.approve("p", { actor: ada })).toMatchObject({
      rejection: { code: "conflict", reason: "decided", details: { version: 3, by: "$approve" } },
    });
    expect(thread.version).toBe(3);
    expect(await thread.digest({ since: 2, for: ada })).toMatch(/user bob: approved what agent robot proposed: wipe/);
  });

  it("is approved by those who may only, and never by its proposer", async () => {
    const { thread } = await proposed();
    expect(await thread.approve("p", { actor: { kind: "agent", id: "other" } })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.approve("p", { actor: ada, allows: () => false })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.approve("p", { actor: robot, allows: () => true })).toMatchObject({
      rejection: { code: "forbidden", message: expect.stringMatching(/cannot approve their own proposal/) },
    });
    expect(await thread.approve("nope", { actor: ada })).toMatchObject({
      rejection: { code: "conflict", reason: "unknown_id" },
    });
    expect(
      await thread.approve("p", { actor: { kind: "agent", id: "other" }, allows: (right) => right === "approve" }),
    ).toMatchObject({
      accepted: true,
    });
  });

  it("conflicts when what it changes was changed since, naming it, and not when other things were", async () => {
    const { thread } = await proposed();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    await thread.dispatch({ type: "name", name: "y" }, { actor: ada, id: "y" });
    const refused = await thread.approve("p", { actor: bob, id: "yes" });
    expect(refused).toMatchObject({
      accepted: false,
      rejection: { code: "conflict", reason: "changed", details: { changed: [expect.stringMatching(/^\/names/)] } },
    });
    // It is not final: as soon as things are as they were, it is accepted.
    await thread.undo({ ids: ["y"] }, { actor: ada });
    expect(await thread.approve("p", { actor: bob, id: "yes" })).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ count: 1, names: [], size: 0 });
  });

  it("conflicts when what it would overwrite is another value than its approver was shown", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 5 }, { actor: ada });
    await thread.propose({ type: "reset" }, { actor: ada, id: "p" });
    await thread.dispatch({ type: "add", by: 2 }, { actor: bob });
    const verdict = await thread.approve("p", { actor: bob });
    expect(verdict).toMatchObject({ rejection: { code: "conflict", reason: "changed" } });
    expect(thread.getState().count).toBe(7);
  });

  it("is carried out anyway by who says so, on the state as it is, and the log says that it was", async () => {
    const log = memoryLog();
    const { thread } = await proposed(log);
    await thread.dispatch({ type: "name", name: "y" }, { actor: ada, id: "y" });
    expect(await thread.approve("p", { actor: { kind: "agent", id: "other" }, anyway: true })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.approve("p", { actor: robot, allows: () => true, anyway: true })).toMatchObject({
      rejection: { code: "forbidden", message: expect.stringMatching(/cannot approve their own proposal/) },
    });
    // Not what is there by now, unless that was looked at.
    expect(await thread.approve("p", { actor: bob, anyway: true, expectedVersion: 2 })).toMatchObject({
      rejection: { code: "conflict", path: "/expectedVersion" },
    });
    const verdict = await thread.approve("p", { actor: bob, id: "yes", anyway: true, expectedVersion: 3 });
    expect(verdict).toMatchObject({
      accepted: true,
      version: 4,
      commit: {
        actor: bob,
        operation: { type: "$approve", proposal: "p", proposer: robot, operation: { type: "wipe" }, anyway: true },
      },
    });
    expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
    expect(await thread.proposals()).toEqual([]);
    expect(await thread.digest({ since: 3, for: ada })).toMatch(
      /user bob: approved, although what it changes had changed, what agent robot proposed: wipe/,
    );
    const again = await open(log);
    expect(await again.approve("p", { actor: bob, id: "yes", anyway: true, expectedVersion: 3 })).toEqual(verdict);
    await again.undo({ ids: ["yes"] }, { actor: bob });
    expect(again.getState().names).toEqual(["x", "y"]);
  });

  it("replaces what others did since for who looked at that version, and for no one else", async () => {
    const { thread } = await proposed();
    await thread.propose({ type: "$replace", value: { count: 3, names: ["x"] } }, { actor: robot, id: "all" });
    await thread.dispatch({ type: "name", name: "y" }, { actor: ada, id: "y" });
    expect(await thread.approve("all", { actor: bob, anyway: true })).toMatchObject({
      rejection: { code: "conflict", reason: "other_thing" },
    });
    const seen = { actor: bob, id: "yes", anyway: true, expectedVersion: thread.version };
    expect(await thread.approve("all", seen)).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ count: 3, names: ["x"], size: 1 });
    await thread.undo({ ids: ["yes"] }, { actor: bob });
    expect(thread.getState()).toEqual({ count: 0, names: ["x", "y"], size: 2 });
  });

  it("says nothing of anyway when it was as it was shown, and does not do what would be refused now", async () => {
    const { thread } = await proposed();
    const verdict = await thread.approve("p", { actor: bob, anyway: true });
    expect(verdict.accepted && verdict.commit?.operation).not.toHaveProperty("anyway");
    await thread.dispatch({ type: "name", name: "z" }, { actor: ada });
    await thread.propose({ type: "unname", name: "z" }, { actor: robot, id: "q" });
    await thread.dispatch({ type: "unname", name: "z" }, { actor: ada });
    expect(await thread.approve("q", { actor: bob, anyway: true })).toMatchObject({
      rejection: { reason: "name_not_found" },
    });
  });

  it("ends when it is declined, by who may approve or by its proposer", async () => {
    const { thread } = await proposed();
    expect(await thread.decline("p", { actor: { kind: "agent", id: "other" } })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.decline("p", { actor: ada, reason: "keep x" })).toMatchObject({
      accepted: true,
      commit: { operation: { type: "$decline", proposal: "p", reason: "keep x" }, patches: [] },
    });
    expect(await thread.approve("p", { actor: bob })).toMatchObject({
      rejection: { reason: "decided", details: { by: "$decline" } },
    });
    await thread.propose({ type: "wipe" }, { actor: robot, id: "q" });
    expect(await thread.decline("q", { actor: robot })).toMatchObject({ accepted: true });
    await thread.propose({ type: "wipe" }, { actor: robot, id: "s", runId: "r" });
    await thread.undo({ runId: "r" }, { actor: ada });
    expect(await thread.approve("s", { actor: bob })).toMatchObject({
      rejection: { reason: "decided", details: { by: "$undo" } },
    });
    expect(thread.getState().names).toEqual(["x"]);
  });

  it("expires at the time that it was given", async () => {
    const { thread } = await proposed(memoryLog(), { expiresAt: "2026-01-01T00:00:05.000Z" });
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    expect(await thread.approve("p", { actor: bob })).toMatchObject({
      rejection: { code: "conflict", reason: "expired" },
    });
    expect(await thread.propose({ type: "wipe" }, { actor: robot, expiresAt: "soon" })).toMatchObject({
      rejection: { code: "invalid_operation", path: "/expiresAt" },
    });
    const { thread: early } = await proposed(memoryLog(), { expiresAt: "2026-01-01T00:00:05.000Z" });
    expect(await early.approve("p", { actor: bob })).toMatchObject({ accepted: true });
  });

  it("is refused like the operation itself, but for the approval that it needs", async () => {
    const thread = await open();
    expect(await thread.dispatch({ type: "wipe" }, { actor: robot })).toMatchObject({
      rejection: { code: "needs_approval" },
    });
    expect(await thread.propose({ type: "reset" }, { actor: robot })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.propose({ type: "unname", name: "q" }, { actor: robot })).toMatchObject({
      rejection: { code: "refused", reason: "name_not_found" },
    });
    expect(await thread.propose({ type: "nope" } as never, { actor: robot })).toMatchObject({
      rejection: { code: "unknown_operation" },
    });
    expect(thread.version).toBe(0);
  });

  it("is done again as its proposer's when something before it is undone, and can be undone itself", async () => {
    const { thread } = await proposed();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "one" });
    await thread.propose({ type: "add", by: 5 }, { actor: robot, id: "five" });
    await thread.approve("five", { actor: bob, id: "yes" });
    expect(thread.getState().count).toBe(6);
    await thread.undo({ ids: ["x", "one"] }, { actor: ada });
    expect(thread.getState()).toEqual({ count: 5, names: [], size: 0 });
    await thread.undo({ ids: ["yes"] }, { actor: ada });
    expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
  });

  it("is listed while it is open, with what it would change and what changed since, also after a restart", async () => {
    const log = memoryLog();
    const { thread } = await proposed(log, { expiresAt: "2030-01-01T00:00:00Z" });
    await thread.propose({ type: "unname", name: "x" }, { actor: ada, id: "q" });
    const listed = await thread.proposals();
    expect(listed).toEqual([
      {
        id: "p",
        version: 2,
        operation: { type: "wipe" },
        actor: robot,
        at: expect.any(String),
        runId: "r",
        basedOn: 1,
        patches: [expect.objectContaining({ path: expect.stringMatching(/^\/names/) })],
        expiresAt: "2030-01-01T00:00:00Z",
        sentence: "wipe {}",
        stale: [],
      },
      expect.objectContaining({ id: "q", version: 3, sentence: 'unname {"name":"x"}', stale: [] }),
    ]);
    const again = await open(log);
    expect(await again.proposals()).toEqual(listed);
  });

  it("is listed with what became of it by what is committed since, here and by others", async () => {
    const log = memoryLog();
    const { thread } = await proposed(log);
    await thread.propose({ type: "unname", name: "x" }, { actor: ada, id: "q" });
    expect(await thread.proposals()).toMatchObject([{ id: "p" }, { id: "q" }]);
    const again = await open(log);
    await again.dispatch({ type: "name", name: "y" }, { actor: bob, id: "y" });
    expect(await again.proposals()).toMatchObject([
      { id: "p", stale: [expect.stringMatching(/^\/names/)] },
      { id: "q", stale: [] },
    ]);
    await again.approve("q", { actor: bob });
    expect(await again.proposals()).toMatchObject([{ id: "p" }]);
    await again.propose({ type: "unname", name: "y" }, { actor: ada, id: "s" });
    await again.undo({ ids: ["y"] }, { actor: bob });
    expect(await again.proposals()).toMatchObject([
      { id: "p" },
      { id: "s", rejection: { code: "refused", reason: "name_not_found" } },
    ]);
  });

  it("is found by the log's index, however much lies above it", async () => {
    const log = memoryLog();
    const { thread } = await proposed(log);
    await Promise.all(Array.from({ length: 1_500 }, () => thread.dispatch({ type: "add", by: 1 }, { actor: ada })));
    await thread.close();
    let read = 0;
    const again = await open({
      ...log,
      async read(threadId, range) {
        const commits = await log.read(threadId, range);
        read += commits.length;
        return commits;
      },
    });
    read = 0;
    expect(await again.proposals()).toHaveLength(1);
    expect(await again.approve("p", { actor: ada, id: "yes" })).toMatchObject({ accepted: true });
    expect(await again.approve("p", { actor: bob })).toMatchObject({ rejection: { reason: "decided" } });
    expect(await again.approve("nope", { actor: bob })).toMatchObject({ rejection: { reason: "unknown_id" } });
    expect(read).toBeLessThan(20);
  });

  it("is not listed once it expired, and comes back when its undo is undone", async () => {
    const { thread } = await proposed(memoryLog(), { expiresAt: "2026-01-01T00:00:06.000Z" });
    await thread.propose({ type: "wipe" }, { actor: robot, id: "q" });
    expect((await thread.proposals()).map(({ id }) => id)).toEqual(["p", "q"]);
    await thread.undo({ ids: ["q"] }, { actor: ada, id: "u" });
    expect(await thread.proposals()).toEqual([]);
    expect(await thread.approve("q", { actor: ada })).toMatchObject({
      rejection: { reason: "decided", details: { by: "$undo" } },
    });
    await thread.undo({ ids: ["u"] }, { actor: ada });
    expect((await thread.proposals()).map(({ id }) => id)).toEqual(["q"]);
    expect(await thread.approve("q", { actor: ada })).toMatchObject({ accepted: true });
  });

  it("of two under one id is approved only when it is said which", async () => {
    const { thread } = await proposed();
    const sly: Actor = { kind: "agent", id: "sly" };
    await thread.propose({ type: "add", by: 100 }, { actor: sly, id: "p" });
    expect(await thread.approve("p", { actor: ada })).toMatchObject({
      rejection: { code: "conflict", reason: "ambiguous", details: { versions: [2, 3] } },
    });
    expect(await thread.approve("p", { actor: ada, proposedAt: 2 })).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
    expect(await thread.approve("p", { actor: ada, proposedAt: 2 })).toMatchObject({
      rejection: { reason: "decided" },
    });
    expect(await thread.decline("p", { actor: sly })).toMatchObject({ accepted: true });
  });
});
