// The history as reactive values: newest first, live, with older entries by pages.

import type { ClientThread, HistoryOptions, HistoryState } from "@opstate/client";
import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import { getterOf, type Given } from "./given.ts";
import { Parts } from "./parts.ts";

/**
 * The history of a thread. Create it once, not in a template. It is live while a template, a
 * `$derived` or an `$effect` reads it: nothing needs to be closed, and a server reads nothing.
 * Instances with the same options share it.
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
export class History<D extends AnyDefinition = AnyDefinition> {
  /** Reads the next page at the oldest end. Never rejects: see `error`. */
  readonly older: () => Promise<void>;
  readonly #parts: Parts<HistoryState<AcceptedOperationOf<D>>>;

  constructor(thread: Given<Pick<ClientThread<D>, "history">>, options: HistoryOptions = {}) {
    const getThread = getterOf(thread);
    const feed = () => getThread().history.with(options);
    this.older = () => feed().older();
    this.#parts = new Parts(feed);
  }

  /** Newest first. An entry keeps its reference. */
  get entries(): HistoryState<AcceptedOperationOf<D>>["entries"] {
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
