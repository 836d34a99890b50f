import {
  type Branch,
  type Commit,
  createReplica,
  memoryLog,
  openThread,
  type Proposal,
  type Rejection,
  replay,
  type Thread,
  threadTransport,
} from "@opstate/core";
import type { ThreadInfo } from "@opstate/core/log";
import type { BranchChange, Explanation, Merged } from "@opstate/core/thread";
import { describe, expectTypeOf, it } from "vitest";
import { ada, tally } from "./tally.ts";

interface Tally {
  readonly count: number;
  readonly names: readonly string[];
  readonly size: number;
}

describe("a thread and a replica of a definition", () => {
  it("have its state and its operations", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    expectTypeOf(thread.getState()).toEqualTypeOf<Tally>();
    expectTypeOf(await thread.stateAt(0)).toEqualTypeOf<Tally>();
    const replica = createReplica({ definition: tally, transport: threadTransport(thread, { actor: ada }) });
    expectTypeOf(replica.getState()).toEqualTypeOf<Tally>();
    expectTypeOf(replica.subscribe).parameter(0).parameter(0).toEqualTypeOf<Tally>();
    expectTypeOf(replay(tally, []).state).toEqualTypeOf<Tally>();
    expectTypeOf(thread).toExtend<Thread>();
  });

  it("give verdicts and commits whose operation is narrowed by its type", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const verdict = await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    if (verdict.accepted) {
      const operation = verdict.commit?.operation;
      if (operation?.type === "add") expectTypeOf(operation.by).toEqualTypeOf<number>();
    } else {
      expectTypeOf(verdict.rejection).toEqualTypeOf<Rejection>();
    }
    thread.onCommit((commit) => {
      expectTypeOf(commit).toExtend<Commit>();
      if (commit.operation.type === "name") expectTypeOf(commit.operation.name).toEqualTypeOf<string>();
    });
    // @ts-expect-error -- an actor is needed
    void thread.dispatch({ type: "add", by: 1 }, {});
  });

  it("give branches that are threads of the definition, with a parent", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const branch = await thread.branch(0, { id: "b" });
    expectTypeOf(branch).toEqualTypeOf<Branch<typeof tally>>();
    expectTypeOf(branch).toExtend<Thread<typeof tally>>();
    expectTypeOf(branch).toExtend<Branch>();
    expectTypeOf(branch.getState()).toEqualTypeOf<Tally>();
    expectTypeOf(branch.parent.version).toEqualTypeOf<number>();
    expectTypeOf(thread.parent?.version).toEqualTypeOf<number | undefined>();
    expectTypeOf(await thread.openBranch("b")).toEqualTypeOf<Branch<typeof tally> | undefined>();
    expectTypeOf(await thread.branches()).toEqualTypeOf<readonly ThreadInfo[]>();
  });

  it("give a branch's changes, and their merge, that are narrowed by their operations", async () => {
    const branch = {} as Branch<typeof tally>;
    const [change] = await branch.diff();
    expectTypeOf(change).toExtend<BranchChange | undefined>();
    if (change?.operation.type === "add") expectTypeOf(change.operation.by).toEqualTypeOf<number>();
    const [merged] = await branch.merge({ actor: ada, ids: ["x"], allows: (right) => right === "approve" });
    expectTypeOf(merged).toExtend<Merged | undefined>();
    if (merged?.verdict.accepted === false) expectTypeOf(merged.verdict.rejection).toEqualTypeOf<Rejection>();
    // @ts-expect-error -- the merger is needed
    void branch.merge({});
    // @ts-expect-error -- a thread that is no branch has no diff
    void ({} as Thread<typeof tally>).diff();
  });

  it("give proposals that are narrowed by their operations", async () => {
    const thread = {} as Thread<typeof tally>;
    const [proposal] = await thread.proposals();
    expectTypeOf(proposal).toExtend<Proposal | undefined>();
    if (proposal?.operation.type === "name") expectTypeOf(proposal.operation.name).toEqualTypeOf<string>();
    expectTypeOf(proposal?.stale).toEqualTypeOf<readonly string[] | undefined>();
    void thread.approve("p", { actor: ada, proposedAt: 1 });
  });

  it("give a past that is narrowed by its operations, and can be compacted", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t", compact: { keep: 10 } });
    expectTypeOf(await thread.explain("/count")).toExtend<Explanation | undefined>();
    const [entry] = await thread.history({ before: 9, order: "descending", limit: 1, rejections: true });
    if (entry?.kind === "commit" && entry.commit.operation.type === "add")
      expectTypeOf(entry.commit.operation.by).toEqualTypeOf<number>();
    // @ts-expect-error -- forwards or backwards
    void thread.history({ order: "up" });
    expectTypeOf(await thread.compact({ keep: 1 })).toEqualTypeOf<number>();
    void thread.compact({ before: 1 });
    // @ts-expect-error -- what is kept is a number of commits or a version
    void thread.compact({});
  });
});
