// The log of the model: one thread, and what the port says of an append, a read and a receipt.
//
// Invariants (of `LogAdapter`):
// - An append is one step. It is made for one head: any other head refuses it.
// - `duplicate` is said before `stale`.
// - A receipt is stored in the same step as its commit.
//
// Bugs are planted in its text, so it imports nothing that runs.

export interface StoredCommit {
  readonly version: number;
  readonly id: string;
}

export interface StoredReceipt {
  readonly id: string;
  readonly isAccepted: boolean;
  readonly version: number;
}

export interface Entry {
  readonly receipt: StoredReceipt;
  readonly commit?: StoredCommit;
}

export interface ModelLog {
  readonly commits: readonly StoredCommit[];
  readonly receipts: readonly StoredReceipt[];
}

export interface AppendCall {
  readonly version: number;
  readonly entries: readonly Entry[];
}

export type AppendAnswer =
  | { readonly status: "appended" }
  | { readonly status: "stale"; readonly version: number }
  | { readonly status: "duplicate" };

export const EMPTY_LOG: ModelLog = { commits: [], receipts: [] };

export function headOf(log: ModelLog): number {
  return log.commits.at(-1)?.version ?? 0;
}

export function append(
  log: ModelLog,
  { version, entries }: AppendCall,
): { readonly log: ModelLog; readonly answer: AppendAnswer } {
  const isKnown = entries.some(({ receipt }) => log.receipts.some(({ id }) => id === receipt.id));
  if (isKnown) return { log, answer: { status: "duplicate" } };
  const head = headOf(log);
  if (head !== version) return { log, answer: { status: "stale", version: head } };
  const commits = [...log.commits, ...entries.flatMap(({ commit }) => commit ?? [])];
  const receipts = [...log.receipts, ...entries.map(({ receipt }) => receipt)];
  return { log: { commits, receipts }, answer: { status: "appended" } };
}

/** What the writer does to the log after an append, before it goes on: nothing. */
export function afterAppend(log: ModelLog, _call: AppendCall): ModelLog {
  return log;
}

/** The commits above a version, at most `limit`, and whether there are more. */
export function readAfter(
  log: ModelLog,
  version: number,
  limit: number,
): { readonly commits: readonly StoredCommit[]; readonly isMore: boolean } {
  const after = log.commits.filter((commit) => commit.version > version);
  return { commits: after.slice(0, limit), isMore: after.length > limit };
}

export function receiptsOf(log: ModelLog, ids: readonly string[]): readonly StoredReceipt[] {
  return log.receipts.filter(({ id }) => ids.includes(id));
}
