// The log in words, newest first. Each entry is worded once.

import type { HistoryEntry } from "@opstate/core";
import { createHistoryFeed, type HistorySource } from "@opstate/core/feeds";
import { createStore } from "zustand/vanilla";
import { type BoardState, commitEntry, type LogEntry, refusalEntry } from "./log-entry.ts";

export interface Log {
  readonly status: "loading" | "ready" | "unreachable";
  /** Newest first. */
  readonly entries: readonly LogEntry[];
  readonly hasOlder: boolean;
  /** Older entries are being read. */
  readonly busy: boolean;
  /** The newest accepted entry about each card. */
  readonly lastChanges: ReadonlyMap<string, LogEntry>;
  /** Entries from this version on arrived while the page was open. */
  readonly liveSince: number;
  /** By version: the undo in force that undid it. */
  readonly undone: ReadonlyMap<number, LogEntry>;
}

export interface LogSource extends HistorySource {
  getState(): BoardState;
}

export type BoardLog = ReturnType<typeof createLog>;

export function createLog(source: LogSource, { pageSize = 100 } = {}) {
  const feed = createHistoryFeed(source, { pageSize, rejections: true });
  const store = createStore<Log>()(() => ({
    status: "loading",
    entries: [],
    hasOlder: false,
    busy: false,
    lastChanges: new Map(),
    liveSince: Infinity,
    undone: new Map(),
  }));
  let entryByKey = new Map<string, LogEntry>();

  function update(): void {
    const { entries: raw, hasOlder, loading, error } = feed.getState();
    const entries = withUndoneCards(raw.map(entryFor));
    const newest = entries.find(({ accepted }) => accepted);
    const empty = raw.length === 0;
    store.setState(({ liveSince, lastChanges }) => ({
      status: error !== undefined && empty ? "unreachable" : loading && empty ? "loading" : "ready",
      entries,
      hasOlder,
      busy: loading && !empty,
      liveSince: empty ? liveSince : Math.min(liveSince, (newest?.version ?? 0) + 1),
      lastChanges: lastChangesIn(lastChanges, entries),
      undone: undoneIn(entries),
    }));
  }

  function entryFor(entry: HistoryEntry): LogEntry {
    const line = entry.kind === "commit" ? entry.commit : entry.refusal;
    const key = entry.kind === "commit" ? `v${line.version}` : `${line.actor.kind}/${line.actor.id}/${line.id}`;
    const known = entryByKey.get(key);
    // A thread that was created again counts from 1 again, so the time is compared, too.
    if (known?.at === line.at) return known;
    const made = entry.kind === "commit" ? commitEntry(entry.commit) : refusalEntry(entry.refusal, source.getState());
    entryByKey.set(key, made);
    return made;
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
        if (all.length === cardIds.length) return entry;
        const known = { ...entry, cardIds: all };
        cards.set(version, all);
        entryByKey.set(entry.key, known);
        return known;
      })
      .toReversed();
  }

  const unsubscribe = feed.subscribe((state, previous) => {
    if (state.entries.length === 0 && previous.entries.length > 0) entryByKey = new Map();
    update();
  });

  return Object.assign(store, {
    older: () => feed.older(),
    /** Reads older pages until the entry is found or the log ends. */
    async find(version: number): Promise<LogEntry | undefined> {
      for (;;) {
        const { entries, hasOlder } = store.getState();
        const found = entries.find((entry) => entry.accepted && entry.version === version);
        if (found || !hasOlder || (entries.findLast(({ accepted }) => accepted)?.version ?? 0) < version) return found;
        // oxlint-disable-next-line no-await-in-loop -- pages are read in order
        await feed.older();
        if (feed.getState().error !== undefined) return undefined;
      }
    },
    close: unsubscribe,
  });
}

/** Returns `before` if nothing changed, so that cards are not rendered again. */
function lastChangesIn(
  before: ReadonlyMap<string, LogEntry>,
  entries: readonly LogEntry[],
): ReadonlyMap<string, LogEntry> {
  const lastChanges = new Map<string, LogEntry>();
  for (const entry of entries)
    if (entry.accepted)
      for (const cardId of entry.cardIds) if (!lastChanges.has(cardId)) lastChanges.set(cardId, entry);
  const same =
    lastChanges.size === before.size && [...lastChanges].every(([cardId, entry]) => before.get(cardId) === entry);
  return same ? before : lastChanges;
}

function undoneIn(entries: readonly LogEntry[]): ReadonlyMap<number, LogEntry> {
  const undone = new Map<number, LogEntry>();
  // Newest first, so a later redo of an undo is seen before the undo.
  for (const entry of entries)
    if (entry.undoneVersions && entry.accepted && !undone.has(entry.version))
      for (const version of entry.undoneVersions) undone.set(version, entry);
  return undone;
}
