// Proposals as an approver is shown them.

import type { AnyDefinition } from "../../definition/definition.ts";
import { defined } from "../../defined.ts";
import type { Commit } from "../commit.ts";
import type { Pace } from "../pace.ts";
import type { Proposal } from "../results.ts";
import type { ProposeOperation } from "../entries.ts";
import { sentenceOf } from "../words.ts";
import { tryProposal } from "./proposed-change.ts";
import type { ProposedThings } from "./same-things.ts";

/** The newest state, and its version. */
interface HeadState {
  readonly state: unknown;
  readonly version: number;
}

export async function describeProposals(
  definition: AnyDefinition,
  branch: string | undefined,
  head: HeadState,
  things: ProposedThings,
  open: readonly Commit<ProposeOperation>[],
  pace: Pace,
): Promise<readonly Proposal[]> {
  const described: Proposal[] = [];
  for (const commit of open) {
    if (pace.isOver) await pace.next();
    described.push(await describeProposal(definition, branch, head, things, commit));
  }
  return described;
}

export async function describeProposal(
  definition: AnyDefinition,
  branch: string | undefined,
  head: HeadState,
  things: ProposedThings,
  commit: Commit<ProposeOperation>,
): Promise<Proposal> {
  const { id, version, actor, at, runId, toolCallId } = commit;
  const { operation, basedOn, patches, expiresAt } = commit.operation;
  const { next, changed } = tryProposal(definition.model, head.state, commit, branch);
  const found = things.notShown(commit, head, next);
  // What is known at once is described at once.
  const notShown = found instanceof Promise ? await found : found;
  return {
    id,
    version,
    operation,
    actor,
    at,
    ...defined({ runId, toolCallId, expiresAt, rejection: next.accepted ? undefined : next.rejection }),
    basedOn,
    patches,
    sentence: sentenceOf(definition, { operation, ...defined({ sentence: commit.sentence }) }),
    stale: [...new Set([...changed, ...notShown.things, ...notShown.placed])],
  };
}
