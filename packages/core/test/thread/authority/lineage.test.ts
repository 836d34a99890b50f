// What it costs to know the things of older versions: each commit is followed about once, whatever
// the order in which versions are requested.

import { defineState, type Log, memoryLog, openThread, type Verdict } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { nameState, sizeOf, slotsOf } from "../../../src/engine/things/index.ts";
import { HeldNames, SharedSlots } from "../../../src/thread/authority/held-names.ts";

const ada = { kind: "user", id: "ada" };

const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string() })) }),
  initial: { notes: [] },
  replace: { allow: ["user"] },
  operations: {
    writeOnTop: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }, { id }) {
        draft.notes.unshift({ id: id("N-"), text });
      },
    },
    editAt: {
      input: z.object({ at: z.int(), text: z.string() }),
      apply(draft, { at, text }) {
        const note = draft.notes[at];
        if (note) note.text = text;
      },
    },
  },
});

/** A log that counts the commits that are read from it. */
function counting(log: Log): { readonly log: Log; read: number } {
  const counter = {
    read: 0,
    log: {
      ...log,
      async read(...given: Parameters<Log["read"]>) {
        const commits = await log.read(...given);
        counter.read += commits.length;
        return commits;
      },
    },
  };
  return counter;
}

async function written(count: number) {
  const counter = counting(memoryLog());
  const thread = await openThread({ definition: notes, log: counter.log, threadId: "t" });
  for (let index = 1; index <= count; index++)
    await thread.dispatch(notes.op.writeOnTop({ text: `${index}` }), { actor: ada });
  const texts = () => thread.getState().notes.map(({ text }) => text);
  return { thread, counter, texts };
}

const reasonOf = (verdict: Verdict) => (verdict.accepted ? undefined : verdict.rejection.reason);

it("follows each commit about once, when pages come back with edits of many versions", async () => {
  const { thread, counter, texts } = await written(400);
  counter.read = 0;
  for (const basedOn of [10, 300, 12, 11, 301, 200, 10, 13]) {
    const things = [`/notes/${basedOn - 1}`];
    // The oldest note of all, by its place then, and by its place now.
    const verdict = await thread.dispatch(notes.op.editAt({ at: 399, text: `from ${basedOn}` }), {
      actor: ada,
      basedOn,
      things,
    });
    expect(verdict.accepted).toBe(true);
    expect(texts()[399]).toBe(`from ${basedOn}`);
  }
  expect(counter.read).toBeLessThan(1_000);
});

it("knows the same thing by versions that are requested in any order", async () => {
  const { thread, texts } = await written(200);
  for (const basedOn of [150, 20, 100, 60, 21, 199]) {
    const other = await thread.dispatch(notes.op.editAt({ at: 0, text: "?" }), {
      actor: ada,
      basedOn,
      things: ["/notes/0"],
    });
    expect(reasonOf(other)).toBe("other_thing");
    const own = { at: 200 - basedOn, text: `${basedOn} again` };
    const verdict = await thread.dispatch(notes.op.editAt(own), { actor: ada, basedOn, things: ["/notes/0"] });
    expect(verdict.accepted).toBe(true);
    expect(texts()[200 - basedOn]).toBe(`${basedOn} again`);
  }
});

it("knows them also where the states are so large that few are kept, a batch of many at once too", async () => {
  const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
  const many = Array.from({ length: 30_000 }, (_, index) => ({ id: `N-${index}`, text: "" }));
  await thread.dispatch({ type: "$replace", value: { notes: many } }, { actor: ada });
  for (let count = 0; count < 60; count++)
    await thread.dispatch(notes.op.writeOnTop({ text: `${count}` }), { actor: ada, basedOn: thread.version });
  const edit = (basedOn: number, at: number) =>
    thread.dispatch(notes.op.editAt({ at, text: `from ${basedOn}` }), { actor: ada, basedOn, things: ["/notes/0"] });
  // The note on top at a version, all of them in one batch.
  const versions = Array.from({ length: 45 }, (_, index) => 2 + ((index * 37) % 59));
  const verdicts = await Promise.all(versions.flatMap((version) => [edit(version, 61 - version), edit(version, 0)]));
  expect(verdicts.map(reasonOf)).toEqual(versions.flatMap(() => [undefined, "other_thing"]));
  // And one after another, first the newest.
  for (const version of [55, 30, 3]) expect(reasonOf(await edit(version, 61 - version))).toBeUndefined();
});

describe("the versions that are cached", () => {
  const named = (version: number) => nameState({ version });

  it("are those that were requested last, as many as fit", () => {
    const held = new HeldNames(new SharedSlots(100));
    for (let version = 1; version <= 10; version++) held.hold(version, named(version), 10);
    expect(held.at(1)?.state).toEqual({ version: 1 });
    held.hold(11, named(11), 10);
    expect([held.at(1), held.at(2)].map((one) => one !== undefined)).toEqual([true, false]);
    held.hold(12, named(12), 90);
    expect([10, 11, 1, 12].map((version) => held.at(version) !== undefined)).toEqual([false, false, true, true]);
    expect(held.nearest(11)?.version).toBe(1);
  });

  it("are in any case those that are needed now, and the newest", () => {
    const held = new HeldNames(new SharedSlots(100));
    held.need(new Set([1, 2]));
    for (const version of [1, 2, 3, 4]) held.hold(version, named(version), 200);
    expect([1, 2, 3, 4].map((version) => held.at(version) !== undefined)).toEqual([true, true, false, true]);
    held.need(new Set());
    held.hold(5, named(5), 1);
    expect([1, 2, 4, 5].map((version) => held.at(version) !== undefined)).toEqual([false, false, false, true]);
  });

  it("are no more than 1,024, however small", () => {
    const held = new HeldNames();
    for (let version = 1; version <= 1_025; version++) held.hold(version, named(version), 1);
    expect([held.at(1), held.at(2)].map((one) => one !== undefined)).toEqual([false, true]);
  });

  it("are fewer where others hold some: the one that was idle for longest makes room", () => {
    const shared = new SharedSlots(100);
    const [idle, busy, other] = [new HeldNames(shared), new HeldNames(shared), new HeldNames(shared)];
    for (const version of [1, 2, 3, 4]) idle.hold(version, named(version), 20);
    busy.hold(1, named(1), 20);
    idle.need(new Set([3]));
    busy.hold(2, named(2), 20);
    const heldBy = (held: HeldNames) => [1, 2, 3, 4].filter((version) => held.at(version) !== undefined);
    expect([heldBy(idle), heldBy(busy)]).toEqual([
      [2, 3, 4],
      [1, 2],
    ]);
    busy.hold(3, named(3), 40);
    // What is needed stays.
    expect([heldBy(idle), heldBy(busy)]).toEqual([[3], [1, 2, 3]]);
    busy.hold(4, named(4), 40);
    expect([heldBy(idle), heldBy(busy)]).toEqual([[3], [3, 4]]);
    idle.clear();
    for (const version of [1, 2]) other.hold(version, named(version), 30);
    expect([heldBy(busy), heldBy(other)]).toEqual([[4], [1, 2]]);
  });

  it("count what their commits made anew", () => {
    const state = { list: [{ text: "a" }, { text: "b" }], other: { a: 1 } };
    expect(slotsOf([{ op: "replace", path: "/list/1/text", value: "b" }], state)).toBe(2 * 3 + 2 * 2 + 3);
    expect(
      slotsOf(
        [
          { op: "add", path: "/list/2", value: { text: "c" } },
          { op: "remove", path: "/list/2" },
        ],
        state,
      ),
    ).toBe(3 + 2 * 3 + 2 * 2);
    expect(slotsOf([{ op: "replace", path: "", value: state }], state)).toBe(sizeOf(state));
    expect(sizeOf(state)).toBe(6 + 2 + 3 + 3 + 3);
  });
});
