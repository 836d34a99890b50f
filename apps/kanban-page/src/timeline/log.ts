// The log of a thread in words: a picture of its history, made again for each new list of entries.

import type { HistoryFeed, HistoryOptions } from "@opstate/client";
import type { HistoryEntry } from "@opstate/core";
import type { Board } from "@opstate/kanban-domain";
import type { BoardThread } from "../open-board.ts";
import { commitEntry, type LogEntry, refusalEntry } from "./log-entry.ts";

/** Which history of a thread the page shows. */
export const LOG: HistoryOptions = { pageSize: 100, rejections: true };

export interface Log {
  /** Newest first. */
  readonly entries: readonly LogEntry[];
  /** The newest accepted entry about each card. */
  readonly lastChanges: ReadonlyMap<string, LogEntry>;
  /** By version: the undo in force that undid it. */
  readonly undone: ReadonlyMap<number, LogEntry>;
}

type Entries = readonly HistoryEntry[];

/** What was worded once keeps its words, and stays the same object. */
const LOGS = new WeakMap<Entries, Log>();
const LINES = new WeakMap<object, LogEntry>();
const WITH_UNDONE_CARDS = new WeakMap<LogEntry, LogEntry>();

/** `board`: the state as it is, which refusals are described on. */
export function logOf({ entries: history }: { readonly entries: Entries }, board: Board | null): Log {
  const known = LOGS.get(history);
  if (known !== undefined) return known;
  const entries = withUndoneCards(history.map((entry) => lineOf(entry, board)));
  const log = { entries, lastChanges: lastChangesIn(entries), undone: undoneIn(entries) };
  LOGS.set(history, log);
  return log;
}

/** The log as far as it is read now. */
export const logNow = ({ history, getState }: Pick<BoardThread, "history" | "getState">): Log =>
  logOf(history.with(LOG).getState(), getState());

/** Reads older pages until a version is in the log or the log ends. */
export async function readBackTo(version: number, history: HistoryFeed): Promise<void> {
  for (;;) {
    const { entries, hasOlder, error } = history.getState();
    const oldest = entries.findLast((entry) => entry.kind === "commit")?.commit.version ?? Infinity;
    if (oldest <= version || !hasOlder || error !== undefined) return;
    // oxlint-disable-next-line no-await-in-loop -- pages are read in order
    await history.older();
  }
}

function lineOf(entry: HistoryEntry, board: Board | null): LogEntry {
  const source = entry.kind === "commit" ? entry.commit : entry.refusal;
  const line =
    LINES.get(source) ?? (entry.kind === "commit" ? commitEntry(entry.commit) : refusalEntry(entry.refusal, board));
  LINES.set(source, line);
  return line;
}

/** An undo changes the cards that were changed by what it takes back, as far as that was read. */
function withUndoneCards(entries: readonly LogEntry[]): readonly LogEntry[] {
  const cards = new Map<number, readonly string[]>();
  return entries
    .toReversed()
    .map((entry) => {
      const { accepted, version, cardIds, undoneVersions } = entry;
      if (accepted) cards.set(version, cardIds);
      if (undoneVersions === undefined) return entry;
      const all = [...new Set([...cardIds, ...undoneVersions.flatMap((undone) => cards.get(undone) ?? [])])];
      cards.set(version, all);
      if (all.length === cardIds.length) return entry;
      const made = WITH_UNDONE_CARDS.get(entry);
      const line = made?.cardIds.length === all.length ? made : { ...entry, cardIds: all };
      WITH_UNDONE_CARDS.set(entry, line);
      return line;
    })
    .toReversed();
}

function lastChangesIn(entries: readonly LogEntry[]): ReadonlyMap<string, LogEntry> {
  const lastChanges = new Map<string, LogEntry>();
  for (const entry of entries)
    if (entry.accepted)
      for (const cardId of entry.cardIds) if (!lastChanges.has(cardId)) lastChanges.set(cardId, entry);
  return lastChanges;
}

function undoneIn(entries: readonly LogEntry[]): ReadonlyMap<number, LogEntry> {
  const undone = new Map<number, LogEntry>();
  // Newest first, so a later redo of an undo is seen before the undo.
  for (const entry of entries)
    if (entry.undoneVersions && entry.accepted && !undone.has(entry.version))
      for (const version of entry.undoneVersions) undone.set(version, entry);
  return undone;
}
