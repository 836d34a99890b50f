// The calls of a thread for branches: making one, opening one again, and the merge that a branch
// requests.

import { defined } from "../../defined.ts";
import { OpstateError } from "../../error.ts";
import { Branches, type Parent } from "./branch.ts";
import { computeMerge, mergedMeanwhile } from "./merge.ts";
import { Merges } from "./merges.ts";
import { MERGE, OPSTATE } from "../entries.ts";
import { readSnapshotAt } from "../log/state-at.ts";
import { refuse } from "../authority/computed.ts";
import { ownUpdate } from "../authority/read-update.ts";
import type { SubmitComputed } from "../authority/submit.ts";
import { hasRight } from "../rights.ts";
import type { Thread } from "../thread.ts";

export interface BranchContext extends Omit<Parent, "merge"> {
  readonly clock: () => string;
  readonly submit: SubmitComputed;
  /** Throws on a branch, for the reason given. */
  readonly mustBeMain: (why: string) => void;
  /** Throws when there is no such version. */
  readonly checkVersion: (version: number) => void;
}

export function branchCalls(context: BranchContext): Pick<Thread, "branch" | "openBranch" | "branches"> & {
  closeBranches(): Promise<void>;
} {
  const { definition, log, threadId, submit } = context;
  const branches = new Branches({
    ...context,
    merge(branch, meeting, change, id, { actor, allows }) {
      const { toolCallId, version } = change.commit;
      const { runId } = change;
      const request = { type: MERGE, branch: branch.threadId, change: version };
      const dedupeKey = { actor: OPSTATE, id };
      const mayApprove = hasRight(actor, "approve", allows);
      return submit(
        ownUpdate(request),
        { actor, ...defined({ runId, toolCallId }) },
        async (submission, head) => {
          const merges = new Merges({ log, threadId, version: head.version, branchIncarnation: branch.incarnation });
          if ((await merges.stateOf(version)).id !== id) return refuse(head.confirmed, mergedMeanwhile(version));
          return computeMerge(
            definition,
            { branch: branch.threadId, change, actor: submission.actor, mayApprove },
            head,
            meeting,
          );
        },
        dedupeKey,
      );
    },
  });

  return {
    async branch(version = context.version(), { id } = {}) {
      context.mustBeMain("it has no branches of its own. Branch the thread itself.");
      context.checkVersion(version);
      const { state, definitionVersion } = await readSnapshotAt(log, threadId, version, context.scheduler);
      const name = await branches.create({ version, state, definitionVersion, at: context.clock() }, id);
      const branch = await branches.open(name);
      if (branch === undefined) throw new OpstateError("corrupt_log", `The log did not keep the new branch "${name}".`);
      return branch;
    },

    async openBranch(id) {
      context.mustBeOpen();
      return branches.open(id);
    },

    async branches() {
      context.mustBeOpen();
      return branches.list();
    },

    closeBranches: () => branches.close(),
  };
}
