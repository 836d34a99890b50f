// The threads that this process has open, by their log: each is opened once.
//
// Invariants:
// - Of one thread of one log object there is one OpenedThread that has not ended.
// - Nothing keeps a log: what it has open goes with it.

import type { AnyDefinition } from "../../definition/definition.ts";
import { OpstateError } from "../../error.ts";
import type { Log } from "../log/log.ts";
import type { ReceiptOptions } from "../log/receipt-time.ts";
import type { OpenedThread } from "./opened-thread.ts";

type Opening = Promise<OpenedThread | undefined>;

const opened = new WeakMap<Log, Map<string, Opening>>();

export interface Wanted {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  readonly snapshotEvery?: number | undefined;
  readonly compact?: { readonly keep: number } | undefined;
  readonly receipts?: ReceiptOptions | undefined;
  readonly logTimeout?: number | undefined;
}

/**
 * The open thread, or the one that `open` gives, and what `hold` makes of it in the step in which
 * it is found. Undefined when `open` finds none. `open` gets what it calls when the thread has
 * ended. Throws an OpstateError (`definition_mismatch`, `other_options`) when it is open in another
 * way.
 */
export async function shareThread<T>(
  wanted: Wanted,
  open: (onEnd: () => void) => Opening,
  hold: (thread: OpenedThread) => T,
): Promise<T | undefined> {
  const { log, threadId } = wanted;
  const threads = opened.get(log) ?? new Map<string, Opening>();
  opened.set(log, threads);
  for (;;) {
    const earlier = threads.get(threadId);
    if (earlier === undefined) {
      const opening: Opening = open(() => forget());
      const forget = () => {
        if (threads.get(threadId) === opening) threads.delete(threadId);
      };
      threads.set(threadId, opening);
      try {
        const thread = await opening;
        if (thread === undefined) forget();
        // It may have ended in the step in which it was opened.
        if (thread?.hasEnded !== true) return thread && hold(thread);
      } catch (error) {
        forget();
        throw error;
      }
      continue;
    }
    // When an opener fails, the next one tries by itself.
    const thread = await earlier.catch(() => undefined);
    if (thread === undefined) continue;
    if (thread.hasEnded) continue;
    checkSame(thread, wanted);
    try {
      await thread.refresh();
    } catch (error) {
      // The log has it no more.
      if (thread.hasEnded) continue;
      throw error;
    }
    if (thread.hasEnded) continue;
    const { settings } = thread;
    settings.snapshotEvery ??= wanted.snapshotEvery;
    settings.compact ??= wanted.compact?.keep;
    settings.receipts ??= wanted.receipts?.keep;
    settings.logTimeout ??= wanted.logTimeout;
    return hold(thread);
  }
}

function checkSame({ definition, settings, info }: OpenedThread, wanted: Wanted): void {
  const thread = `Thread "${info.threadId}" is open already, on the same log object,`;
  const why = "All who open it in one process share one authority.";
  if (definition.name !== wanted.definition.name)
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${info.threadId}" holds a "${definition.name}", not a "${wanted.definition.name}".`,
    );
  if (definition !== wanted.definition) {
    const which = `with another definition that is also named "${definition.name}" (version ${definition.version}; here it is version ${wanted.definition.version})`;
    throw new OpstateError(
      "definition_mismatch",
      `${thread} ${which}. ${why} Define it once and import it, or close the open thread first.`,
    );
  }
  const said = [
    ["snapshotEvery", settings.snapshotEvery, wanted.snapshotEvery],
    ["compact.keep", settings.compact, wanted.compact?.keep],
    ["receipts.keep", settings.receipts, wanted.receipts?.keep],
    ["logTimeout", settings.logTimeout, wanted.logTimeout],
  ] as const;
  for (const [name, before, now] of said) {
    if (before === undefined || now === undefined || before === now) continue;
    throw new OpstateError(
      "other_options",
      `${thread} with \`${name}\` ${before}, not ${now}. ${why} Give the same, or leave it out.`,
    );
  }
}
