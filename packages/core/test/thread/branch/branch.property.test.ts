// The oracle keeps what was accepted on the thread and on each branch, and knows the rules of a
// merge: who may, what needs approval, that each change is merged once until it is undone.
// Undo, redo, merges and restarts must agree with it after every step, and the logs alone must lead
// to the states, line by line. (To which things a merge does what, `same-thing` says.)

import { type Actor, type Branch, type Log, memoryLog, openThread, type Verdict } from "@opstate/core";
import { type ApproveOperation, type MergeOperation, type UndoOperation, versionsIn } from "@opstate/core/log";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameState } from "../../../src/engine/things/index.ts";
import { eventLoop, Pace } from "../../../src/thread/pace.ts";
import { readLines } from "../../../src/thread/undo/history.ts";
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

  /** The state that the log leads to: the line that counts, with no rest. */
  async read(log: Log, threadId: string, branch?: string): Promise<unknown> {
    const commits = await log.read(threadId, { after: 0 });
    const base = nameState(this.base);
    const lines = await readLines({ definition: tally, branch, base, commits }, new Pace(eventLoop));
    for (const { version, operation } of commits)
      if (operation.type === "$undo") for (const line of lines) expect(line.effectOf(version)).toBeUndefined();
    return lines.at(-1)?.end.state;
  }
}

interface Fork {
  branch: Branch<typeof tally>;
  readonly course: Course;
  /** The accepted verdicts of each change. */
  readonly merged: Map<number, readonly Verdict[]>;
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

/** The code that a merge of this change gets before the reducer is called, if any. */
function barred(change: Done, merger: Actor): string | undefined {
  const { forbidden, approval } = limits(change);
  const agent = merger.kind === "agent" || change.author.kind === "agent";
  if (forbidden && agent) return "forbidden";
  const approves = merger.kind === "user" && merger.id !== change.author.id;
  return approval && agent && !approves ? "needs_approval" : undefined;
}

/** Of the verdicts of a change, the newest whose merge was not undone on the parent. */
function inForce(main: Course, verdicts: readonly Verdict[] = []): Verdict | undefined {
  return verdicts.findLast((verdict) => {
    if (!verdict.accepted || verdict.commit === undefined) return true;
    const entry = main.done[verdict.version - 1];
    return entry !== undefined && main.counts(entry);
  });
}

describe("branches", () => {
  it("merge each change once and as the rules say, beside undo and redo, whatever happens in between", async () => {
    const seen = {
      merged: 0,
      again: 0,
      mergedAgain: 0,
      refused: 0,
      barred: 0,
      undone: 0,
      redone: 0,
      ofMerged: 0,
      approved: 0,
    };
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
            const expected = chosen.map((change) => {
              const known = inForce(main, at.merged.get(change.version));
              if (known !== undefined) seen.again += 1;
              return known ?? barred(change, merger);
            });
            const merged = await at.branch.merge({
              actor: merger,
              ...(ids === undefined || ids.length === 0 ? {} : { ids }),
            });
            expect(merged.map(({ id }) => id)).toEqual(chosen.map(({ id }) => id));
            for (const [index, { verdict, version: change = 0 }] of merged.entries()) {
              const said = expected[index];
              if (typeof said === "string") {
                seen.barred += 1;
                expect(verdict).toMatchObject({ accepted: false, rejection: { code: said } });
              } else if (said !== undefined) expect(verdict).toEqual(said);
              else if (verdict.accepted) {
                seen.merged += 1;
                if (at.merged.has(change)) seen.mergedAgain += 1;
              } else {
                seen.refused += 1;
                expect(["refused", "conflict"]).toContain(verdict.rejection.code);
              }
              if (verdict.accepted && typeof said !== "object")
                at.merged.set(change, [...(at.merged.get(change) ?? []), verdict]);
              main.note(verdict);
            }
          } else if (step.kind === "undo" && main.done.length > 0) {
            const targets = step.picks.flatMap(
              (pick) => main.done[main.done.length - 1 - (pick % main.done.length)] ?? [],
            );
            const verdict = await thread.undo(
              { ids: targets.map(({ id }) => id) },
              { actor: ada, id: next(), onDependent: step.drop ? "drop" : "refuse" },
            );
            if (targets.every((entry) => !main.counts(entry)))
              expect(verdict).toMatchObject({ accepted: true, version: thread.version });
            else if (!verdict.accepted) {
              expect(step.drop).toBe(false);
              expect(verdict).toMatchObject({ rejection: { code: "conflict", reason: "dependents" } });
            } else {
              seen.undone += 1;
              if (targets.some(({ names }) => names !== undefined)) seen.redone += 1;
              if (targets.some(({ id }) => id.startsWith("merge-"))) seen.ofMerged += 1;
            }
            main.note(verdict);
          }
          if (step.kind === "undo") expect(thread.getState()).toEqual(await main.read(log, "t"));
          // A proposal is open until it is decided or withdrawn.
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
          if (at !== undefined && step.kind === "branchUndo")
            expect(at.branch.getState()).toEqual(await at.course.read(log, at.branch.threadId, at.branch.incarnation));
        }
        expect(thread.getState()).toEqual(await main.read(log, "t"));
        for (const { branch, course, merged } of forks) {
          const diff = await branch.diff();
          expect(diff.map(({ version, actor }) => [version, actor.id])).toEqual(
            course.operations().map(({ version, author }) => [version, author.id]),
          );
          for (const change of diff) expect(change.merged).toBe(inForce(main, merged.get(change.version))?.version);
        }
      }),
      { numRuns: 80 },
    );
    // The harness must have met what it is for.
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(3);
  });
});
