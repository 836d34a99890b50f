// Plans the queued appends of one thread, given its head and the known receipts.
//
// Invariant: the plan is pure. The database then stores all planned entries in one statement, or
// none of them.

import type { AppendResult } from "@opstate/core/log";
import { OpstateError } from "@opstate/core";
import { storedReceiptKey, receiptOf, type StoredEntry, type StoredReceipt } from "./receipts.ts";

export interface Append {
  readonly expectedVersion: number;
  /** The oldest version that one of the entries is based on, where they say so. */
  readonly basedOn: number | undefined;
  /** The epoch in which its writer owns the thread, where it says so. */
  readonly epoch: number | undefined;
  readonly entries: readonly StoredEntry[];
}

/** What the database knew at one moment. */
export interface ThreadView {
  readonly head: number;
  readonly receiptFloor: number;
  readonly epoch: number;
  readonly known: ReadonlyMap<string, StoredReceipt>;
}

export interface AppendPlan {
  /** Per append: its result once `entries` are stored, or the error that it rejects with. */
  readonly outcomes: readonly (AppendResult | OpstateError)[];
  readonly entries: readonly StoredEntry[];
  /** The head once `entries` are stored. */
  readonly head: number;
}

export function planAppends(appends: readonly Append[], view: ThreadView): AppendPlan {
  const known = new Map(view.known);
  const entries: StoredEntry[] = [];
  let head = view.head;
  const outcomes = appends.map((append): AppendResult | OpstateError => {
    if ((append.epoch ?? view.epoch) < view.epoch) return { status: "fenced", epoch: view.epoch };
    const repeated = append.entries
      .map((entry) => known.get(storedReceiptKey(entry)))
      .find((receipt) => receipt !== undefined);
    if (repeated) return { status: "duplicate", receipt: receiptOf(repeated) };
    const { receiptFloor } = view;
    if ((append.basedOn ?? receiptFloor) < receiptFloor) return { status: "expired", receiptFloor };
    if (append.expectedVersion !== head) return { status: "stale", version: head };
    const mistake = findMistake(append);
    if (mistake !== undefined) return new OpstateError("corrupt_log", mistake);
    for (const entry of append.entries) {
      entries.push(entry);
      known.set(storedReceiptKey(entry), entry);
      head = entry.commit?.version ?? head;
    }
    return { status: "appended" };
  });
  return { outcomes, entries, head };
}

function findMistake({ expectedVersion, entries }: Append): string | undefined {
  const ids = new Set(entries.map(storedReceiptKey));
  if (ids.size < entries.length)
    return "One append has two entries with the same actor and id. Each submission gets one entry.";
  let head = expectedVersion;
  for (const { commit } of entries) {
    if (commit === undefined) continue;
    if (commit.version !== head + 1) return `The commit with version ${commit.version} cannot follow version ${head}.`;
    head = commit.version;
  }
  return undefined;
}
