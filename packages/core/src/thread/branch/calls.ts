// What a thread offers for branches: making one, finding one again, and the merge that one asks
// for.

import { OpstateError } from "../../error.ts";
import { mayApprove } from "../authority/approval.ts";
import { Branches, type Parent } from "./branch.ts";
import { computeMerge } from "./merge.ts";
import { MERGE, mergeId, OPSTATE } from "../entries.ts";
import { readSnapshotAt } from "../log/state-at.ts";
import type { SubmitComputed } from "../authority/submit.ts";
import type { Thread } from "../thread.ts";

export interface BranchContext extends Omit<Parent, "merge"> {
  readonly clock: () => string;
  readonly submit: SubmitComputed;
  /** Throws on a branch, for the reason given. */
  readonly mustBeMain: (why: string) => void;
  /** Throws when there is no such version. */
  readonly checkVersion: (version: number) => void;
}

export function branchCalls(
  context: BranchContext,
): Pick<Thread, "branch" | "openBranch" | "branches"> & { closeBranches(): Promise<void> } {
  const { definition, log, threadId, submit } = context;
  const branches = new Branches({
    ...context,
    merge(branch, change, { actor, allows }) {
      const { toolCallId, version } = change.commit;
      const { runId } = change;
      const asked = { type: MERGE, branch: branch.threadId, change: version };
      const origin = { ...(runId === undefined ? {} : { runId }), ...(toolCallId === undefined ? {} : { toolCallId }) };
      const effect = { actor: OPSTATE, id: mergeId(branch.incarnation, version) };
      const may = mayApprove(actor, allows);
      return submit(
        asked,
        { actor, ...origin },
        (intake, { confirmed }) =>
          computeMerge(definition, { branch: branch.threadId, change, actor: intake.actor, may }, confirmed),
        effect,
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
