// A history as a list that grows at both ends: new entries arrive live, older ones by pages.
//
// Invariants:
// - There is one read at a time.
// - Entries that arrive while the newest page is read are buffered until it is there, so that
//   there is neither a gap nor a repetition.
// - After anything that may have been missed (no subscriber, a lost connection, skipped versions),
//   the newest page is read again.

import type { AnyOperation, Commit, HistoryEntry, Refusal } from "@opstate/core";
import { createSource, type Readable, RefCount } from "@opstate/core/readable";
import type { HistoryRange } from "@opstate/core/thread";
import { type CommitSource, watchSync } from "../commit-source.ts";
import { bottomOf, insert, joinNewest, joinOlder, topOf, trim, type Window } from "./history-window.ts";

export interface HistorySource<Operation = AnyOperation> extends CommitSource<Operation> {
  history(range: HistoryRange): Promise<readonly HistoryEntry<Operation>[]>;
  onRejection?(listener: (refusal: Refusal) => void): () => void;
}

export interface HistoryState<Operation = AnyOperation> {
  /** Newest first. */
  readonly entries: readonly HistoryEntry<Operation>[];
  /** Whether there may be older entries than the last one. */
  readonly hasOlder: boolean;
  /** Whether a read is under way, or none has begun yet. */
  readonly loading: boolean;
  /** What the last read threw. The next entry, a reconnection or `older` reads again. */
  readonly error?: unknown;
}

export interface HistoryFeed<Operation = AnyOperation> extends Readable<HistoryState<Operation>> {
  /** Reads the next page at the oldest end. Never rejects: see `error`. */
  older(): Promise<void>;
}

export interface HistoryFeedOptions {
  /** Entries per page. Default 50. */
  readonly pageSize?: number;
  /** Whether refusals are listed too. Default false. */
  readonly rejections?: boolean;
  /**
   * Entries that are kept. Beyond it the oldest are dropped, and can be read again. Default 5,000.
   */
  readonly limit?: number;
  readonly onError?: (error: unknown) => void;
}

/**
 * Creates a feed of a thread's history, newest first. It is live while it has a subscriber.
 * Creating it reads nothing. Throws a `RangeError` for a `pageSize` that is no number from 1 to
 * `limit`.
 */
export function createHistoryFeed<Operation>(
  source: HistorySource<Operation>,
  { pageSize = 50, rejections = false, limit = 5_000, onError }: HistoryFeedOptions = {},
): HistoryFeed<Operation> {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1 || limit < pageSize)
    throw new RangeError(`"pageSize" must be from 1 to ${limit}, not ${pageSize}.`);
  const state = createSource<HistoryState<Operation>>({ entries: [], hasOlder: false, loading: true }, onError);
  const refCount = new RefCount(start, stop);
  let unsubscribers: (() => void)[] | undefined;
  /** Whether the window has the newest entry of the thread, so that the next one continues it. */
  let isCurrent = false;
  let buffered: HistoryEntry<Operation>[] = [];
  const requested = { newest: false, older: false };
  let working: Promise<void> | undefined;
  let maxEntries = limit;

  function update(change: Partial<HistoryState<Operation>>): void {
    state.set({ ...state.getState(), ...change })();
  }

  function read(what: keyof typeof requested): void {
    requested[what] = true;
    working ??= work();
  }

  async function work(): Promise<void> {
    // A read may begin while listeners are notified. Its own notification comes after that one.
    await Promise.resolve();
    if (!state.getState().loading || "error" in state.getState()) {
      const { entries, hasOlder } = state.getState();
      state.set({ entries, hasOlder, loading: true })();
    }
    try {
      while (requested.newest || requested.older) {
        if (requested.newest) await readNewest();
        else await readOlder();
      }
      working = undefined;
      update({ loading: false });
    } catch (error) {
      [requested.newest, requested.older] = [false, false];
      working = undefined;
      update({ loading: false, error });
    }
  }

  async function readNewest(): Promise<void> {
    requested.newest = false;
    const page = await readPage({});
    // Another read was requested meanwhile, because something was missed.
    if (requested.newest) return;
    const { entries, hasOlder } = state.getState();
    const window = joinNewest(page, entries);
    const known = window.length > page.length;
    isCurrent = unsubscribers !== undefined;
    const newer = buffered;
    buffered = [];
    updateWindow(newer.reduce(insertOrReset, window), known ? hasOlder : mayHaveOlder(page));
  }

  async function readOlder(): Promise<void> {
    requested.older = false;
    const before = bottomOf(state.getState().entries);
    if (before === undefined || !state.getState().hasOlder) return;
    const page = await readPage({ before });
    const { entries } = state.getState();
    // The window was reset or trimmed meanwhile.
    if (bottomOf(entries) !== before) return;
    const window = joinOlder(entries, page);
    // Pages that were requested are not trimmed.
    maxEntries = Math.max(maxEntries, window.length);
    update({ entries: window, hasOlder: mayHaveOlder(page) });
  }

  function readPage(range: HistoryRange): Promise<readonly HistoryEntry<Operation>[]> {
    return source.history({ ...range, order: "descending", limit: pageSize, ...(rejections && { rejections }) });
  }

  /** A page that ends with a commit may be followed by another one. */
  function mayHaveOlder(page: Window<Operation>): boolean {
    const last = page.at(-1);
    if (last?.kind !== "commit") return false;
    return last.commit.version > 1 || (rejections && page.length >= pageSize);
  }

  /**
   * Inserts a buffered entry. Where versions between it and the window are missing, the log no
   * longer has them, and the window begins again with the entry.
   */
  function insertOrReset(window: Window<Operation>, entry: HistoryEntry<Operation>): Window<Operation> {
    const skips = entry.kind === "commit" && entry.commit.version > topOf(window) + 1;
    return skips ? [entry] : insert(window, entry);
  }

  function updateWindow(window: Window<Operation>, hasOlder: boolean): void {
    const entries = trim(window, maxEntries);
    if (entries !== state.getState().entries) update({ entries, hasOlder: hasOlder || entries.length < window.length });
  }

  function receive(entry: HistoryEntry<Operation>): void {
    const { entries, hasOlder } = state.getState();
    const skips = entry.kind === "commit" && entry.commit.version > topOf(entries) + 1;
    if (isCurrent && !skips) return updateWindow(insert(entries, entry), hasOlder);
    buffered.push(entry);
    // Without a read under way, the last one failed.
    if (isCurrent || working === undefined) reload();
  }

  function start(): void {
    if (unsubscribers !== undefined) return;
    unsubscribers = [
      source.onCommit((commit: Commit<Operation>) => receive({ kind: "commit", commit })),
      watchSync(source, {
        onCameOnline: () => reload(),
        onVersion(version, previous) {
          if (version < previous) reset();
          else if (isCurrent && version > topOf(state.getState().entries)) reload();
        },
      }),
    ];
    if (rejections && source.onRejection)
      unsubscribers.push(source.onRejection((refusal) => receive({ kind: "refusal", refusal })));
    reload();
  }

  function stop(): void {
    for (const unsubscribe of unsubscribers ?? []) unsubscribe();
    unsubscribers = undefined;
    isCurrent = false;
    buffered = [];
  }

  function reload(): void {
    isCurrent = false;
    read("newest");
  }

  /** The source has another thread than before. */
  function reset(): void {
    buffered = [];
    update({ entries: [], hasOlder: false });
    reload();
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: refCount.whileSubscribed(state.subscribe),
    async older() {
      const { entries } = state.getState();
      if (entries.length > 0) read("older");
      if (entries.length === 0 || (unsubscribers !== undefined && !isCurrent)) read("newest");
      await working;
    },
  };
}
