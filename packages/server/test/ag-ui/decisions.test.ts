// Proposals in a run are interrupts, and the next run's `resume` answers them. The client is an
// unmodified HttpAgent.

import { type BaseEvent, HttpAgent } from "@ag-ui/client";
import { defineState } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Agent, AgentRun } from "../../src/index.ts";
import { asUser, send, start } from "../support/server.ts";

const list = defineState({
  name: "list",
  version: 1,
  schema: z.object({ items: z.array(z.string()) }),
  initial: { items: ["a", "b"] },
  operations: {
    add: { input: z.object({ item: z.string() }), apply: (draft, { item }) => void draft.items.push(item) },
    clear: { input: z.object({}), approve: ["agent"], apply: (draft) => void draft.items.splice(0) },
  },
});

const robot = { kind: "agent", id: "robot" };
const owner = asUser("ada", "read", "write", "approve");

/** An agent that proposes to clear the list on request, and keeps its inputs. */
async function startList(own: Agent = async function* () {}) {
  const runs: AgentRun[] = [];
  const { url } = await start({
    definitions: [list],
    agents: {
      robot: {
        definition: "list",
        async *run(run) {
          runs.push(run);
          const asked = run.input.messages.at(-1);
          if (run.input.resume === undefined && run.decisions.length === 0 && asked?.content === "Clear it")
            await run.thread.propose(list.op.clear({}), {
              actor: robot,
              id: `p-${run.input.runId}`,
              runId: run.input.runId,
            });
          yield* own(run);
        },
      },
    },
  });
  return { url, runs, state: async () => (await send(`${url}/threads/launch`, "GET", undefined, owner)).body.state };
}

function client(url: string, headers: Record<string, string> = owner) {
  const agent = new HttpAgent({
    url: `${url}/ag-ui/robot`,
    threadId: "launch",
    headers,
    initialMessages: [{ id: "u1", role: "user", content: "Clear it" }],
  });
  const events: BaseEvent[] = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
  return {
    agent,
    events,
    custom: (name: string) => events.filter((event) => event["name"] === name).map((event) => event["value"]),
  };
}

describe("a proposal made in a run", () => {
  it("ends the run with an interrupt, and an approval executes it, in the stream and in the thread", async () => {
    const { url, runs, state } = await startList();
    const { agent, events } = client(url);
    await agent.runAgent({ runId: "r1" });
    expect(events.at(-1)).toMatchObject({
      type: "RUN_FINISHED",
      outcome: {
        type: "interrupt",
        interrupts: [{ id: "p-r1", reason: "confirmation", metadata: { opstate: { operation: { type: "clear" } } } }],
      },
    });
    expect(agent.state).toEqual({ items: ["a", "b"] });
    await agent.runAgent({
      runId: "r2",
      resume: [{ interruptId: "p-r1", status: "resolved", payload: { approved: true } }],
    });
    expect(events.at(-1)).toEqual({ type: "RUN_FINISHED", threadId: "launch", runId: "r2" });
    expect(agent.state).toEqual({ items: [] });
    expect(await state()).toEqual({ items: [] });
    expect(runs[1]?.input.resume).toBeUndefined();
    expect(runs[1]?.decisions).toMatchObject([{ interruptId: "p-r1", approved: true, verdict: { accepted: true } }]);
  });

  it("is undone with the run that proposed it, although another run brought the approval", async () => {
    const { url, state } = await startList();
    const { agent } = client(url);
    await agent.runAgent({ runId: "r1" });
    await agent.runAgent({ runId: "r2", resume: [{ interruptId: "p-r1", status: "resolved", payload: true }] });
    expect(await state()).toEqual({ items: [] });
    const undo = (runId: string) =>
      send(`${url}/threads/launch/undo`, "POST", { target: { runId } }, asUser("ada", "read", "write", "undo"));
    expect((await undo("r2")).body).toEqual({ accepted: true, version: 2 });
    expect((await undo("r1")).body).toMatchObject({ commit: { operation: { versions: [[1, 2]] } } });
    expect(await state()).toEqual({ items: ["a", "b"] });
  });

  it.each([
    { status: "resolved" as const, payload: { approved: false, reason: "Too early" } },
    { status: "resolved" as const, payload: false },
    { status: "cancelled" as const },
  ])("is declined by the answer $status $payload", async (answer) => {
    const { url, state } = await startList();
    const { agent, events } = client(url);
    await agent.runAgent({ runId: "r1" });
    await agent.runAgent({ runId: "r2", resume: [{ interruptId: "p-r1", ...answer }] });
    expect(events.at(-1)).toEqual({ type: "RUN_FINISHED", threadId: "launch", runId: "r2" });
    expect(await state()).toEqual({ items: ["a", "b"] });
  });

  it("is not decided by an actor who may not approve: the refusal is answered and logged", async () => {
    const { url, runs, state } = await startList();
    const { agent, custom, events } = client(url, asUser("bob", "read", "write"));
    await agent.runAgent({ runId: "r1" });
    await agent.runAgent({ runId: "r2", resume: [{ interruptId: "p-r1", status: "resolved", payload: true }] });
    expect(custom("opstate.rejection")).toMatchObject([
      { rejection: { code: "forbidden" }, actor: { kind: "user", id: "bob" } },
    ]);
    expect(runs[1]?.decisions).toMatchObject([{ approved: true, verdict: { accepted: false } }]);
    expect(await state()).toEqual({ items: ["a", "b"] });
    expect(events.at(-1)?.type).toBe("RUN_FINISHED");
  });

  it("is decided once, however often a run is sent", async () => {
    const { url, runs, state } = await startList();
    const { agent } = client(url);
    await agent.runAgent({ runId: "r1" });
    const body = {
      threadId: "launch",
      runId: "r2",
      messages: [],
      tools: [],
      context: [],
      resume: [{ interruptId: "p-r1", status: "resolved", payload: true }],
    };
    for (let time = 0; time < 2; time += 1) {
      const response = await fetch(`${url}/ag-ui/robot`, {
        method: "POST",
        headers: { ...owner, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(await response.text()).toContain("RUN_FINISHED");
    }
    expect(runs.slice(1).map(({ decisions }) => decisions[0]?.verdict)).toMatchObject([
      { accepted: true, version: 2 },
      { accepted: true, version: 2 },
    ]);
    expect(await state()).toEqual({ items: [] });
  });

  it("stays open after an answer that is neither an approval nor a decline", async () => {
    const { url, state, runs } = await startList();
    const { agent, events } = client(url);
    await agent.runAgent({ runId: "r1" });
    await agent.runAgent({ runId: "r2", resume: [{ interruptId: "p-r1", status: "resolved", payload: "maybe" }] });
    expect(events.at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: "unclear_answer",
      message: expect.stringContaining('{ "approved": true }'),
    });
    expect(runs).toHaveLength(1);
    expect(await state()).toEqual({ items: ["a", "b"] });
  });

  it("is answered separately from the interrupts of the agent itself", async () => {
    const { url, runs, state } = await startList(async function* ({ input }) {
      if (input.resume === undefined && input.runId === "r1")
        yield {
          type: "RUN_FINISHED",
          outcome: { type: "interrupt", interrupts: [{ id: "i1", reason: "input_required" }] },
        };
    });
    const { agent, events } = client(url);
    await agent.runAgent({ runId: "r1" });
    expect(events.at(-1)).toMatchObject({ outcome: { interrupts: [{ id: "i1" }, { id: "p-r1" }] } });
    const response = await fetch(`${url}/ag-ui/robot`, {
      method: "POST",
      headers: { ...owner, "content-type": "application/json" },
      body: JSON.stringify({
        threadId: "launch",
        runId: "r2",
        messages: [],
        tools: [],
        context: [],
        resume: [
          { interruptId: "i1", status: "resolved", payload: "blue" },
          { interruptId: "p-r1", status: "resolved", payload: true },
        ],
      }),
    });
    expect(await response.text()).toContain("RUN_FINISHED");
    expect(runs[1]?.input.resume).toEqual([{ interruptId: "i1", status: "resolved", payload: "blue" }]);
    expect(await state()).toEqual({ items: [] });
  });

  it("of an earlier run is shown, but is no interrupt of this run", async () => {
    const { url } = await startList();
    await client(url).agent.runAgent({ runId: "r1" });
    const other = client(url, asUser("bob", "read", "write"));
    other.agent.setMessages([{ id: "u2", role: "user", content: "Hello" }]);
    await other.agent.runAgent({ runId: "r2" });
    expect(other.custom("opstate.proposal")).toMatchObject([{ id: "p-r1" }]);
    expect(other.events.at(-1)).toEqual({ type: "RUN_FINISHED", threadId: "launch", runId: "r2" });
  });
});
