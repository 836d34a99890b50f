// A graph behind an AG-UI server that waits for a person: the server carries out what the person
// decides, the graph finds it in the thread.

import { defined } from "@opstate/core";
import type { Message, ResumeEntry } from "@ag-ui/core";
import { MemorySaver } from "@langchain/langgraph";
import { operationTools, opstateMiddleware, threadOfRun } from "@opstate/langgraph";
import { graphAgent, type GraphEvent } from "@opstate/langgraph/ag-ui";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import { ada } from "../support/board.ts";
import { commits, happened, ids, list, openList, type List } from "../support/guarded.ts";
import { call, say } from "../support/talk.ts";

const hello: Message = { id: "u1", role: "user", content: "Remove A and B" };

function scripted() {
  return fakeModel()
    .respond(call(["remove", { id: "A" }, "call_A"], ["remove", { id: "B" }, "call_B"]))
    .respond(say("done"))
    .respond(say("and so on"));
}

function agentOn(thread: List, checkpointer = new MemorySaver(), model = scripted()) {
  const found = threadOfRun(list);
  const agent = graphAgent(
    createAgent({
      model,
      tools: operationTools(list, { thread: found }),
      middleware: [opstateMiddleware(list, { thread: found })],
      checkpointer,
    }),
  );
  let runs = 0;
  return async (
    more: { readonly resume?: ResumeEntry[]; readonly decisions?: object[]; readonly messages?: Message[] } = {},
  ) => {
    const { resume, decisions = [], messages = [hello] } = more;
    const input = {
      threadId: "list",
      runId: `r${++runs}`,
      messages,
      tools: [],
      context: [],
      ...defined({ resume }),
    };
    const events: GraphEvent[] = [];
    for await (const event of agent({ input, thread, actor: ada, signal: new AbortController().signal, decisions }))
      events.push(event);
    return events;
  };
}

function asked(events: readonly GraphEvent[]) {
  const last = events.at(-1);
  return last?.type === "RUN_FINISHED" && last.outcome?.type === "interrupt" ? last.outcome.interrupts : [];
}

function verdicts(events: readonly GraphEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "TOOL_CALL_RESULT"
      ? [JSON.stringify(event.content).split(/[" :]/)[1]!]
      : event.type === "TEXT_MESSAGE_CONTENT"
        ? [event.delta]
        : [],
  );
}

describe("a graph that needs approval", () => {
  it("ends the run with interrupts under the proposals' ids, and continues with the decisions in the thread", async () => {
    const thread = await openList();
    const run = agentOn(thread);
    const [a, b] = asked(await run());
    const [proposal] = await thread.proposals();
    const { id, version, operation, patches, basedOn, actor } = proposal!;
    expect(a).toMatchObject({
      id,
      reason: "confirmation",
      message: 'The agent asks to do "remove".',
      toolCallId: "call_A",
      metadata: { opstate: { proposal: id, proposedAt: version, operation, patches, basedOn, proposer: actor } },
    });

    await thread.approve(a!.id, { actor: ada });
    const second = await run({ decisions: [{ interruptId: a!.id }] });
    // One that is answered is not put again; its sibling is, in full.
    expect(asked(second)).toEqual([b]);
    expect(verdicts(second)).toEqual(["Accepted"]);

    await thread.decline(b!.id, { actor: ada });
    const third = await run({ decisions: [{ interruptId: b!.id }] });
    expect(verdicts(third)).toEqual(["Refused", "done"]);
    expect(asked(third)).toEqual([]);
    expect(await happened(thread)).toBe("$propose $propose $approve $decline");
  });

  describe("a run of which a person approved what it proposed", () => {
    async function approvedRun() {
      const thread = await openList();
      const run = agentOn(thread);
      const [a, b] = asked(await run());
      await thread.approve(a!.id, { actor: ada });
      await thread.approve(b!.id, { actor: ada, runId: "a run of Ada's" });
      await run({ decisions: [{ interruptId: a!.id }, { interruptId: b!.id }] });
      expect(ids(thread)).toBe("CD");
      const [first] = await commits(thread);
      return { thread, agent: { actor: first!.actor } };
    }

    it("is undone with its run, and done again", async () => {
      const { thread } = await approvedRun();
      expect(await thread.undo({ runId: "r1" }, { actor: ada, id: "u" })).toMatchObject({ accepted: true });
      expect(ids(thread)).toBe("ABCD");
      await thread.undo({ ids: ["u"] }, { actor: ada });
      expect(ids(thread)).toBe("CD");
    });

    it("is undone as the agent's own", async () => {
      const { thread, agent } = await approvedRun();
      expect(await thread.undo(agent, { actor: ada })).toMatchObject({ accepted: true });
      expect(ids(thread)).toBe("ABCD");
    });

    it("is not undone by the agent", async () => {
      const { thread, agent } = await approvedRun();
      const refused = { accepted: false, rejection: { code: "forbidden" } };
      expect(await thread.undo({ runId: "r1" }, agent)).toMatchObject(refused);
    });
  });

  it.each([
    [
      "a key that LangGraph would read as an answer",
      () => [{ interruptId: "type", status: "resolved", payload: "accept" }],
    ],
    [
      "a proposal's id, where nobody carried it out",
      ([id]: string[]) => [{ interruptId: id, status: "resolved", payload: { type: "accept" } }],
    ],
  ] as [string, (ids: string[]) => ResumeEntry[]][])("is not continued by %s", async (_name, resume) => {
    const thread = await openList();
    const run = agentOn(thread);
    const open = asked(await run());
    const again = await run({ resume: resume(open.map(({ id }) => id)) });
    expect(asked(again)).toEqual(open);
    expect(ids(thread)).toBe("ABCD");
  });

  it("does not treat the actor who started the run as an approver", async () => {
    const thread = await openList();
    const checkpointer = new MemorySaver();
    const run = agentOn(thread, checkpointer);
    await run();
    // LangGraph's own ids, which no client knows.
    const saved = await checkpointer.getTuple({ configurable: { thread_id: "list" } });
    // LangGraph 1.7 stores a list of interrupts where 1.4 stores one.
    const own = (saved?.pendingWrites ?? []).flatMap(([, channel, value]) =>
      channel === "__interrupt__" ? [value].flat().map((interrupt) => (interrupt as { id: string }).id) : [],
    );
    const resume = own.map((interruptId) => ({
      interruptId,
      status: "resolved" as const,
      payload: { type: "accept" },
    }));
    const events = await run({ resume });
    // It puts the question again, under the proposals' ids.
    expect(verdicts(events)).toEqual([]);
    expect(asked(events).map(({ id }) => id)).toEqual((await thread.proposals()).map(({ id }) => id));
    expect(ids(thread)).toBe("ABCD");
    expect(await thread.proposals()).toHaveLength(2);
  });

  it("ends its run when the user writes something else, and the proposals stay open", async () => {
    const thread = await openList();
    const model = scripted();
    const run = agentOn(thread, new MemorySaver(), model);
    await run();
    const events = await run({ messages: [hello, { id: "u2", role: "user", content: "Never mind" }] });
    expect(verdicts(events).at(-1)).toBe("done");
    expect(await thread.proposals()).toHaveLength(2);
    // The model reads once of each call that it waits.
    const told = model.calls.at(-1)!.messages.filter(({ type }) => type === "tool");
    expect(told.map(({ text }) => text.split(" ", 1)[0])).toEqual(["Proposed", "Proposed"]);
  });
});
