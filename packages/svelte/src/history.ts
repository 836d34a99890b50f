// The log as reactive values: newest first, live, further back page by page.

import type { AnyOperation } from "@opstate/core";
import { createHistoryFeed, type HistoryFeedOptions, type HistorySource, type HistoryState } from "@opstate/core/feeds";
import { Parts } from "./parts.ts";
import { getterOf, madeOf, Present } from "./present.ts";

/** The history of a source; undefined when it has none. */
export type HistoryIn<Source> = Source extends HistorySource<infer Operation> ? History<Operation> : undefined;

/**
 * The history of a thread, or of `{ ...threadClient(options), ...replica }`. Make it once, not in a
 * template. It is read while a template, a `$derived` or an `$effect` reads it: nothing has to be
 * closed, and on a server nothing is read.
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

  constructor(source: HistorySource<Operation> | Present<HistorySource<Operation>>, options?: HistoryFeedOptions) {
    const feed = madeOf(source, (now) => createHistoryFeed(now, options));
    this.older = () => feed.get().older();
    this.#parts = new Parts(feed);
  }

  /** Newest first. An entry keeps its reference. */
  get entries(): HistoryState<Operation>["entries"] {
    return this.#parts.read("entries");
  }

  /** Whether there may be entries behind the last one. */
  get hasOlder(): boolean {
    return this.#parts.read("hasOlder");
  }

  /** A read is under way, or none was yet. */
  get loading(): boolean {
    return this.#parts.read("loading");
  }

  /** What the last read threw. What is heard next, a reconnection or `older` try again. */
  get error(): unknown {
    return this.#parts.read("error");
  }
}

/** Made anew with each call. */
export function historyIn<Source>(source: Source | Present<Source>): HistoryIn<Source> {
  const present = getterOf<unknown>(source);
  // TypeScript does not look into the conditional type of a parameter that is still open.
  return (hasHistory(present) ? new History(new Present(present)) : undefined) as HistoryIn<Source>;
}

function hasHistory(present: () => unknown): present is () => HistorySource<unknown> {
  const source = present();
  return typeof source === "object" && source !== null && "history" in source && "onCommit" in source;
}
