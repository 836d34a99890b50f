// The caller of a program that has the log itself: one actor, who reads and writes and nothing
// else. Threads are opened when they are named first, and follow what other processes commit.

import { OpstateError, openThread, type Actor, type AnyDefinition, type Thread } from "@opstate/core";
import { fullDefinition } from "@opstate/core/definition";
import type { FullLog } from "@opstate/core/log";
import { isId, reach } from "@opstate/core/thread";
import { CallProblem } from "../call/arguments.ts";
import type { McpCaller, McpRight } from "../call/caller.ts";

export interface LogCallerOptions {
  readonly definitions: readonly AnyDefinition[];
  readonly log: FullLog;
  readonly actor: Actor;
}

const LIST_LIMIT = 500;
const GRANTED: ReadonlySet<McpRight> = new Set(["read", "write"]);

export interface LogCaller extends McpCaller {
  /** Closes what it opened. The log is its owner's. */
  close(): Promise<void>;
}

export function logCaller({ definitions: given, log, actor }: LogCallerOptions): LogCaller {
  const definitions = given.map(fullDefinition);
  const opened = new Map<string, Promise<Thread>>();

  async function open(threadId: string): Promise<Thread> {
    const info = isId(threadId) ? await log.info(threadId) : undefined;
    if (info === undefined) throw new CallProblem(`There is no thread ${JSON.stringify(threadId)}.`, "unknown_thread");
    const definition = definitions.find(({ name }) => name === info.definition);
    if (definition === undefined)
      throw new CallProblem(
        `Thread "${threadId}" holds a "${info.definition}", which this program has no definition of.`,
        "definition_differs",
      );
    const thread = await openThread({ definition, log, threadId });
    // Deleted by another process: the next call opens whatever has the name then.
    thread.onClose(() => opened.delete(threadId));
    return thread;
  }

  async function thread(threadId: string): Promise<Thread> {
    const opening = opened.get(threadId) ?? open(threadId);
    opened.set(threadId, opening);
    opening.catch(() => opened.delete(threadId));
    const found = await opening;
    // Another process may have written it a moment ago.
    await reach(found, (await log.info(threadId))?.version ?? 0);
    return found;
  }

  const caller: LogCaller = {
    actor,
    definitions,
    async require(threadId, right) {
      if (!GRANTED.has(right))
        throw new CallProblem(`This needs the right "${right}" on thread "${threadId}".`, "not_allowed");
    },
    allows: async (_, right) => GRANTED.has(right),
    thread,
    async threads() {
      const { items: found } = await log.threads({ limit: LIST_LIMIT, parent: null });
      return found.filter((info) => definitions.some(({ name }) => name === info.definition));
    },
    admit: async () => {},
    spend: () => {},
    async follow() {
      throw new CallProblem("Over stdio there are no subscriptions: every result tells what others changed.");
    },
    lasts: () => () => {},
    again: async () => caller,
    explain(error) {
      if (error instanceof OpstateError) return { code: error.code, message: error.message.split("\n")[0] ?? "" };
      return { code: "failure", message: error instanceof Error ? error.message : String(error) };
    },
    async close() {
      await Promise.all([...opened.values()].map((opening) => opening.then((found) => found.close()).catch(() => {})));
    },
  };
  return caller;
}
