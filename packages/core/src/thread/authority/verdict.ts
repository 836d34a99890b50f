// The verdict of a judgement whose entry is stored.

import { sameActor } from "../../engine/actor.ts";
import type { Refusal, Verdict } from "../commit.ts";
import { isMerge, OPSTATE } from "../entries.ts";
import type { FullLog, Receipt } from "../log/log.ts";
import type { Judgement } from "./decide.ts";

/** A verdict that was given earlier is read from the log of the thread. */
export async function verdictOf(judgement: Judgement, log: FullLog, threadId: string): Promise<Verdict> {
  switch (judgement.kind) {
    case "committed":
      return { accepted: true, version: judgement.commit.version, commit: judgement.commit };
    case "unchanged":
      return { accepted: true, version: judgement.version };
    case "refused":
      return refusedVerdict(judgement.refusal);
    case "notFinal": {
      const { version, rejection, attempt } = judgement;
      return { accepted: false, version, rejection, attempt };
    }
    case "known":
      return knownVerdict(judgement.receipt, log, threadId);
  }
}

async function knownVerdict({ actor, id, outcome }: Receipt, log: FullLog, threadId: string): Promise<Verdict> {
  if (!outcome.accepted) return refusedVerdict(outcome.refusal);
  const [commit] = outcome.version === 0 ? [] : await log.read(threadId, { after: outcome.version - 1, limit: 1 });
  const owner = commit !== undefined && isMerge(commit.operation) ? OPSTATE : commit?.actor;
  const isOwn =
    commit?.version === outcome.version && commit.id === id && owner !== undefined && sameActor(owner, actor);
  return isOwn ? { accepted: true, version: outcome.version, commit } : { accepted: true, version: outcome.version };
}

function refusedVerdict({ version, rejection, attempt }: Refusal): Verdict {
  return { accepted: false, version, rejection, attempt };
}
