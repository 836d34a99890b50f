// The history as reactive values: newest first, live, with older entries by pages.

import type { ClientThread, ThreadHistory } from "@opstate/client";
import type { AcceptedOperationOf, AnyOperation } from "@opstate/core";
import {
  createHistoryFeed,
  type HistoryFeed,
  type HistoryFeedOptions,
  type HistorySource,
  type HistoryState,
} from "@opstate/core/feeds";
import { isClientThread } from "./client-thread.ts";
import { Parts } from "./parts.ts";
import { sourceGetter, mapSource, SourceRef } from "./source-ref.ts";

/** The history of a source; undefined when it has none. */
export type HistoryIn<Source> =
  Source extends ClientThread<infer D>
    ? History<AcceptedOperationOf<D>>
    : Source extends HistorySource<infer Operation>
      ? History<Operation>
      : undefined;

/** What a history is read from: a thread, or the `history` of a client's thread. */
type HistoryIs<Operation> = HistorySource<Operation> | HistoryFeed<Operation>;

/**
 * The history of a thread, of a client's `thread.history`, or of `{ ...threadClient(options),
 * ...replica }`. Create it once, not in
 * a template. It is live while a template, a `$derived` or an `$effect` reads it: nothing needs to
 * be closed, and a server reads nothing.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const log = new History(thread, { pageSize: 20, rejections: true });
 * </script>
 *
 * {#each log.entries as entry (entry)}
 *   <li>{entry.kind === "commit" ? entry.commit.operation.type : entry.refusal.rejection.message}</li>
 * {/each}
 * {#if log.hasOlder}<button disabled={log.loading} onclick={log.older}>Older</button>{/if}
 * ```
 */
export class History<Operation = AnyOperation> {
  /** Reads the next page at the oldest end. Never rejects: see `error`. */
  readonly older: () => Promise<void>;
  readonly #parts: Parts<HistoryState<Operation>>;

  constructor(source: HistoryIs<Operation> | SourceRef<HistoryIs<Operation>>, options?: HistoryFeedOptions) {
    const feed = mapSource(source, (now) => feedOf(now, options));
    this.older = () => feed.get().older();
    this.#parts = new Parts(feed);
  }

  /** Newest first. An entry keeps its reference. */
  get entries(): HistoryState<Operation>["entries"] {
    return this.#parts.read("entries");
  }

  /** Whether there may be older entries than the last one. */
  get hasOlder(): boolean {
    return this.#parts.read("hasOlder");
  }

  /** Whether a read is under way, or none has begun yet. */
  get loading(): boolean {
    return this.#parts.read("loading");
  }

  /** What the last read threw. The next entry, a reconnection or `older` reads again. */
  get error(): unknown {
    return this.#parts.read("error");
  }
}

function feedOf<Operation>(
  source: HistoryIs<Operation> | SharedHistory<Operation>,
  options: HistoryFeedOptions = {},
): HistoryFeed<Operation> {
  if ("with" in source) return source.with(options);
  return "older" in source ? source : createHistoryFeed(source, options);
}

/** The part of a client's history that gives it with options: the same feed for the same ones. */
type SharedHistory<Operation> = HistoryFeed<Operation> & {
  with(options: Parameters<ThreadHistory["with"]>[0]): HistoryFeed<Operation>;
};

/** Returns a new object with each call. */
export function historyIn<Source>(source: Source | SourceRef<Source>): HistoryIn<Source> {
  const getSource = sourceGetter<unknown>(source);
  // TypeScript does not resolve conditional types of a type parameter.
  return (
    hasHistory(getSource) ? new History(new SourceRef(() => historyOf(getSource()))) : undefined
  ) as HistoryIn<Source>;
}

function historyOf(source: HistorySource<unknown> | ClientThread): HistoryIs<unknown> {
  return isClientThread(source) ? source.history : source;
}

function hasHistory(getSource: () => unknown): getSource is () => HistorySource<unknown> | ClientThread {
  const source = getSource();
  return typeof source === "object" && source !== null && "history" in source && "onCommit" in source;
}
