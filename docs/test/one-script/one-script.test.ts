// One script, every host: twenty scenarios with a scripted model, through each way in which an
// agent can work on a thread. The logs are equal, and so are the words that the model reads.
//
// Not compared: ids of runs and calls, and times. A submission's id ends with that of its call.
// A host without questions leaves a call that needs approval on a page; its model reads that it
// waits.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixedSeed, runs } from "../../../tools/runs.ts";
import { generated } from "./generated.ts";
import { agUi } from "./hosts/ag-ui.ts";
import { aiSdk } from "./hosts/ai-sdk.ts";
import type { Host } from "./hosts/host.ts";
import { http } from "./hosts/http.ts";
import { langGraph } from "./hosts/langgraph.ts";
import { mcp } from "./hosts/mcp.ts";
import { openAiAgents } from "./hosts/openai-agents.ts";
import { python } from "./hosts/python.ts";
import { plainWords, play, versionsOf, type Played } from "./play.ts";
import { scenarios } from "./scenarios.ts";

const hosts: readonly Host[] = [http, langGraph, agUi, mcp, aiSdk, openAiAgents, python];

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
    const plain = (words: string | undefined) => plainWords(words, host);
    for (const [id, words] of Object.entries(other.words)) {
      if (!isAsked(id)) expect([id, plain(words)]).toEqual([id, plain(one.words[id])]);
      else if (!host.asks) expect(words).toMatch(/^Proposed as "/);
      else expect([id, plain(words)]).toEqual([id, plain((await playedBy(aiSdk)).words[id])]);
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

// Python leaves out what a call created, and starts a process for each script.
const frameworks = hosts.filter((host) => host !== http && host !== python);
const seed = fixedSeed();
const scripts = fc.sample(generated, { numRuns: runs(4, 200), ...(seed !== undefined && { seed }) });

it.each(scripts.map((script, index) => [index + 1, script] as const))(
  "generated script %i has one log and one set of words in every host",
  { timeout: 240_000 },
  async (_, script) => {
    const calls = script.steps.flatMap((step) => ("says" in step ? step.says : []));
    const wordsOf = ({ words }: Played, host: Host) =>
      calls.flatMap(({ id, name }) => (name === "clear" ? [] : [[id, plainWords(words[id], host)]]));
    const one = await play(http, script);
    for (const host of frameworks) {
      const other = await play(host, script);
      expect([host.name, other.state, other.log]).toEqual([host.name, one.state, one.log]);
      expect([host.name, wordsOf(other, host)]).toEqual([host.name, wordsOf(one, http)]);
    }
  },
);
