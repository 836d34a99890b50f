// One script, every host: twenty scenarios with a scripted model, through each way in which an
// agent can work on a thread. The logs are equal, and so are the words that the model reads.
//
// Not compared: ids of runs, calls and submissions, and times. A host without questions leaves a
// call that needs approval on a page; its model reads that it waits.

import type { AnyOperation, HistoryEntry, Thread } from "@opstate/core";
import { isApprove, isMerge } from "@opstate/core/log";
import { mcpEndpoint } from "@opstate/mcp";
import { describe, expect, it } from "vitest";
import { serve } from "../../packages/agent/test/support/server.ts";
import { ada, board } from "./one-script/board.ts";
import { agUi } from "./one-script/hosts/ag-ui.ts";
import { aiSdk } from "./one-script/hosts/ai-sdk.ts";
import type { Host } from "./one-script/hosts/host.ts";
import { http } from "./one-script/hosts/http.ts";
import { langGraph } from "./one-script/hosts/langgraph.ts";
import { mcp } from "./one-script/hosts/mcp.ts";
import { openAiAgents } from "./one-script/hosts/openai-agents.ts";
import { scenarios, type Scenario } from "./one-script/scenarios.ts";
import { Script } from "./one-script/script.ts";

const hosts: readonly Host[] = [http, langGraph, agUi, mcp, aiSdk, openAiAgents];

interface Played {
  readonly log: readonly unknown[];
  readonly state: unknown;
  /** By call: what the model read. */
  readonly words: Readonly<Record<string, string>>;
  readonly entries: readonly HistoryEntry[];
}

async function play(host: Host, { steps, onBranch }: Scenario): Promise<Played> {
  const script = new Script(steps);
  const { url, server } = await serve(board, { mcp: mcpEndpoint(), agents: host.agents?.(script) ?? {} });
  const main = await server.thread("s", board);
  const branch = onBranch && (await main.branch(undefined, { id: "s~work" }));
  const thread: Thread<typeof board> = branch ?? main;
  script.begin(thread);
  await host.play(script, { url, threadId: thread.threadId, thread });
  const entries = await thread.history({ rejections: true });
  await branch?.merge({ actor: ada });
  const merged = branch === undefined ? [] : await main.history();
  const { words } = script;
  return { log: [...entries, ...merged].flatMap(comparable), state: main.getState(), words, entries };
}

/**
 * What an entry did, or why it was refused: without ids of runs, calls and submissions, and without
 * times. Entries of a question are left out; what was approved is what it did.
 */
function comparable(entry: HistoryEntry): readonly unknown[] {
  if (entry.kind === "refusal") {
    const { actor, operation, rejection } = entry.refusal;
    return [{ actor, operation, rejection }];
  }
  const { actor, operation, patches, inverse } = entry.commit;
  if (operation.type === "$propose" || operation.type === "$decline") return [];
  return [{ actor, operation: doneBy(operation), patches, inverse }];
}

function doneBy(operation: AnyOperation): AnyOperation {
  return isApprove(operation) || isMerge(operation) ? operation.operation : operation;
}

/** The versions at which the log has an operation of this type, done or approved. */
function versionsOf({ entries }: Played, type: string): readonly number[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== "commit") return [];
    const { operation, version } = entry.commit;
    return doneBy(operation).type === type ? [version] : [];
  });
}

/** A question has a version, too, and may come before the other calls of its message. */
const versionless = (words = "") => words.replace(/ version \d+/, " version");

describe.each(scenarios)("$title", { timeout: 120_000 }, (scenario) => {
  const able = hosts.filter(({ hasKeys }) => hasKeys || scenario.newIds !== true);
  const calls = new Map(
    scenario.steps.flatMap((step) => ("says" in step ? step.says.map((call) => [call.id, call]) : [])),
  );
  const isAsked = (id: string) => calls.get(id)?.name === "clear" && scenario.onBranch !== true;
  const byHost = new Map<Host, Promise<Played>>();
  const playedBy = (host: Host) => {
    const played = byHost.get(host) ?? play(host, scenario);
    byHost.set(host, played);
    // A retry plays it again.
    played.catch(() => byHost.delete(host));
    return played;
  };

  it.each(able)("has one log, through $name too", async (host) => {
    const [one, other] = await Promise.all([playedBy(http), playedBy(host)]);
    expect(other.state).toEqual(one.state);
    expect(other.log).toEqual(one.log);
  });

  it.each(able)("is read in the same words through $name", async (host) => {
    const [one, other] = await Promise.all([playedBy(http), playedBy(host)]);
    expect(Object.keys(other.words)).toEqual([...calls.keys()].sort());
    for (const [id, words] of Object.entries(other.words)) {
      if (!isAsked(id)) expect([id, versionless(words)]).toEqual([id, versionless(one.words[id])]);
      else if (!host.asks) expect(words).toMatch(/^Proposed as "/);
      else expect([id, versionless(words)]).toEqual([id, versionless((await playedBy(aiSdk)).words[id])]);
    }
  });

  it.each(able)("is done where the model reads so through $name", async (host) => {
    const played = await playedBy(host);
    for (const [id, words] of Object.entries(played.words)) {
      const [, version] = /^Accepted: board is now at version (\d+)/.exec(words) ?? [];
      if (version !== undefined) expect(versionsOf(played, calls.get(id)?.name ?? "")).toContain(Number(version));
      else expect(words).toMatch(/^(?:Refused \(|Proposed as ")/);
    }
  });
});
