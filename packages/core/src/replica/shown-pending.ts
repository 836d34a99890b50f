// The pending operations as a page shows them.
//
// Invariant: what is shown as before is the same object; a list that is shown as before is the same
// list.

import type { Pending } from "./pending.ts";
import type { PendingOperation } from "./replica.ts";

/** What they have in common: whether the actor is known, and the thread that they are for. */
export interface Shared {
  readonly isProvisional: boolean;
  readonly incarnation: string | undefined;
}

export function shownPending(
  before: readonly PendingOperation[],
  pending: readonly Pending[],
  shared: Shared,
): readonly PendingOperation[] {
  let at = 0;
  const shown = pending.map((entry) => {
    // Both lists have one order, and operations leave: what is passed over is not there any more.
    while (at < before.length && before[at]?.id !== entry.submission.id) at++;
    const earlier = before[at];
    return earlier !== undefined && isShownAs(earlier, entry, shared) ? earlier : show(entry, shared);
  });
  return shown.length === before.length && shown.every((each, index) => each === before[index]) ? before : shown;
}

function show(entry: Pending, shared: Shared): PendingOperation {
  const { submission, sent, at, sentence } = entry;
  const incarnation = incarnationOf(entry, shared);
  return {
    ...submission,
    status: sent ? "sent" : "queued",
    at,
    ...(sentence === undefined ? {} : { sentence }),
    ...(shared.isProvisional ? { provisional: true } : {}),
    ...(incarnation === undefined ? {} : { incarnation }),
  };
}

function isShownAs(shown: PendingOperation, entry: Pending, shared: Shared): boolean {
  const { submission, sent } = entry;
  if ((shown.status === "sent") !== sent || (shown.provisional === true) !== shared.isProvisional) return false;
  if (shown.operation !== submission.operation || shown.basedOn !== submission.basedOn) return false;
  if (shown.sentence !== entry.sentence) return false;
  return shown.incarnation === incarnationOf(entry, shared);
}

/** The thread whose versions a submission names. */
function incarnationOf(entry: Pending, { incarnation }: Shared): string | undefined {
  return entry.submission.basedOn === undefined ? undefined : (entry.incarnation ?? incarnation);
}
