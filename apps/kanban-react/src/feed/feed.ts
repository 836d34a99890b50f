// The feed of operations: the log's newest entries on load, and live what the replica hears.
//
// Invariants: every entry is there once, in order of time; after a gap (the connection was lost, refusals have no version to
// catch up by) the history is read again.

import type { Commit, HistoryEntry, Refusal, Replica, Snapshot } from "@opstate/core";
import type { Board, board } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import { commitEntry, type FeedEntry, narrate, patched, refusalEntry } from "./narrate.ts";

/** What the feed shows, oldest first. */
export interface Feed {
  readonly status: "loading" | "ready" | "unreachable";
  readonly entries: readonly FeedEntry[];
  /** The newest accepted entry about each card. */
  readonly touches: ReadonlyMap<string, FeedEntry>;
}

export interface FeedSource {
  snapshot(): Promise<Snapshot<Board | null>>;
  history(after: number): Promise<readonly HistoryEntry[]>;
}

const kept = 300;

export function createFeed(replica: Replica<typeof board>, source: FeedSource) {
  const store = createStore<Feed>()(() => ({ status: "loading", entries: [], touches: new Map() }));
  // The confirmed state at the newest entry: what the next commit's sentence is about.
  let head: Snapshot<Board | null> | undefined;
  // What was heard while the history was read, in order.
  let waiting: (() => void)[] = [];
  let loading = false;
  let closed = false;

  async function load(): Promise<void> {
    if (loading || closed) return;
    loading = true;
    try {
      const snapshot = await source.snapshot();
      const entries = narrate(await source.history(Math.max(0, snapshot.version - kept)), snapshot);
      if (closed) return;
      head = snapshot;
      const newer = waiting;
      waiting = [];
      store.setState({ status: "ready", entries: entries.slice(-kept), touches: touched(new Map(), entries) });
      loading = false;
      for (const tell of newer) tell();
    } catch {
      store.setState({ status: "unreachable" });
    } finally {
      loading = false;
    }
  }

  function add(commit: Commit): void {
    if (loading || !head) {
      waiting.push(() => add(commit));
      return void load();
    }
    if (commit.version <= head.version) return;
    if (commit.version > head.version + 1) return void load();
    append({ ...commitEntry(commit, head.state), live: true });
    head = { version: commit.version, state: patched(head.state, commit.patches) };
  }

  function refuse(refusal: Refusal): void {
    if (loading || !head) {
      waiting.push(() => refuse(refusal));
      return void load();
    }
    const entry = refusalEntry(refusal, head.state);
    // The history that was just read may hold it already, in its place.
    if (!store.getState().entries.some(({ key }) => key === entry.key)) append(entry);
  }

  function append(entry: FeedEntry): void {
    store.setState(({ entries, touches }) => ({
      entries: [...entries, entry].slice(-kept),
      touches: touched(touches, [entry]),
    }));
  }

  const ends = [
    replica.onCommit(add),
    replica.onRejection(refuse),
    replica.sync.subscribe(({ status }, previous) => {
      if (status === "online" && previous.status !== "online") void load();
    }),
  ];
  if (replica.sync.getState().status === "online") void load();

  return Object.assign(store, {
    close() {
      closed = true;
      for (const end of ends) end();
    },
  });
}

function touched(before: ReadonlyMap<string, FeedEntry>, entries: readonly FeedEntry[]): ReadonlyMap<string, FeedEntry> {
  const touches = new Map(before);
  for (const entry of entries) if (entry.accepted) for (const cardId of entry.cardIds) touches.set(cardId, entry);
  return touches;
}
