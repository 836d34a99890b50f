// Histories of operations that find their things by id, by position and by what is free, with undo,
// redo and restarts between them. After every step:
//
// - the log alone leads to the state, line by line, and leaves no rest;
// - a commit that was kept did the same to the same things as before, or it is in the verdict;
// - a refused undo changed nothing, a redo at once gives the very state.

import { type Actor, createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { isUndo, versionsIn } from "@opstate/core/log";
import type { UndoTarget } from "@opstate/core/thread";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareEffects, isEmpty, nameState } from "../../../src/engine/things/index.ts";
import { eventLoop, Pace } from "../../../src/thread/pace.ts";
import { readLines } from "../../../src/thread/undo/history.ts";
import { ada, type Board, boardWith, robot } from "./scenario-board.ts";

const board = boardWith();
const bob: Actor = { kind: "user", id: "bob" };
const actors = [ada, bob, robot];

const column = fc.constantFrom("todo", "done");
const id = fc.constantFrom(1, 2, 3, 4, 9, 10, 10, 11, 11, 12).map((number) => `T-${number}`);
const title = fc.constantFrom("a", "b", "c", "d", "e");
const position = fc.nat(3);
const update = fc.oneof(
  fc.record({ type: fc.constant("add"), column, title }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant("addComputed"), column, title, top: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("edit"), id, title }) },
  fc.record({ type: fc.constant("remove"), id }),
  fc.record({ type: fc.constant("removeAt"), column, index: position }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant("move"), id, to: column }) },
  fc.record({ type: fc.constant("move"), id, to: column, title }),
  fc.record({ type: fc.constant("moveMany"), ids: fc.array(id, { maxLength: 4 }), to: column }),
  fc.record({ type: fc.constant("clear"), column }),
  fc.record({ type: fc.constant("sort"), column }),
  fc.record({ type: fc.constant("rename"), title }),
  fc.constant({ type: "inc" }),
  fc.record({ type: fc.constant("count"), by: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ type: fc.constant("setRate"), rate: fc.nat(5) }),
  fc.constant({ type: "bill" }),
  fc.record({ type: fc.constant("assign"), job: title }),
  fc.constant({ type: "start" }),
  fc.record({ type: fc.constant("finish"), strict: fc.boolean() }),
  fc.record({ type: fc.constant("$replaceTitles"), title, position }),
);
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("dispatch" as const), who: fc.nat(2), run: fc.nat(3), update }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("undo" as const),
      what: fc.constantFrom("ids", "ids", "runId", "actor"),
      pick: fc.nat(20),
      onDependent: fc.constantFrom("refuse" as const, "refuse" as const, "drop" as const, "keep" as const),
      redo: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
);

/** A replacement that repeats most of the state. */
function replacement(state: Board, title: string, position: number) {
  const columns = state.columns.map((one) => ({
    ...one,
    cards: one.cards.map((card, at) => (at === position ? { ...card, title } : card)),
  }));
  return { type: "$replace", value: { ...state, columns } };
}

function hasEqualCards(state: unknown): boolean {
  const cards = (state as Board).columns.flatMap((one) => one.cards.map(({ id, title }) => `${id} ${title}`));
  return new Set(cards).size < cards.length;
}

describe("undo", () => {
  it("keeps to the things of what it keeps, and can be read from the log and redone", async () => {
    const seen = { undone: 0, refused: 0, dropped: 0, kept: 0, recomputed: 0, carried: 0, redone: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 30, size: "max" }), async (commands) => {
        const log = memoryLog();
        const open = () => openThread({ definition: board, log, threadId: "t", snapshotEvery: 7 });
        let thread = await open();
        let ids = 0;
        const nextId = () => `n${(ids += 1)}`;

        const check = async (): Promise<void> => {
          const commits = await log.read("t", { after: 0 });
          const lines = await readLines(
            { definition: board, branch: undefined, base: nameState(board.initial), commits },
            new Pace(eventLoop),
          );
          const now = lines.at(-1);
          expect(now?.end.state).toEqual(thread.getState());
          for (const { version, operation } of commits)
            if (isUndo(operation)) for (const line of lines) expect(line.effectOf(version)).toBeUndefined();
          const last = commits.at(-1);
          const before = lines.at(-2);
          if (last === undefined || !isUndo(last.operation) || before === undefined || now === undefined) return;
          const carried = new Set(versionsIn(last.operation.carried ?? []));
          const recomputed = new Set(versionsIn(last.operation.recomputed ?? []));
          for (const { version, effect } of now.steps) {
            // A redo goes back to what an earlier line has.
            const isRestored = lines.slice(0, -1).some((line) => line.effectOf(version) === effect);
            const recorded = before.effectOf(version);
            if (isRestored || recorded === undefined || isEmpty(recorded) || isEmpty(effect)) continue;
            const { likeness } = compareEffects(recorded, effect);
            // Which of two equal cards is which, the patches of a list do not say.
            const other = hasEqualCards(effect.after.state) ? ["other_values", "same"] : ["other_values"];
            if (recomputed.has(version)) expect(other).toContain(likeness);
            else if (!carried.has(version)) {
              // It did a part of it, when the rest of its things was undone.
              const first = lines.find((line) => line.effectOf(version) !== undefined)?.effectOf(version) ?? recorded;
              expect(["same", "less", compareEffects(first, effect).likeness === "same" && likeness]).toContain(
                likeness,
              );
            }
          }
        };

        for (const step of commands) {
          if (step.kind === "reopen") {
            await thread.close();
            thread = await open();
          } else if (step.kind === "dispatch") {
            const { update: given } = step;
            const sent =
              "position" in given
                ? replacement(thread.getState() as Board, given.title, given.position)
                : (given as { readonly type: string });
            const options = { actor: actors[step.who] ?? ada, id: nextId(), runId: `run-${step.run}` };
            await thread.dispatch(sent as Parameters<typeof thread.dispatch>[0], options);
          } else {
            const commits = await log.read("t", { after: 0 });
            const commit = commits[commits.length - 1 - (step.pick % Math.max(1, commits.length))];
            if (commit === undefined) continue;
            const target: UndoTarget =
              step.what === "ids"
                ? { ids: [commit.id] }
                : step.what === "runId"
                  ? { runId: commit.runId ?? "" }
                  : { actor: commit.actor };
            const before = thread.getState();
            const undo = nextId();
            const verdict = await thread.undo(target, { actor: ada, id: undo, onDependent: step.onDependent });
            if (!verdict.accepted) {
              seen.refused += 1;
              expect(verdict.rejection).toMatchObject({ code: "conflict", reason: "dependents" });
              expect(thread.getState()).toBe(before);
              continue;
            }
            const operation = verdict.commit?.operation;
            if (operation === undefined || !isUndo(operation)) continue;
            seen.undone += 1;
            if (operation.dropped !== undefined) seen.dropped += 1;
            if (operation.recomputed !== undefined) seen.recomputed += 1;
            if (operation.carried !== undefined) seen[step.onDependent === "keep" ? "kept" : "carried"] += 1;
            await check();
            if (!step.redo) continue;
            seen.redone += 1;
            expect(await thread.undo({ ids: [undo] }, { actor: ada, id: nextId() })).toMatchObject({ accepted: true });
            expect(thread.getState()).toEqual(before);
          }
        }
        await check();
        const replica = createReplica({
          definition: board,
          transport: threadTransport(thread, { actor: bob }),
          snapshot: { version: 0, state: board.initial },
        });
        await new Promise<void>((resolve) => {
          const settle = () => replica.sync.getState().version === thread.version && resolve();
          replica.sync.subscribe(settle);
          settle();
        });
        expect(replica.getState()).toEqual(thread.getState());
        replica.close();
      }),
      { numRuns: 120 },
    );
    // The harness must have met what it is for.
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(1);
  });
});
