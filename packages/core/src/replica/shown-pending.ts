// The pending operations as a page shows them.
//
// Invariant: what is shown as before is the same object; a list that is shown as before is the same
// list.

import type { Pending } from "./pending.ts";
import type { PendingOperation } from "./replica.ts";

/** `isProvisional`: the actor is not known yet. */
export function shownPending(
  before: readonly PendingOperation[],
  pending: readonly Pending[],
  isProvisional: boolean,
): readonly PendingOperation[] {
  let at = 0;
  const shown = pending.map((entry) => {
    // Both lists have one order, and operations leave: what is passed over is not there any more.
    while (at < before.length && before[at]?.id !== entry.submission.id) at++;
    const earlier = before[at];
    return earlier !== undefined && isShownAs(earlier, entry, isProvisional) ? earlier : show(entry, isProvisional);
  });
  return shown.length === before.length && shown.every((each, index) => each === before[index]) ? before : shown;
}

function show({ submission, sent, at }: Pending, isProvisional: boolean): PendingOperation {
  return { ...submission, status: sent ? "sent" : "queued", at, ...(isProvisional ? { provisional: true } : {}) };
}

function isShownAs(shown: PendingOperation, { submission, sent }: Pending, isProvisional: boolean): boolean {
  if ((shown.status === "sent") !== sent || (shown.provisional === true) !== isProvisional) return false;
  return shown.operation === submission.operation && shown.basedOn === submission.basedOn;
}
