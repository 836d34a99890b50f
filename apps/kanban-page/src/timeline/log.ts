// The log in words, newest first. Each entry's sentence is about the board before it.
//
// States are computed from one known state: backwards by inverse patches, and forwards by patches
// as commits arrive. Each entry is worded once.
//
//   state 3 <-inverse- state 4 <-inverse- state 5 (read) -patches-> state 6 -patches-> ...

import type { Commit, HistoryEntry, Snapshot } from "@opstate/core";
import { createHistoryFeed, type HistorySource } from "@opstate/core/feeds";
import { createStore } from "zustand/vanilla";
import { type BoardState, commitEntry, type LogEntry, patched, refusalEntry } from "./log-entry.ts";

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
  stateAt(version: number): Promise<Snapshot<BoardState>>;
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
  /** The states after versions, without gaps. */
  let states = new Map<number, BoardState>();
  let entryByKey = new Map<string, LogEntry>();
  let reading = false;
  let closed = false;

  function update(): void {
    const { entries: raw, hasOlder, loading, error } = feed.getState();
    const commits = raw.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    if (!computeStates(commits)) return;
    const entries = raw.flatMap(entryFor);
    const empty = raw.length === 0;
    store.setState(({ liveSince, lastChanges }) => ({
      status: error !== undefined && empty ? "unreachable" : loading && empty ? "loading" : "ready",
      entries,
      hasOlder,
      busy: loading && !empty,
      liveSince: empty ? liveSince : Math.min(liveSince, (commits[0]?.version ?? 0) + 1),
      lastChanges: lastChangesIn(lastChanges, entries),
      undone: undoneIn(entries),
    }));
  }

  /** Whether the states before and after all these commits are known now. */
  function computeStates(commits: readonly Commit[]): boolean {
    const [newest] = commits;
    if (newest === undefined) return true;
    const oldestFirst = commits.toReversed();
    // Forwards, from each state that is known.
    for (const { version, patches } of oldestFirst) {
      const before = states.get(version - 1);
      if (before !== undefined && !states.has(version)) states.set(version, patched(before, patches));
    }
    if (!states.has(newest.version)) {
      void loadState(newest.version);
      return false;
    }
    for (const { version, inverse } of commits) {
      const after = states.get(version);
      if (after !== undefined && !states.has(version - 1)) states.set(version - 1, patched(after, inverse));
    }
    return true;
  }

  async function loadState(version: number): Promise<void> {
    if (reading || closed) return;
    reading = true;
    try {
      const { state } = await source.stateAt(version);
      states = new Map([[version, state]]);
      entryByKey = new Map();
    } catch {
      store.setState({ status: "unreachable" });
      reading = false;
      return;
    }
    reading = false;
    if (!closed) update();
  }

  function entryFor(entry: HistoryEntry): LogEntry[] {
    const line = entry.kind === "commit" ? entry.commit : entry.refusal;
    const key = entry.kind === "commit" ? `v${line.version}` : `${line.actor.kind}/${line.actor.id}/${line.id}`;
    const known = entryByKey.get(key);
    // A thread that was created again counts from 1 again, so the time is compared, too.
    if (known?.at === line.at) return [known];
    const before = states.get(entry.kind === "commit" ? line.version - 1 : line.version) ?? null;
    const made = entry.kind === "commit" ? commitEntry(entry.commit, before) : refusalEntry(entry.refusal, before);
    entryByKey.set(key, made);
    return [made];
  }

  const cleanups = [
    feed.subscribe((state, previous) => {
      if (state.entries.length === 0 && previous.entries.length > 0) {
        states = new Map();
        entryByKey = new Map();
      }
      update();
    }),
  ];

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
    close() {
      closed = true;
      for (const cleanup of cleanups) cleanup();
    },
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
