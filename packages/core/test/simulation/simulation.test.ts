// The simulation over many seeds, on all cores, and runs in which it once found a fault, of the
// product or of its oracle.

import { expect, it } from "vitest";
import { describeFound } from "./search/found.ts";
import type { Edit, Step } from "./plan.ts";
import { runs } from "../../../../tools/runs.ts";
import { searchInProcesses } from "./search/search-in-processes.ts";
import { simulate } from "./simulate.ts";

/** `tools/soaks/simulate.ts` runs any number of them. */
const RUNS = runs(5_000, 50_000);

it(
  `${RUNS} runs of three replicas and an agent keep every law at every step, while lines, logs and processes fail`,
  { timeout: RUNS * 200 + 60_000 },
  async () => {
    const found = await searchInProcesses({ first: 1, runs: RUNS });
    expect(found === undefined ? "nothing found" : describeFound(found)).toBe("nothing found");
  },
);

it("a page's edit of a merged card is done on the same card when it is undone and merged again", async () => {
  const steps: readonly Step[] = [
    { do: "branch", at: 1, back: 4 },
    { do: "edit", who: 2, edit: { update: { type: "add", by: 54 } }, expects: false },
    { do: "agent", at: 1, on: "branch", edit: { card: "put", at: 3 }, id: "new" },
    { do: "down", who: 2, at: 0, keep: false },
    { do: "merge", at: 0, part: 1 },
    { do: "down", who: 2, at: 0, keep: true },
    { do: "undo", at: 0, on: "thread", by: "reviewer", what: 0, onDependent: "drop", id: "of another" },
    { do: "edit", who: 2, edit: { card: "writeOn", at: 0 }, expects: false },
    { do: "lose", who: 2, way: "down", at: 0 },
    { do: "merge", at: 0, part: 5 },
    { do: "down", who: 2, at: 0, keep: false },
    { do: "down", who: 2, at: 0, keep: false },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("a merge by a process that is behind the version of the fork removes the card that the branch removed", async () => {
  const batch: Edit = {
    update: {
      type: "$batch",
      operations: [
        { type: "add", by: 1 },
        { type: "name", name: "d" },
      ],
    },
  };
  const steps: readonly Step[] = [
    { do: "edit", who: 0, edit: { card: "put", at: 0 }, expects: false },
    { do: "edit", who: 0, edit: { card: "put", at: 0 }, expects: false },
    { do: "down", who: 0, at: 2, keep: false },
    { do: "up", who: 0, at: 0, keep: true },
    { do: "edit", who: 0, edit: batch, expects: false },
    { do: "agent", at: 1, on: "branch", edit: batch, id: "new" },
    { do: "up", who: 0, at: 4, keep: false },
    { do: "branch", at: 0, back: 0 },
    { do: "agent", at: 0, on: "branch", edit: { card: "drop", at: 0 }, id: "new" },
    { do: "merge", at: 1, part: "all" },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("a batch that is kept by its recorded effect sets the count that it was recorded with", async () => {
  const robot = (edit: Edit): Step => ({ do: "agent", at: 1, on: "branch", edit, id: "new" });
  const undo = (what: number): Step => ({
    do: "undo",
    at: 1,
    on: "thread",
    by: "reviewer",
    what,
    onDependent: "keep",
    id: "new",
  });
  const steps: readonly Step[] = [
    { do: "branch", at: 1, back: 3 },
    robot({
      update: {
        type: "$batch",
        operations: [
          { type: "add", by: 1 },
          { type: "name", name: "d" },
        ],
      },
    }),
    robot({ card: "put", at: 0 }),
    { do: "merge", at: 0, part: 2 },
    { do: "merge", at: 0, part: 3 },
    robot({ card: "writeOn", at: 3 }),
    undo(1),
    robot({ mark: true }),
    { do: "merge", at: 1, part: "all" },
    undo(3),
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("an edit of a page that is reloaded before it has the state of another thread is sent to that without a basis", async () => {
  const steps: readonly Step[] = [
    { do: "down", who: 0, at: 0, keep: false },
    { do: "agent", at: 0, on: "thread", edit: { mark: true }, id: "new" },
    { do: "down", who: 0, at: 0, keep: false },
    { do: "edit", who: 0, edit: { mark: true }, expects: false },
    { do: "replaced", again: false },
    { do: "crash", at: 0, outcome: "lost" },
    { do: "restore", who: 0 },
    { do: "reload", who: 0, keeps: true, primed: false },
    { do: "down", who: 0, at: 2, keep: true },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("an edit at a position is done on the thread that came after at what is there, whose version is the same", async () => {
  const steps: readonly Step[] = [
    { do: "down", who: 1, at: 0, keep: false },
    { do: "edit", who: 1, edit: { card: "put", at: 2 }, expects: false },
    { do: "up", who: 1, at: 0, keep: true },
    { do: "down", who: 1, at: 1, keep: false },
    { do: "replaced", again: true },
    { do: "edit", who: 1, edit: { card: "put", at: 2 }, expects: false },
    { do: "branch", at: 1, back: 0 },
    { do: "edit", who: 1, edit: { card: "write", at: 0 }, expects: false },
    { do: "restore", who: 1 },
    { do: "down", who: 1, at: 0, keep: false },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("a card of a state that the page was given is another one when it is undone and merged again", async () => {
  const steps: readonly Step[] = [
    { do: "branch", at: 0, back: 0 },
    { do: "agent", at: 1, on: "branch", edit: { card: "put", at: 3 }, id: "new" },
    { do: "merge", at: 0, part: 11 },
    { do: "reload", who: 0, keeps: false, primed: true },
    { do: "undo", at: 0, on: "thread", by: "reviewer", what: "all", onDependent: "refuse", id: "of another" },
    { do: "edit", who: 0, edit: { card: "drop", at: 0 }, expects: false },
    { do: "merge", at: 0, part: "all" },
    { do: "down", who: 0, at: 0, keep: false },
    { do: "down", who: 0, at: 0, keep: false },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("a card whose creation was undone, merged again and redone keeps what was written on it", async () => {
  const steps: readonly Step[] = [
    { do: "branch", at: 1, back: 0 },
    { do: "agent", at: 0, on: "branch", edit: { card: "put", at: 3 }, id: "new" },
    { do: "agent", at: 1, on: "branch", edit: { card: "write", at: 0 }, id: "new" },
    { do: "merge", at: 0, part: "all" },
    { do: "undo", at: 1, on: "thread", by: "reviewer", what: 3, onDependent: "keep", id: "new" },
    { do: "merge", at: 0, part: 2 },
    { do: "merge", at: 0, part: 3 },
    { do: "undo", at: 1, on: "thread", by: "reviewer", what: 1, onDependent: "refuse", id: "new" },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

/** Adds to the count and to the names, in one batch. */
const edit: Edit = {
  update: {
    type: "$batch",
    operations: [
      { type: "add", by: 1 },
      { type: "name", name: "a" },
    ],
  },
};

it("a batch that is merged by its recorded effect sets the count that was recorded", async () => {
  const steps: readonly Step[] = [
    { do: "branch", at: 0, back: 0 },
    { do: "agent", at: 1, on: "branch", edit, id: "new" },
    { do: "undo", at: 0, on: "branch", by: "agent", what: 3, onDependent: "drop", id: "new" },
    { do: "agent", at: 1, on: "branch", edit, id: "new" },
    { do: "undo", at: 1, on: "branch", by: "reviewer", what: 1, onDependent: "keep", id: "new" },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("a batch that an undo kept, and whose count was the recorded one already, is merged without the count", async () => {
  const steps: readonly Step[] = [
    { do: "branch", at: 0, back: 0 },
    { do: "agent", at: 1, on: "branch", edit, id: "new" },
    { do: "undo", at: 1, on: "branch", by: "reviewer", what: 2, onDependent: "drop", id: "of another" },
    { do: "agent", at: 0, on: "branch", edit, id: "new" },
    { do: "undo", at: 1, on: "branch", by: "reviewer", what: 1, onDependent: "keep", id: "new" },
    { do: "agent", at: 0, on: "thread", edit: { update: { type: "add", by: 15 } }, id: "new" },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("of a name that an undo put on the list twice, a merge removes one", async () => {
  const steps: readonly Step[] = [
    { do: "branch", at: 1, back: 0 },
    { do: "agent", at: 1, on: "branch", edit: { update: { type: "name", name: "b" } }, id: "new" },
    { do: "merge", at: 1, part: 1 },
    { do: "undo", at: 1, on: "thread", by: "reviewer", what: "all", onDependent: "drop", id: "new" },
    { do: "branch", at: 1, back: 1 },
    { do: "discard", at: 0 },
    { do: "agent", at: 1, on: "branch", edit: { mark: true }, id: "new" },
    { do: "doorbell" },
    { do: "merge", at: 0, part: "all" },
    { do: "agent", at: 1, on: "thread", edit: { update: { type: "name", name: "c" } }, id: "new" },
    { do: "agent", at: 1, on: "branch", edit: { update: { type: "unname", name: "b" } }, id: "new" },
    { do: "undo", at: 1, on: "thread", by: "reviewer", what: 3, onDependent: "keep", id: "new" },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});

it("a batch of which an undo carried a part does all of it again when the rest is free", async () => {
  const steps: readonly Step[] = [
    { do: "branch", at: 0, back: 0 },
    { do: "agent", at: 1, on: "branch", edit, id: "new" },
    { do: "merge", at: 0, part: 5 },
    { do: "edit", who: 2, edit, expects: false },
    { do: "undo", at: 0, on: "thread", by: "reviewer", what: 2, onDependent: "refuse", id: "new" },
    { do: "down", who: 2, at: 0, keep: false },
    { do: "up", who: 2, at: 0, keep: false },
    { do: "undo", at: 1, on: "thread", by: "reviewer", what: 2, onDependent: "keep", id: "new" },
    { do: "undo", at: 1, on: "thread", by: "reviewer", what: "all", onDependent: "keep", id: "new" },
  ];
  await expect(simulate(steps)).resolves.toBeUndefined();
});
