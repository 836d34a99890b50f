// Five agents of five frameworks and two people work on one board at the same time: in the long
// form for a minute, in the short form for a few messages.

import type { Actor, Commit, Thread } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { mcpEndpoint } from "@opstate/mcp";
import { expect, it } from "vitest";
import { connect, headersOf, serve } from "../../../packages/agent/test/support/server.ts";
import { isLong } from "../../../tools/runs.ts";
import { ada, board } from "../one-script/board.ts";
import { agUi } from "../one-script/hosts/ag-ui.ts";
import { aiSdk } from "../one-script/hosts/ai-sdk.ts";
import { langGraph } from "../one-script/hosts/langgraph.ts";
import { mcp } from "../one-script/hosts/mcp.ts";
import { openAiAgents } from "../one-script/hosts/openai-agents.ts";
import { Script, type Call } from "../one-script/script.ts";

const MINUTE = 60_000;
const bob = { kind: "user", id: "bob" };
/** Its work is taken back: it renames no card that others rename, too. */
const undone = aiSdk;

const players = [langGraph, agUi, mcp, aiSdk, openAiAgents].map((host, index) => {
  const agent: Actor = { kind: "agent", id: `agent-${index + 1}` };
  return { host, agent, script: new Script([]), calls: new Map<string, Call>() };
});
type Player = (typeof players)[number];

/** A run of three messages after the other, as long as there is more to do. */
function work({ host, agent, script, calls }: Player, hasMore: () => boolean): void {
  let round = 0;
  const refill = async () => {
    if (!hasMore()) return;
    round++;
    const says = (...made: readonly Omit<Call, "id">[]) => ({
      says: made.map((call) => {
        const made = { ...call, id: `${agent.id}-${calls.size + 1}` };
        calls.set(made.id, made);
        return made;
      }),
    });
    const card = `${agent.id}-${round}`;
    const title = `Round ${round} of ${agent.id}`;
    const rename = { name: "rename", input: { index: round % 3, title } };
    script.add(
      says({ name: "add", input: { id: card, title } }, ...(host === undone ? [] : [rename])),
      says({ name: "finish", input: { id: round % 2 === 0 ? card : `nowhere-${round}` } }),
      says({ name: "add", input: { id: card, title: "Again" } }),
      { ends: "run" },
      { does: refill },
    );
  };
  script.add({ does: refill });
}

it(
  "five agents of five frameworks and two people lose nothing, and one agent is taken back",
  { timeout: 900_000 },
  async () => {
    const server = await serve(board, {
      mcp: mcpEndpoint(),
      agents: Object.assign({}, ...players.map(({ host, script, agent }) => host.agents?.(script, agent))),
    });
    const thread = await server.server.thread("s", board);
    const end = Date.now() + MINUTE;
    for (const player of players) {
      let rounds = 3;
      player.script.begin(thread);
      work(player, () => (isLong() ? Date.now() < end : rounds-- > 0));
    }

    const workIsDone = new AbortController();
    const sent: string[] = [];
    const people = [ada, bob].map(async ({ kind, id }) => {
      const page = await connect(board, {
        url: server.url,
        threadId: "s",
        headers: headersOf(`${kind} ${id} read,write`),
      });
      for (let nth = 1; !workIsDone.signal.aborted && (isLong() || nth <= 6); nth++) {
        const title = `Edit ${nth} of ${id}`;
        const update = nth % 2 === 0 ? board.op.rename({ index: nth % 3, title }) : board.op.add({ id: title, title });
        const verdict = await page.dispatch(update, { actor: { kind, id } });
        expect(verdict.accepted).toBe(true);
        sent.push(title);
      }
    });
    const place = { url: server.url, threadId: "s", thread };
    await Promise.all(players.map(({ host, script, agent }) => host.play(script, { ...place, agent })));
    workIsDone.abort();
    await Promise.all(people);

    // The log is whole, and leads to the state.
    const commits = await commitsOf(thread);
    expect(commits.map(({ version }) => version)).toEqual(commits.map((_, index) => index + 1));
    expect(commits.reduce(after, board.initial)).toEqual(thread.getState());
    const titles = new Set(commits.map(({ operation }) => ("title" in operation ? operation.title : "")));
    expect(sent.filter((title) => !titles.has(title))).toEqual([]);

    // Every verdict that a model read is true, and nothing was done that none of them read.
    for (const { agent, calls, script } of players) {
      const own = new Map(
        commits.filter(({ actor }) => actor.id === agent.id).map((commit) => [commit.version, commit]),
      );
      expect(Object.keys(script.words).toSorted()).toEqual([...calls.keys()].toSorted());
      let accepted = 0;
      for (const [id, words] of Object.entries(script.words)) {
        const { name, input } = calls.get(id) ?? {};
        const [, version] = /^Accepted: board is now at version (\d+)/.exec(words) ?? [];
        if (version === undefined) expect(words).toMatch(/^Refused \(/);
        else expect(own.get(Number(version))?.operation).toEqual({ type: name, ...input });
        if (version !== undefined) accepted++;
      }
      expect(accepted).toBe(own.size);
    }

    // One of them is taken back, and the work of all others stays.
    const isOwn = ({ id }: { readonly id: string }) => id.startsWith(`${agentOf(undone)?.id}-`);
    const { todo, done, paid } = thread.getState();
    const { accepted } = await thread.undo({ actor: agentOf(undone) ?? ada }, { actor: ada });
    expect(accepted).toBe(true);
    expect([...todo, ...done].filter(isOwn)).not.toEqual([]);
    expect(thread.getState()).toEqual({
      todo: todo.filter((card) => !isOwn(card)),
      done: done.filter((card) => !isOwn(card)),
      paid,
    });
  },
);

function agentOf(host: Player["host"]): Actor | undefined {
  return players.find((player) => player.host === host)?.agent;
}

async function commitsOf(thread: Thread): Promise<readonly Commit[]> {
  const commits: Commit[] = [];
  for (;;) {
    const page = await thread.history({ after: commits.length });
    if (page.length === 0) return commits;
    for (const entry of page) if (entry.kind === "commit") commits.push(entry.commit);
  }
}

function after(state: unknown, { patches }: Commit): unknown {
  const applied = applyPatch(state, patches);
  if (!applied.ok) throw new Error(applied.error.message);
  return applied.document;
}
