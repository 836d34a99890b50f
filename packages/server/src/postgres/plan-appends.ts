// What becomes of appends that wait together on one thread, given its head and the ids it knows.
// Pure: the database then takes all that this let through in one step, or nothing.

import type { Appended } from "@opstate/core";
import { OpstateError } from "@opstate/core";
import { receiptKey, receiptOf, type StoredEntry, type StoredReceipt } from "./receipts.ts";

export interface Append {
  readonly expectedVersion: number;
  readonly entries: readonly StoredEntry[];
}

export interface View {
  readonly head: number;
  readonly known: ReadonlyMap<string, StoredReceipt>;
}

export interface Judged {
  /** For each append: the answer once `entries` are stored, or why it is refused. */
  readonly outcomes: readonly (Appended | OpstateError)[];
  readonly entries: readonly StoredEntry[];
  /** The head once `entries` are stored. */
  readonly head: number;
}

export function judge(appends: readonly Append[], view: View): Judged {
  const known = new Map(view.known);
  const entries: StoredEntry[] = [];
  let head = view.head;
  const outcomes = appends.map((append): Appended | OpstateError => {
    const repeated = append.entries
      .map((entry) => known.get(receiptKey(entry)))
      .find((receipt) => receipt !== undefined);
    if (repeated) return { status: "duplicate", receipt: receiptOf(repeated) };
    if (append.expectedVersion !== head) return { status: "stale", version: head };
    const mistake = mistakeIn(append);
    if (mistake !== undefined) return new OpstateError("corrupt_log", mistake);
    for (const entry of append.entries) {
      entries.push(entry);
      known.set(receiptKey(entry), entry);
      head = entry.commit?.version ?? head;
    }
    return { status: "appended" };
  });
  return { outcomes, entries, head };
}

function mistakeIn({ expectedVersion, entries }: Append): string | undefined {
  const ids = new Set(entries.map(receiptKey));
  if (ids.size < entries.length) return "An id of an actor stands twice in one append. Each submission gets one entry.";
  let head = expectedVersion;
  for (const { commit } of entries) {
    if (commit === undefined) continue;
    if (commit.version !== head + 1) return `The commit with version ${commit.version} cannot follow version ${head}.`;
    head = commit.version;
  }
  return undefined;
}
