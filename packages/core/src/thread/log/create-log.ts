// A log of an adapter, and handles for a log that has none.
//
//   LogAdapter ── createLog ──> handles, checked, and the calls of the port before
//   Log with the calls before ── fullLog ──> its calls, and handles made of them
//
// Invariant: what was put in the place of a call is what is called, by handles too. So a log
// in front of another, made by `{ ...log, append }`, sees all appends.

import type { LogAdapter } from "./adapter.ts";
import type { FullLog, Log } from "./log.ts";
import { guardedAdapter } from "./guarded-adapter.ts";
import { handlesOf } from "./old-port/old-log-handles.ts";
import { oldCalls, type OldCalls } from "./old-port/old-calls.ts";

/** The adapter whose handles a call is a wrapper of. */
const adapters = new WeakMap<object, LogAdapter>();
const fullLogs = new WeakMap<object, FullLog>();

/**
 * The log of an adapter: ids are checked, a call ends at its deadline or abort, and the calls of
 * the port before are there. Calls with an id that is not well-formed text do nothing and reject
 * with an OpstateError (`invalid_id`).
 *
 * @example
 * ```ts
 * import { memoryLog } from "@opstate/core";
 * import { createLog, type LogAdapter } from "@opstate/core/log";
 *
 * // An adapter in front of another: it counts what is appended.
 * let appended = 0;
 * const { thread, threads, limits, close } = memoryLog();
 * const counting: LogAdapter = {
 *   limits,
 *   threads,
 *   close,
 *   thread(threadId, incarnation) {
 *     const handle = thread(threadId, incarnation);
 *     return {
 *       ...handle,
 *       append(head, entries, call) {
 *         appended += entries.length;
 *         return handle.append(head, entries, call);
 *       },
 *     };
 *   },
 * };
 * const log = createLog(counting);
 * await log.thread("visits", "a").create({ definition: "counter", definitionVersion: 1, state: {}, at: "" });
 * (await log.thread("visits").info())?.incarnation; // "a"
 * appended; // 0
 * ```
 */
export function createLog<A extends LogAdapter>(adapter: A): FullLog & Pick<A, keyof A & ("watch" | "finder")> {
  // The members that an adapter may have are those that this one has.
  return withOldCalls({ ...adapter, ...guardedAdapter(adapter) }) as FullLog & Pick<A, keyof A & ("watch" | "finder")>;
}

/** The same for handles that are checked already. */
export function withOldCalls(adapter: LogAdapter): FullLog {
  const calls = oldCalls(adapter);
  for (const call of Object.values(calls)) adapters.set(call, adapter);
  return { ...adapter, ...calls };
}

/** Whether a call is as `createLog` made it, and the handles that it leads to are there. */
function isWrapper(log: Log & Partial<LogAdapter>, name: keyof OldCalls): boolean {
  const call: unknown = log[name];
  return typeof call === "function" && adapters.has(call) && log.thread !== undefined && log.threads !== undefined;
}

/** The log with the calls of both ports. The same one for the same log. */
export function fullLog(log: Log | LogAdapter): FullLog {
  if (!("append" in log)) return remembered(log, () => createLog(log));
  const given: Log & Partial<LogAdapter> = log;
  const names = ["create", "info", "load", "append", "receipt", "read", "refusals", "saveSnapshot"] as const;
  const others = ["snapshotAt", "compact", "list", "page", "delete"] as const;
  const isFull = [...names, ...others].every((name) => isWrapper(given, name));
  // Then it has all members of both.
  return isFull ? (given as FullLog) : remembered(given, () => handlesOf(given, (name) => isWrapper(given, name)));
}

function remembered<L extends object>(log: L, make: () => FullLog): FullLog {
  const known = fullLogs.get(log) ?? make();
  fullLogs.set(log, known);
  return known;
}
