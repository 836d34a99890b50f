// The authority decides what an actor may do, whichever way an operation comes to it.

import { type Actor, defined, defineState, memoryLog, openThread, type OperationOf } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, robot, tally } from "../thread/tally.ts";

const hook: Actor = { kind: "webhook", id: "ci" };

function note(replace?: { readonly allow?: readonly string[]; readonly approve?: readonly string[] }) {
  return defineState({
    name: "note",
    schema: z.object({ text: z.string() }),
    initial: { text: "" },
    patches: true,
    ...defined({ replace }),
    operations: {},
  });
}
const openNote = (replace?: Parameters<typeof note>[0]) =>
  openThread({ definition: note(replace), log: memoryLog(), threadId: "n" });
const open = () => openThread({ definition: tally, log: memoryLog(), threadId: "t" });
const patch = { type: "$patch", patch: [{ op: "replace", path: "/text", value: "patched" }] };

describe("a batch", () => {
  const batch = (...operations: OperationOf<typeof tally>[]) => ({ type: "$batch", operations }) as const;
  const add = { type: "add", by: 1 } as const;

  it("needs the permission of every part and the strictest approval", async () => {
    const thread = await open();
    expect(await thread.dispatch(batch(add, { type: "reset" }), { actor: robot })).toMatchObject({
      rejection: { code: "forbidden", path: "/operations/1" },
    });
    expect(await thread.dispatch(batch(add, { type: "wipe" }), { actor: robot })).toMatchObject({
      rejection: { code: "needs_approval" },
    });
    // Forbidden is stricter than in need of approval, whatever the order of the parts.
    expect(await thread.dispatch(batch({ type: "wipe" }, { type: "reset" }), { actor: robot })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(thread.version).toBe(0);
    expect(await thread.dispatch(batch(add, { type: "wipe" }), { actor: ada })).toMatchObject({ accepted: true });
  });

  it("cannot be proposed by an actor who may not use one of its parts", async () => {
    const thread = await open();
    expect(await thread.propose(batch(add, { type: "reset" }), { actor: robot })).toMatchObject({
      rejection: { code: "forbidden" },
    });
  });

  it("cannot be approved by an actor who would need approval for one of its parts", async () => {
    const thread = await open();
    expect(await thread.propose(batch(add, { type: "wipe" }), { actor: robot, id: "p" })).toMatchObject({
      accepted: true,
    });
    expect(await thread.approve("p", { actor: robot, allows: () => true })).toMatchObject({
      rejection: { code: "forbidden" },
    });
  });

  it("is merged with the permission and approval of every part", async () => {
    const thread = await open();
    const branch = await thread.branch();
    await branch.dispatch(batch(add, { type: "wipe" }), { actor: robot, id: "b" });
    expect(await branch.merge({ actor: robot })).toMatchObject([
      { verdict: { rejection: { code: "needs_approval" } } },
    ]);
    expect(await branch.merge({ actor: ada })).toMatchObject([{ verdict: { accepted: true } }]);
  });
});

describe("a replacement", () => {
  it("is for agents and the system by default", async () => {
    const thread = await openNote();
    expect(await thread.dispatch({ text: "a" }, { actor: ada })).toMatchObject({ rejection: { code: "forbidden" } });
    expect(await thread.dispatch({ text: "a" }, { actor: robot })).toMatchObject({ accepted: true });
    expect(await thread.dispatch({ text: "b" }, { actor: { kind: "system", id: "sync" } })).toMatchObject({
      accepted: true,
    });
  });

  const forPeople = { allow: ["user", "agent"], approve: ["agent"] };

  it("is for the kinds of actors that the definition allows", async () => {
    const thread = await openNote(forPeople);
    expect(await thread.dispatch({ text: "a" }, { actor: ada })).toMatchObject({ accepted: true });
    expect(await thread.dispatch({ text: "b" }, { actor: hook })).toMatchObject({ rejection: { code: "forbidden" } });
  });

  it("is approved by a person when the definition says that the actor needs it", async () => {
    const thread = await openNote(forPeople);
    expect(await thread.dispatch({ text: "b" }, { actor: robot })).toMatchObject({
      rejection: { code: "needs_approval" },
    });
    await thread.propose({ text: "b" }, { actor: robot, id: "p" });
    expect(await thread.approve("p", { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ text: "b" });
  });

  it("has its rule applied to patches", async () => {
    const thread = await openNote(forPeople);
    expect(await thread.dispatch(patch, { actor: hook })).toMatchObject({
      rejection: { code: "forbidden", operation: { type: "$patch" } },
    });
    expect(await thread.dispatch(patch, { actor: robot })).toMatchObject({ rejection: { code: "needs_approval" } });
  });

  it("has its rule applied to patches on a branch, and again when they are merged", async () => {
    const thread = await openNote(forPeople);
    const branch = await thread.branch();
    expect(await branch.dispatch(patch, { actor: hook })).toMatchObject({ rejection: { code: "forbidden" } });
    expect(await branch.dispatch(patch, { actor: robot })).toMatchObject({ accepted: true });
    expect(await branch.merge({ actor: { kind: "agent", id: "other" } })).toMatchObject([
      { verdict: { rejection: { code: "needs_approval" } } },
    ]);
    expect(await branch.merge({ actor: hook, allows: () => true })).toMatchObject([
      { verdict: { rejection: { code: "forbidden" } } },
    ]);
    expect(await branch.merge({ actor: ada })).toMatchObject([{ verdict: { accepted: true } }]);
    expect(thread.getState()).toEqual({ text: "patched" });
  });
});

describe("opstate's own operations", () => {
  it("cannot be sent as updates", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "a" });
    for (const type of ["$undo", "$merge", "$approve", "$propose", "$decline", "$migrate"]) {
      const forged = {
        type,
        ids: ["a"],
        versions: [1],
        proposal: "a",
        proposedAt: 1,
        author: ada,
        operation: { type: "reset" },
      };
      expect(await thread.submit(forged, { actor: robot })).toMatchObject({
        rejection: { code: "unknown_operation" },
      });
      expect(await thread.propose(forged as never, { actor: robot })).toMatchObject({
        rejection: { code: "unknown_operation" },
      });
    }
    expect(thread.version).toBe(1);
  });
});
