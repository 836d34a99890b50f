// A scenario through one host, on a server of its own: what the log has, and what the model read.

import type { AnyOperation, HistoryEntry, Thread } from "@opstate/core";
import { isApprove, isMerge } from "@opstate/core/log";
import { mcpEndpoint } from "@opstate/mcp";
import { serve } from "../../../packages/agent/test/support/server.ts";
import { ada, board, planner } from "./board.ts";
import type { Host } from "./hosts/host.ts";
import type { Scenario } from "./scenarios.ts";
import { Script } from "./script.ts";

export interface Played {
  readonly log: readonly unknown[];
  readonly state: unknown;
  /** By call: what the model read. */
  readonly words: Readonly<Record<string, string>>;
  readonly entries: readonly HistoryEntry[];
}

export async function play(host: Host, { steps, onBranch }: Scenario): Promise<Played> {
  const script = new Script(steps);
  const { url, server } = await serve(board, { mcp: mcpEndpoint(), agents: host.agents?.(script, planner) ?? {} });
  const main = await server.thread("s", board);
  const branch = onBranch && (await main.branch(undefined, { id: "s~work" }));
  const thread: Thread<typeof board> = branch ?? main;
  script.begin(thread);
  await host.play(script, { url, threadId: thread.threadId, thread, agent: planner });
  const entries = await thread.history({ rejections: true });
  await branch?.merge({ actor: ada });
  const merged = branch === undefined ? [] : await main.history();
  const { words } = script;
  return { log: [...entries, ...merged].flatMap(comparable), state: main.getState(), words, entries };
}

/**
 * What an entry did, or why it was refused: without ids of runs and calls, and without times.
 * Entries of a question are left out; what was approved is what it did. The id of a submission is
 * made of its call's, except where a question or a key makes it.
 */
function comparable(entry: HistoryEntry): readonly unknown[] {
  if (entry.kind === "refusal") {
    const { actor, operation, rejection } = entry.refusal;
    return [{ actor, operation, rejection }];
  }
  const { id, actor, operation, patches, inverse } = entry.commit;
  if (operation.type === "$propose" || operation.type === "$decline") return [];
  const done = doneBy(operation);
  const hasOwnId = done === operation && operation.type !== "pay";
  return [{ ...(hasOwnId && { id: id.split(/[/:]/).at(-1) }), actor, operation: done, patches, inverse }];
}

function doneBy(operation: AnyOperation): AnyOperation {
  return isApprove(operation) || isMerge(operation) ? operation.operation : operation;
}

/** The versions at which the log has an operation of this type, done or approved. */
export function versionsOf({ entries }: Played, type: string): readonly number[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== "commit") return [];
    const { operation, version } = entry.commit;
    return doneBy(operation).type === type ? [version] : [];
  });
}

/** A question has a version, too, and may come before the other calls of its message. */
const versionless = (words = "") => words.replace(/ version \d+/, " version");
const unnamed = (words = "") => words.replace(/ Created .*/, "");

/** What is the same for every host, of what the model read. */
export function plainWords(words: string | undefined, { namesCreated }: Host): string {
  return versionless(namesCreated === false ? unnamed(words) : words);
}
