// Opens a thread: loads or creates it, unless it is open in this process already.

import type { AnyDefinition } from "../definition/definition.ts";
import { fullDefinition } from "../definition/full.ts";
import { heldThread } from "./open/held-thread.ts";
import { checkWellFormed } from "./id.ts";
import { randomId } from "./random-id.ts";
import type { LogAdapter } from "./log/adapter.ts";
import { fullLog } from "./log/create-log.ts";
import type { Log } from "./log/log.ts";
import { checkReceipts, type ReceiptOptions } from "./log/receipt-time.ts";
import { timedLog } from "./log/timed-log.ts";
import type { SlowOperation } from "./options.ts";
import { shareThread } from "./open/open-threads.ts";
import { OpenedThread } from "./open/opened-thread.ts";
import type { ThreadObserver } from "./observe.ts";
import { eventLoop, type Scheduler } from "./pace.ts";
import type { Thread } from "./thread.ts";
import { type Loaded, type Loading, loadOrCreate, loadThread } from "./upkeep/load.ts";

export interface OpenThreadOptions<D extends AnyDefinition> {
  readonly definition: D;
  readonly log: Log | LogAdapter;
  readonly threadId: string;
  /** The time that commits are stamped with, ISO 8601 in UTC; default now. */
  readonly clock?: () => string;
  /** Makes the id of a submission that has none; default 32 random hex digits. */
  readonly mintId?: () => string;
  /**
   * How long work lets others run in between; default by the host's clock and event loop. Of those
   * who open a thread in one process, the first one's.
   */
  readonly scheduler?: Scheduler;
  /**
   * A snapshot is stored after this many commits, so that opening need not replay them; default
   * 500. All who open the thread in one process say the same, or nothing.
   */
  readonly snapshotEvery?: number;
  /**
   * Removes older history by itself: at least the newest `keep` commits stay, at most about twice
   * as many. Default: all stay. A branch always keeps its history. All who open the thread in one
   * process say the same, or nothing.
   */
  readonly compact?: { readonly keep: number };
  /**
   * For how long the thread knows the ids of submissions, so that one that is sent again has its
   * effect once: `{ keep: milliseconds }`. What is older, by its `madeAt`, is refused with
   * `conflict`, reason `too_old`, and never run. Receipts are removed a day later than that; those
   * that an open branch or proposal needs stay. Default: for ever. All who open the thread say the
   * same, or, in one process, nothing.
   */
  readonly receipts?: ReceiptOptions;
  /**
   * Called when an operation took 50 ms or more. Its reducer runs in one go, so all other work of
   * the process waited for it.
   */
  readonly onSlow?: (slow: SlowOperation) => void;
  /**
   * Milliseconds, from 1: a call to the log that takes longer is given up, and what waits for it
   * rejects with an OpstateError (`timed_out`). A submission may have been stored nevertheless:
   * sent again with its id, it has one effect. Default: as long as the log itself takes. All who
   * open the thread in one process say the same, or nothing.
   */
  readonly logTimeout?: number;
  /** Called with what a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
  /**
   * Is called with each submission through this thread: its verdict, and how long it was queued,
   * judged and stored. Nothing is measured without it. Branches opened from the thread have it too.
   */
  readonly observe?: ThreadObserver;
}

/**
 * Opens a thread, and creates it when the log does not have it. It has one authority for a log
 * object: all who open it, a server too, share it and see the same commits at once. It is
 * closed when the last of them closes theirs. Throws an OpstateError: `invalid_id` for an id that
 * is not well-formed text, `definition_mismatch` when the stored or open thread is of another
 * definition or the stored one of a newer version, `other_options` when it is open with other
 * options, `corrupt_log` when what is stored does not fit together.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const ada = { kind: "user", id: "ada" };
 * const verdict = await thread.dispatch(counter.op.add({ by: 1 }), { actor: ada });
 * verdict.accepted; // true
 * thread.version; // 1
 * thread.getState(); // { count: 1 }
 * ```
 */
export async function openThread<D extends AnyDefinition>(options: OpenThreadOptions<D>): Promise<Thread<D>> {
  const { threadId, compact, receipts, logTimeout } = options;
  const definition = fullDefinition(options.definition);
  if (compact !== undefined && !(Number.isSafeInteger(compact.keep) && compact.keep > 0))
    throw new RangeError(`"compact.keep" must be a number of commits from 1, not ${compact.keep}.`);
  checkReceipts(receipts);
  if (logTimeout !== undefined && !(logTimeout >= 1))
    throw new RangeError(`"logTimeout" must be milliseconds from 1, or Infinity, not ${logTimeout}.`);
  checkWellFormed("A thread id", threadId);
  // Inside, states and operations are JSON; to the caller they have the types of its definition.
  return (await openWith({ ...options, definition }, loadOrCreate)) as Thread<D>;
}

function openWith<T extends Loaded | undefined>(
  given: OpenThreadOptions<AnyDefinition>,
  load: (loading: Loading) => Promise<T>,
): Promise<Thread | (T & undefined)> {
  const options = { ...given, log: fullLog(given.log) };
  const { definition, log, threadId, clock = now, mintId = randomId, scheduler = eventLoop } = options;
  const { snapshotEvery, compact, receipts, logTimeout, onError, observe, onSlow } = options;
  const shared = shareThread(
    options,
    async (onEnd) => {
      const timed = timedLog(log, () => logTimeout ?? Infinity);
      const loaded = await load({ definition, log: timed, threadId, clock, scheduler });
      const settings = { definition, log, threadId, clock, scheduler, snapshotEvery, compact, receipts, logTimeout };
      return loaded && new OpenedThread(settings, loaded, onEnd);
    },
    (opened) =>
      heldThread(opened, {
        clock,
        mintId,
        onError,
        observe,
        onSlow,
        openStored: (id) => openWith({ ...options, threadId: id }, loadThread),
      }),
  );
  // It is undefined where `load` finds none.
  return shared as Promise<Thread | (T & undefined)>;
}

function now(): string {
  return new Date().toISOString();
}
