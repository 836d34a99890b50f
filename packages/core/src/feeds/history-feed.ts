// The history as a list that grows at both ends: live at its newest, page by page at its oldest.
//
// Invariants: one read at a time; what is heard while the newest page is read waits for it, so
// there is neither gap nor repetition; after anything that may have been missed (nobody watched,
// the connection was lost, versions were left out) the newest page is read again.

import { createSource, type Readable } from "../readable.ts";
import { RefCount } from "../replica/ref-count.ts";
import type { Commit, Refusal } from "../thread/commit.ts";
import type { HistoryEntry } from "../thread/entries.ts";
import type { HistoryRange } from "../thread/options.ts";
import { type CommitSource, watchStanding } from "./commit-source.ts";
import { bottomOf, insert, joinNewest, joinOlder, topOf, trim, type Window } from "./history-window.ts";

/**
 * A thread is one, and so is a participant's access beside a replica: `{ ...replica,
 * ...threadClient(options) }`.
 */
export interface HistorySource<Operation = { readonly type: string }> extends CommitSource<Operation> {
  history(range: HistoryRange): Promise<readonly HistoryEntry<Operation>[]>;
  onRejection?(listener: (refusal: Refusal) => void): () => void;
}

export interface HistoryState<Operation = { readonly type: string }> {
  /** Newest first. */
  readonly entries: readonly HistoryEntry<Operation>[];
  /** Whether there may be entries behind the last one. */
  readonly hasOlder: boolean;
  /** A read is under way, or none was yet. */
  readonly loading: boolean;
  /** What the last read threw. What is heard next, a reconnection or `older` try again. */
  readonly error?: unknown;
}

export interface HistoryFeed<Operation = { readonly type: string }> extends Readable<HistoryState<Operation>> {
  /** Reads the next page at the oldest end. Never rejects: see `error`. */
  older(): Promise<void>;
}

export interface HistoryFeedOptions {
  /** Entries of one page; default 50. */
  readonly pageSize?: number;
  /** Refusals too; default false. */
  readonly rejections?: boolean;
  /** Entries that are kept; beyond, the oldest leave, and can be read again. Default 5,000. */
  readonly limit?: number;
  readonly onError?: (error: unknown) => void;
}

/**
 * A thread's history, newest first, that follows what happens for as long as somebody subscribes.
 * Making it reads nothing.
 *
 * @example
 * ```ts
 * import { createHistoryFeed, defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * for (const by of [1, 2, 3]) await thread.dispatch(counter.op.add({ by }), { actor: { kind: "user", id: "ada" } });
 * const history = createHistoryFeed(thread, { pageSize: 2 });
 * await history.older();
 * history.getState().entries.length; // 2
 * history.getState().hasOlder; // true
 * await history.older();
 * history.getState().entries.length; // 3
 * ```
 */
export function createHistoryFeed<Operation>(
  source: HistorySource<Operation>,
  { pageSize = 50, rejections = false, limit = 5_000, onError }: HistoryFeedOptions = {},
): HistoryFeed<Operation> {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1 || limit < pageSize)
    throw new RangeError(`"pageSize" is a number of entries from 1 to "limit" (${limit}), not ${pageSize}.`);
  const state = createSource<HistoryState<Operation>>({ entries: [], hasOlder: false, loading: true }, onError);
  const demand = new RefCount(start, stop);
  let ends: (() => void)[] | undefined;
  /** Whether the window ends where the thread stands, so that what is heard next continues it. */
  let current = false;
  let heard: HistoryEntry<Operation>[] = [];
  const wanted = { newest: false, older: false };
  let working: Promise<void> | undefined;
  let most = limit;

  function show(change: Partial<HistoryState<Operation>>): void {
    state.set({ ...state.getState(), ...change })();
  }

  function read(what: keyof typeof wanted): void {
    wanted[what] = true;
    working ??= work();
  }

  async function work(): Promise<void> {
    // A read that begins in the middle of a notification would be told before it.
    await Promise.resolve();
    if (!state.getState().loading || "error" in state.getState()) {
      const { entries, hasOlder } = state.getState();
      state.set({ entries, hasOlder, loading: true })();
    }
    try {
      while (wanted.newest || wanted.older) {
        if (wanted.newest) await readNewest();
        else await readOlder();
      }
      working = undefined;
      show({ loading: false });
    } catch (error) {
      [wanted.newest, wanted.older] = [false, false];
      working = undefined;
      show({ loading: false, error });
    }
  }

  async function readNewest(): Promise<void> {
    wanted.newest = false;
    const page = await readPage({});
    // Somebody came back, or missed something, while it was read.
    if (wanted.newest) return;
    const { entries, hasOlder } = state.getState();
    const window = joinNewest(page, entries);
    const known = window.length > page.length;
    current = ends !== undefined;
    const newer = heard;
    heard = [];
    showWindow(newer.reduce(startOrInsert, window), known ? hasOlder : mayGoOn(page));
  }

  async function readOlder(): Promise<void> {
    wanted.older = false;
    const before = bottomOf(state.getState().entries);
    if (before === undefined || !state.getState().hasOlder) return;
    const page = await readPage({ before });
    const { entries } = state.getState();
    // It may have begun again, or lost its end, meanwhile.
    if (bottomOf(entries) !== before) return;
    const window = joinOlder(entries, page);
    // What was asked for stays.
    most = Math.max(most, window.length);
    show({ entries: window, hasOlder: mayGoOn(page) });
  }

  function readPage(range: HistoryRange): Promise<readonly HistoryEntry<Operation>[]> {
    return source.history({ ...range, order: "descending", limit: pageSize, ...(rejections && { rejections }) });
  }

  /** As the history says: a page that ends with a commit may be followed by another one. */
  function mayGoOn(page: Window<Operation>): boolean {
    const last = page.at(-1);
    if (last?.kind !== "commit") return false;
    return last.commit.version > 1 || (rejections && page.length >= pageSize);
  }

  /**
   * The page did not have a commit that was told before it was read, nor the one before that: the
   * log forgot what is in between.
   */
  function startOrInsert(window: Window<Operation>, entry: HistoryEntry<Operation>): Window<Operation> {
    const skips = entry.kind === "commit" && entry.commit.version > topOf(window) + 1;
    return skips ? [entry] : insert(window, entry);
  }

  function showWindow(window: Window<Operation>, hasOlder: boolean): void {
    const entries = trim(window, most);
    if (entries !== state.getState().entries) show({ entries, hasOlder: hasOlder || entries.length < window.length });
  }

  function hear(entry: HistoryEntry<Operation>): void {
    const { entries, hasOlder } = state.getState();
    const skips = entry.kind === "commit" && entry.commit.version > topOf(entries) + 1;
    if (current && !skips) return showWindow(insert(entries, entry), hasOlder);
    heard.push(entry);
    // Not current and nothing under way: the last read failed.
    if (current || working === undefined) missed();
  }

  function start(): void {
    if (ends !== undefined) return;
    ends = [
      source.onCommit((commit: Commit<Operation>) => hear({ kind: "commit", commit })),
      watchStanding(source, {
        onCameOnline: () => missed(),
        onVersion(version, previous) {
          if (version < previous) startAgain();
          else if (current && version > topOf(state.getState().entries)) missed();
        },
      }),
    ];
    if (rejections && source.onRejection)
      ends.push(source.onRejection((refusal) => hear({ kind: "refusal", refusal })));
    missed();
  }

  function stop(): void {
    for (const end of ends ?? []) end();
    ends = undefined;
    current = false;
    heard = [];
  }

  function missed(): void {
    current = false;
    read("newest");
  }

  /** It is another thread than before. */
  function startAgain(): void {
    heard = [];
    show({ entries: [], hasOlder: false });
    missed();
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: demand.whileSubscribed(state.subscribe),
    async older() {
      const { entries } = state.getState();
      if (entries.length > 0) read("older");
      if (entries.length === 0 || (ends !== undefined && !current)) read("newest");
      await working;
    },
  };
}
