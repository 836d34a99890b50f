// The oracle keeps what was accepted on the thread and on each branch, and folds what is not taken
// back from the start, every time anew. It knows the rules of a merge and says each verdict
// beforehand. Undo, redo, merges and restarts must agree with it after every step.

import { type Actor, type Branch, memoryLog, openThread, type Verdict } from "@opstate/core";
import { type ApproveOperation, type MergeOperation, type UndoOperation, versionsIn } from "@opstate/core/log";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../tally.ts";

type State = (typeof tally)["initial"];

interface Done {
  readonly version: number;
  readonly id: string;
  readonly author: Actor;
  readonly operation: { readonly type: string };
  readonly names: readonly number[] | undefined;
}

const notes = new Set(["$undo", "$propose", "$decline"]);

function carriedOut(operation: { readonly type: string }, actor: Actor): Pick<Done, "author" | "operation"> {
  switch (operation.type) {
    case "$merge": {
      const merged = operation as MergeOperation;
      return { author: merged.author, operation: merged.operation };
    }
    case "$approve": {
      const approved = operation as ApproveOperation;
      return { author: approved.proposer, operation: approved.operation };
    }
    default:
      return { author: actor, operation };
  }
}

/** What was done on one thread. */
class Course {
  readonly done: Done[] = [];
  readonly base: State;

  constructor(base: State) {
    this.base = base;
  }

  note(verdict: Verdict): void {
    if (!verdict.accepted || verdict.commit === undefined) return;
    const { version, id, actor, operation } = verdict.commit;
    if (this.done.some((entry) => entry.version === version)) return;
    const names = operation.type === "$undo" ? [...versionsIn((operation as UndoOperation).versions)] : undefined;
    this.done.push({ version, id, ...carriedOut(operation, actor), names });
  }

  counts(entry: Done, also: ReadonlySet<number> = new Set()): boolean {
    if (also.has(entry.version)) return false;
    return !this.done.some((undo) => undo.names?.includes(entry.version) === true && this.counts(undo, also));
  }

  /** What was done and counts, undos and notes aside. */
  operations(also?: ReadonlySet<number>): Done[] {
    return this.done.filter((entry) => !notes.has(entry.operation.type) && this.counts(entry, also));
  }

  fold(also?: ReadonlySet<number>): { state: State; refused: number } {
    let state = this.base;
    let refused = 0;
    for (const { operation } of this.operations(also)) {
      const step = tally.transition(state, operation);
      state = step.state;
      if (!step.accepted) refused += 1;
    }
    return { state, refused };
  }
}

interface Fork {
  branch: Branch<typeof tally>;
  readonly course: Course;
  /** The final verdict of each change that was merged. */
  readonly merged: Map<number, Verdict>;
}

const actors = [ada, bob, robot];
const name = fc.constantFrom("a", "b", "c");
const update = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 101 }).map((by) => ({ type: "add", by }) as const) },
  { weight: 4, arbitrary: name.map((name) => ({ type: "name", name }) as const) },
  { weight: 3, arbitrary: name.map((name) => ({ type: "unname", name }) as const) },
  { weight: 2, arbitrary: fc.constantFrom({ type: "reset" } as const, { type: "wipe" } as const) },
  {
    weight: 2,
    arbitrary: name.map(
      (name) => ({ type: "$batch", operations: [{ type: "wipe" }, { type: "name", name }] }) as const,
    ),
  },
);
const who = fc.nat(2);
const picks = fc.array(fc.nat(20), { minLength: 1, maxLength: 3 });
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("main" as const), who, update }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("branch" as const), who, update, at: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("branchUndo" as const), pick: fc.nat(20), at: fc.nat(5) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("merge" as const), who, at: fc.nat(5), picks: fc.option(picks) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("undo" as const), picks, drop: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("propose" as const), who, update }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("decide" as const), who, pick: fc.nat(5), approve: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fork" as const), from: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
);

/** Whether an agent may not use it, or needs approval for it. */
function limits({ operation }: Done): { readonly forbidden: boolean; readonly approval: boolean } {
  const parts =
    operation.type === "$batch" ? (operation as unknown as { operations: { type: string }[] }).operations : [operation];
  return { forbidden: parts.some(({ type }) => type === "reset"), approval: parts.some(({ type }) => type === "wipe") };
}

/** The code that a merge of this change gets before the reducer is asked, if any. */
function barred(change: Done, merger: Actor): string | undefined {
  const { forbidden, approval } = limits(change);
  const agent = merger.kind === "agent" || change.author.kind === "agent";
  if (forbidden && agent) return "forbidden";
  const approves = merger.kind === "user" && merger.id !== change.author.id;
  return approval && agent && !approves ? "needs_approval" : undefined;
}

describe("branches", () => {
  it("merge each change once and as the rules say, beside undo and redo, whatever happens in between", async () => {
    const seen = { merged: 0, again: 0, refused: 0, barred: 0, undone: 0, redone: 0, ofMerged: 0, approved: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60, size: "max" }), async (commands) => {
        const log = memoryLog();
        const open = () => openThread({ definition: tally, log, threadId: "t", snapshotEvery: 5 });
        let thread = await open();
        const main = new Course(tally.initial);
        const forks: Fork[] = [];
        let ids = 0;
        const next = () => `n${(ids += 1)}`;
        const actorOf = (index: number) => actors[index] ?? ada;
        const fork = async (version: number) => {
          const base = await thread.stateAt(version);
          forks.push({ branch: await thread.branch(version), course: new Course(base), merged: new Map() });
        };
        await fork(0);

        for (const step of commands) {
          const at = "at" in step ? forks[step.at % forks.length] : undefined;
          if (step.kind === "main")
            main.note(await thread.dispatch(step.update, { actor: actorOf(step.who), id: next() }));
          else if (step.kind === "branch")
            at?.course.note(await at.branch.dispatch(step.update, { actor: actorOf(step.who), id: next() }));
          else if (step.kind === "propose")
            main.note(await thread.propose(step.update, { actor: actorOf(step.who), id: next() }));
          else if (step.kind === "decide") {
            const open = await thread.proposals();
            const chosen = open[step.pick % Math.max(1, open.length)];
            if (chosen !== undefined) {
              const verdict = await (step.approve ? thread.approve : thread.decline)(chosen.id, {
                actor: actorOf(step.who),
                id: next(),
              });
              if (step.approve && verdict.accepted) {
                expect(chosen).not.toHaveProperty("rejection");
                expect(chosen.stale).toEqual([]);
                seen.approved += 1;
              }
              main.note(verdict);
            }
          } else if (step.kind === "branchUndo") {
            const entry = at?.course.done[step.pick % Math.max(1, at.course.done.length)];
            if (at !== undefined && entry !== undefined)
              at.course.note(
                await at.branch.undo({ ids: [entry.id] }, { actor: ada, id: next(), onDependent: "drop" }),
              );
          } else if (step.kind === "fork") {
            if (forks.length < 4) await fork(step.from % (thread.version + 1));
          } else if (step.kind === "reopen") {
            await thread.close();
            thread = await open();
            for (const one of forks) {
              const found = await thread.openBranch(one.branch.threadId);
              expect(found).toBeDefined();
              if (found !== undefined) one.branch = found;
            }
          } else if (step.kind === "merge" && at !== undefined) {
            const merger = actorOf(step.who);
            const changes = at.course.operations();
            const ids = step.picks?.flatMap((pick) => changes[pick % Math.max(1, changes.length)]?.id ?? []);
            const chosen = changes.filter(({ id }) => ids === undefined || ids.includes(id));
            let { state } = main.fold();
            let { version } = thread;
            const expected = chosen.map((change) => {
              const known = at.merged.get(change.version);
              if (known !== undefined) {
                seen.again += 1;
                return known;
              }
              const code = barred(change, merger);
              const taken = tally.transition(state, change.operation);
              if (code !== undefined) {
                seen.barred += 1;
                return { accepted: false, code };
              }
              if (!taken.accepted) {
                seen.refused += 1;
                return { accepted: false, code: taken.rejection.code };
              }
              state = taken.state;
              if (taken.patches.length > 0) version += 1;
              seen.merged += 1;
              return { accepted: true, version };
            });
            const merged = await at.branch.merge({
              actor: merger,
              ...(ids === undefined || ids.length === 0 ? {} : { ids }),
            });
            expect(merged.map(({ id }) => id)).toEqual(chosen.map(({ id }) => id));
            for (const [index, { verdict, version: change = 0 }] of merged.entries()) {
              const said = expected[index];
              if (said !== undefined && "code" in said)
                expect(verdict).toMatchObject({ accepted: false, rejection: { code: said.code } });
              else if (at.merged.has(change)) expect(verdict).toEqual(said);
              else expect(verdict).toMatchObject(said ?? {});
              if (verdict.accepted) at.merged.set(change, verdict);
              main.note(verdict);
            }
          } else if (step.kind === "undo" && main.done.length > 0) {
            const targets = step.picks.flatMap(
              (pick) => main.done[main.done.length - 1 - (pick % main.done.length)] ?? [],
            );
            const set = new Set(targets.map(({ version }) => version));
            const expected = main.fold(set);
            const verdict = await thread.undo(
              { ids: targets.map(({ id }) => id) },
              { actor: ada, id: next(), onDependent: step.drop ? "drop" : "refuse" },
            );
            if (targets.every((entry) => !main.counts(entry)))
              expect(verdict).toMatchObject({ accepted: true, version: thread.version });
            else if (expected.refused > 0 && !step.drop)
              expect(verdict).toMatchObject({ rejection: { reason: "dependents" } });
            else {
              expect(verdict.accepted).toBe(true);
              expect(thread.getState()).toEqual(expected.state);
              seen.undone += 1;
              if (targets.some(({ names }) => names !== undefined)) seen.redone += 1;
              if (targets.some(({ id }) => id.startsWith("merge-"))) seen.ofMerged += 1;
            }
            main.note(verdict);
          }
          expect({ state: thread.getState(), refused: 0 }).toEqual(main.fold());
          // A proposal is open until it is decided or taken back.
          const proposed = main.done.filter((entry) => entry.operation.type === "$propose" && main.counts(entry));
          const decided = new Set(
            (await thread.history()).flatMap((entry) =>
              entry.kind === "commit" && "proposedAt" in entry.commit.operation
                ? [entry.commit.operation.proposedAt]
                : [],
            ),
          );
          const expectedOpen = proposed.filter(({ version }) => !decided.has(version)).map(({ version }) => version);
          expect((await thread.proposals()).map(({ version }) => version)).toEqual(expectedOpen);
          expect(main.done.map(({ version }) => version)).toEqual(
            Array.from({ length: thread.version }, (_, index) => index + 1),
          );
          for (const { branch, course } of forks)
            expect({ state: branch.getState(), refused: 0 }).toEqual(course.fold());
        }
        for (const { branch, course, merged } of forks) {
          const diff = await branch.diff();
          expect(diff.map(({ version, actor }) => [version, actor.id])).toEqual(
            course.operations().map(({ version, author }) => [version, author.id]),
          );
          for (const change of diff) expect(change.merged).toBe(merged.get(change.version)?.version);
        }
      }),
      { numRuns: 150 },
    );
    // The harness must have met what it is for.
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(10);
  });
});
