// What the senders of batches committed since the versions that these are based on. A page sends
// edits one after another, based on one version: what it did before was in its view.

import type { Actor } from "../../engine/actor.ts";
import { typeOf } from "../type-of.ts";
import type { Commit } from "../commit.ts";
import type { Log } from "../log/log.ts";
import { actorKey } from "../log/receipt-key.ts";
import { readPages } from "../log/scan.ts";
import type { ParsedSubmission } from "./parse-submission.ts";

/** Older versions than this many are not looked at. */
const REACH = 5_000;

/** Oldest first. `version`: the head. Empty where none of them is a batch on an older version. */
export async function readEarlier(
  log: Log,
  threadId: string,
  submissions: readonly ParsedSubmission[],
  version: number,
): Promise<readonly Commit[]> {
  const since = new Map<string, { readonly actor: Actor; readonly after: number }>();
  for (const { actor, basedOn = version, operation } of submissions) {
    if (basedOn >= version || version - basedOn > REACH) continue;
    if (typeOf(operation) !== "$batch") continue;
    const key = actorKey(actor);
    since.set(key, { actor, after: Math.min(basedOn, since.get(key)?.after ?? basedOn) });
  }
  const found: Commit[] = [];
  for (const { actor, after } of since.values())
    for await (const page of readPages(log, threadId, { after, before: version + 1, actor })) found.push(...page);
  return found;
}
