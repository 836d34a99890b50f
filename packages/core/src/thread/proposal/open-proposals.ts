// The open proposals as somebody is shown them who is to decide.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Commit } from "../commit.ts";
import { inWords } from "../reading/digest.ts";
import type { Pace } from "../pace.ts";
import type { Proposal } from "../results.ts";
import { isPropose } from "../entries.ts";
import { tryProposal } from "./proposed-change.ts";

export async function describeProposals(
  definition: AnyDefinition,
  state: unknown,
  open: readonly Commit[],
  pace: Pace,
): Promise<readonly Proposal[]> {
  const described: Proposal[] = [];
  for (const commit of open) {
    const { operation: proposed, id, version, actor, runId, toolCallId } = commit;
    if (!isPropose(proposed)) continue;
    if (pace.isOver) await pace.next();
    const { operation, basedOn, patches, expiresAt } = proposed;
    const { changed, fault } = tryProposal(definition.model, state, commit, proposed);
    described.push({
      id,
      version,
      operation,
      actor,
      at: commit.at,
      ...(runId === undefined ? {} : { runId }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      basedOn,
      patches,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      sentence: inWords(definition, operation),
      stale: changed,
      ...(fault === undefined ? {} : { rejection: fault }),
    });
  }
  return described;
}
