// The pending operations as a page shows them.
//
// Invariant: what is shown as before is the same object; a list that is shown as before is the same
// list.

import { defined } from "../defined.ts";
import { equal } from "../json/equal.ts";
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
    return show(before[at], entry, shared);
  });
  return equal(before, shown, 1) ? before : shown;
}

/** `earlier`: how it was shown. */
function show(earlier: PendingOperation | undefined, entry: Pending, shared: Shared): PendingOperation {
  const { submission, at, sentence } = entry;
  const status = entry.sent ? "sent" : "queued";
  const provisional = shared.isProvisional || undefined;
  // The thread whose versions a submission names.
  const incarnation = submission.basedOn === undefined ? undefined : (entry.incarnation ?? shared.incarnation);
  return earlier?.status === status &&
    earlier.provisional === provisional &&
    earlier.operation === submission.operation &&
    earlier.basedOn === submission.basedOn &&
    earlier.sentence === sentence &&
    earlier.incarnation === incarnation
    ? earlier
    : { ...submission, status, at, ...defined({ sentence, provisional, incarnation }) };
}
