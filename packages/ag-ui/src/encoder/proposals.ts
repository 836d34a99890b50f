// The open proposals of a thread, as interrupts that a client answers.

import type { Interrupt } from "@ag-ui/core";
import { type Commit, isDecision, isPropose, isUndo, type Proposal, type Thread } from "@opstate/core";

/** A proposal that nobody has decided on. `version` is its commit's. */
export interface OpenProposal {
  readonly interrupt: Interrupt;
  readonly version: number;
  readonly runId?: string;
}

/** The proposals that are open now. */
export async function openProposals(thread: Thread): Promise<readonly OpenProposal[]> {
  return (await thread.proposals()).map(asInterrupt);
}

/** The proposal that a commit makes. */
export function proposalOf(commit: Commit): OpenProposal | undefined {
  const { operation } = commit;
  return isPropose(operation) ? asInterrupt({ ...commit, ...operation }) : undefined;
}

/** The versions of the proposals that a commit decides on or takes back. */
export function decidedBy({ operation }: Commit): readonly number[] {
  if (isDecision(operation)) return [operation.proposedAt];
  return isUndo(operation) ? operation.versions : [];
}

type Proposed = Pick<
  Proposal,
  "id" | "version" | "operation" | "actor" | "runId" | "toolCallId" | "basedOn" | "patches" | "expiresAt"
>;

function asInterrupt({
  id,
  version,
  operation,
  actor,
  runId,
  toolCallId,
  basedOn,
  patches,
  expiresAt,
}: Proposed): OpenProposal {
  return {
    version,
    ...(runId !== undefined && { runId }),
    interrupt: {
      id,
      reason: "confirmation",
      message: `${actor.kind === "agent" ? "The agent" : actor.id} asks to do "${operation.type}".`,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(expiresAt !== undefined && { expiresAt }),
      responseSchema: {
        type: "object",
        properties: { approved: { type: "boolean" }, reason: { type: "string" } },
        required: ["approved"],
      },
      metadata: { opstate: { proposal: id, proposedAt: version, operation, patches, basedOn, proposer: actor } },
    },
  };
}
