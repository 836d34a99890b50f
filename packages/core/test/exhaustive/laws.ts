// What must be true in the model, from the laws of ARCHITECTURE.md:
//
// - Versions are contiguous from 1.
// - A submission has one effect, however often it arrives, whatever crashes.
// - What an authority confirms is what the log has: nothing is published that is not stored.
// - No acknowledged commit is lost. A verdict that was sent stays true, and is sent again.
// - What the log refused is acknowledged by no one, however long its authority was paused.
// - What is refused for now was so at some moment since it was sent.
// - No writer waits for ever: when nothing is under way any more, each live authority has seen the
//   newest head that was announced to it, or has read since, and has answered all that it was sent.
//
// That something is under way for ever is found by the search: no moment leads back to itself.

import { type Attempt, type ModelAuthority, unanswered, versionOf } from "./authority.ts";
import type { ModelLog } from "./log.ts";
import { type Operation, ownerId, type Told } from "./operations.ts";
import type { World } from "./world.ts";

/** The law that a state of the world breaks, in words. */
export function brokenNow(
  { authorities, log, surroundings }: World,
  operations: readonly Operation[],
): string | undefined {
  for (const [index, { version }] of log.commits.entries())
    if (version !== index + 1) return `The log has version ${version} where ${index + 1} belongs.`;
  const effects = new Set<string>();
  for (const { id } of log.commits) {
    if (effects.has(id)) return `"${id}" has two effects.`;
    effects.add(id);
  }
  for (const { id, isAccepted } of log.receipts)
    if (!isAccepted && effects.has(id)) return `"${id}" is refused, and has an effect.`;
  for (const authority of authorities)
    if (!isPrefix(authority, log)) return "An authority shows what the log does not have.";
  for (const [index, { told }] of surroundings.sent.entries()) {
    const operation = operations[index];
    if (told !== undefined && operation !== undefined && !isStored(log, operation, told))
      return `"${operation.id}" got ${told.verdict} at version ${told.version}, and that is not so any more.`;
  }
  return undefined;
}

/** The law that a verdict breaks when it is sent. `earlier`: what was sent of the id before. */
export function brokenByTelling(
  log: ModelLog,
  operation: Operation,
  { since }: Attempt,
  told: Told,
  earlier: Told | undefined,
): string | undefined {
  const { id, expectedVersion } = operation;
  const { verdict, version } = told;
  if (verdict === "failed") return undefined;
  if (verdict === "refused for now")
    return version < since || version === expectedVersion
      ? `"${id}" is refused for version ${version}, and was sent at version ${since}.`
      : undefined;
  if (!isStored(log, operation, told)) return `"${id}" got ${verdict}, and the log does not have it.`;
  if (earlier === undefined || earlier.verdict === "refused for now") return undefined;
  if (earlier.verdict !== verdict || earlier.version !== version)
    return `"${id}" got ${earlier.verdict} at ${earlier.version}, now ${verdict} at ${version}.`;
  return undefined;
}

/** The law that the world breaks though nothing is left to be done. */
export function brokenAtRest({ authorities }: World): string | undefined {
  for (const authority of authorities) {
    if (authority.life !== "live") continue;
    const [waiting] = unanswered(authority);
    if (waiting !== undefined) return `"${waiting.id}" waits for ever.`;
    const { owed } = authority;
    if (owed > versionOf(authority)) return `An authority heard of head ${owed}, and never reads it.`;
  }
  return undefined;
}

function isStored({ commits, receipts }: ModelLog, operation: Operation, { verdict, version }: Told): boolean {
  const { id, kind } = operation;
  if (verdict === "refused")
    return receipts.some((receipt) => receipt.id === id && !receipt.isAccepted && receipt.version === version);
  if (verdict !== "accepted") return true;
  const owner = ownerId(operation);
  if (kind !== "touch") return commits.some((commit) => commit.version === version && commit.id === owner);
  return receipts.some((receipt) => receipt.id === owner && receipt.isAccepted && receipt.version === version);
}

function isPrefix({ confirmed }: ModelAuthority, { commits }: ModelLog): boolean {
  return confirmed.every(({ version, id }, index) => commits[index]?.version === version && commits[index]?.id === id);
}
