// The open proposals as somebody is shown them who is to decide.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import type { Rejection } from "../../engine/rejection.ts";
import type { Patch } from "../../patch/index.ts";
import type { Commit } from "../commit.ts";
import { inWords } from "../reading/digest.ts";
import type { Pace } from "../pace.ts";
import { isPropose } from "../proposal-entry.ts";
import { tryProposal } from "./proposed-change.ts";

/** An operation that waits for somebody's yes. */
export interface Proposal<Operation = { readonly type: string }> {
  readonly id: string;
  /** The version of its commit: with `id` it tells apart what two actors proposed under one id. */
  readonly version: number;
  readonly operation: Operation;
  readonly actor: Actor;
  readonly at: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly basedOn: number;
  /** What it would change, derived fields left out. */
  readonly patches: Patch;
  readonly expiresAt?: string;
  /** The operation in words; what users wrote stands in JSON quotes. */
  readonly sentence: string;
  /**
   * The paths that are not any more as they were shown: while there are any, approving it is a
   * conflict, unless it is approved `anyway`.
   */
  readonly stale: readonly string[];
  /** Why the operation no longer holds, when it does not. */
  readonly rejection?: Rejection;
}

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
