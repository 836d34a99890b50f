// Operations that wait for a person by interrupting the graph: proposed in the thread first,
// answered one by one.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { memoryLog, type Actor } from "@opstate/core";
import { isPropose } from "@opstate/core/log";
import { operationTools, replacementTool } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import { ada } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { commits, guardedAgent, happened, ids, lines, list, openList, waiting } from "../support/guarded.ts";
import { call, say, type Call } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const folder = mkdtempSync(join(tmpdir(), "opstate-approvals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A model that removes items in one message, and then ends. */
function remover(...items: readonly string[]) {
  return fakeModel()
    .respond(call(...items.map((id): Call => ["remove", { id }, `call_${id}`])))
    .respond(say("done"));
}

const accept = { type: "accept" } as const;

describe("an operation that an agent needs approval for", () => {
  /** Three calls at once, of which two need approval. */
  async function interrupted() {
    const thread = await openList();
    const model = fakeModel()
      .respond(
        call(
          ["remove", { id: "A" }, "call_0"],
          ["rename", { id: "B", title: "b" }, "call_1"],
          ["remove", { id: "C" }, "call_2"],
        ),
      )
      .respond(say("done"));
    const agent = guardedAgent(thread, model, { approver: ada });
    const interrupts = waiting(await agent.invoke({ messages: "go" }, config));
    return { thread, interrupts, open: await thread.proposals() };
  }

  it("interrupts the graph once for each call, with a proposal that is in the thread already", async () => {
    const { interrupts, open } = await interrupted();
    // The calls are carried out side by side, so whose question comes first is left open.
    expect(Object.keys(interrupts).toSorted()).toEqual(["A", "C"]);
    for (const [item, { value }] of Object.entries(interrupts)) {
      const { id, operation, patches, basedOn } = open.find(({ id }) => id === value.proposal)!;
      expect(value).toMatchObject({ operation, patches, basedOn, proposal: id });
      expect(operation).toEqual({ type: "remove", id: item });
    }
  });

  it("shows what it would change, under an id made of its message's and its call's", async () => {
    const { interrupts } = await interrupted();
    expect(interrupts["A"]!.value.patches).toEqual([{ op: "remove", path: "/items/0" }]);
    for (const { value } of Object.values(interrupts)) expect(value.proposal).toMatch(/^ai-\d+\/call_[02]$/);
  });

  it("changes nothing yet, while what needs no approval is done", async () => {
    const { thread } = await interrupted();
    expect(ids(thread)).toBe("ABCD");
    expect(thread.getState().items[1]?.title).toBe("b");
  });

  describe("of which three are answered at once: accepted, edited and declined", () => {
    async function answerAll() {
      const thread = await openList();
      const agent = guardedAgent(thread, remover("A", "B", "C"), { approver: ada });
      const { A, B, C } = waiting(await agent.invoke({ messages: "go" }, config));
      const answers = {
        [A!.id]: accept,
        [B!.id]: { type: "edit", operation: list.op.rename({ id: "B", title: "kept" }) },
        [C!.id]: { type: "decline", message: "we need C" },
      };
      return { thread, ...(await agent.invoke(new Command({ resume: answers }), config)) };
    }

    it("does what was accepted and edited, and nothing else", async () => {
      const { thread, list: field } = await answerAll();
      expect(ids(thread)).toBe("BCD");
      expect(thread.getState().items[0]?.title).toBe("kept");
      expect(field.state).toEqual(thread.getState());
    });

    it("shows the model the verdict on each", async () => {
      const { messages } = await answerAll();
      const [first, second, third] = results(messages).map(({ text }) => text);
      expect(first).toMatch(
        /^Accepted: list is now at version \d+\.\nChanged: removed \/items\/0\nApproved by user "ada"\.$/,
      );
      expect(second).toMatch(
        /^Accepted: .*\nChanged: set .*"kept"\nApproved by user "ada"\.\nBefore that it was edited to: .*"rename"/,
      );
      expect(third).toMatch(/^Refused \(declined\): user "ada" declined it, and said: "we need C"\n/);
    });

    it("records each decision in the name of the approver, in the run and under the call", async () => {
      const { thread } = await answerAll();
      expect((await happened(thread)).split(" ").toSorted()).toEqual(
        ["$propose", "$propose", "$propose", "$approve", "$decline", "$propose", "$approve", "$decline"].toSorted(),
      );
      for (const { operation, actor, runId, toolCallId } of await commits(thread)) {
        expect(actor).toEqual(isPropose(operation) ? { kind: "agent", id: "agent" } : ada);
        expect(toolCallId).toMatch(/^call_/);
        expect(runId).toBeDefined();
      }
    });
  });

  it("can be answered in parts: a decline drops none of its siblings, an answer is carried out at once", async () => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A", "B", "C"), { approver: ada });
    const { A, B, C } = waiting(await agent.invoke({ messages: "go" }, config));
    const second = await agent.invoke(new Command({ resume: { [B!.id]: { type: "decline" } } }), config);
    expect(Object.keys(waiting(second))).toEqual(["A", "C"]);
    // Answered already: it stays declined.
    await agent.invoke(new Command({ resume: { [B!.id]: accept } }), config);
    await agent.invoke(new Command({ resume: { [C!.id]: accept } }), config);
    expect(ids(thread)).toBe("ABD");
    const { messages } = await agent.invoke(new Command({ resume: { [A!.id]: accept } }), config);
    expect(ids(thread)).toBe("BD");
    expect(lines(messages)).toEqual([
      "Accepted: list is now at version 6.",
      'Refused (declined): user "ada" declined it.',
      "Accepted: list is now at version 5.",
    ]);
    expect(await happened(thread)).toBe("$propose $propose $propose $decline $approve $approve");
  });

  it("waits through a restart: another process resumes from the stored checkpoint and the log", async () => {
    const log = memoryLog();
    const path = join(folder, "checkpoints.db");
    const open = async () => {
      const thread = await openList(log);
      return { thread, saver: SqliteSaver.fromConnString(path) };
    };
    const before = await open();
    const message = call(["remove", { id: "A" }, "call_A"], ["remove", { id: "B" }, "call_B"]);
    const agentOf = ({ thread, saver }: typeof before) => {
      const model = fakeModel().respond(thread.version === 0 ? message : say("done"));
      return createAgent({ model, tools: operationTools(list, { thread, approver: ada }), checkpointer: saver });
    };
    const { A, B } = waiting(await agentOf(before).invoke({ messages: "go" }, config));
    await before.thread.close();
    before.saver.db.close();

    const between = await open();
    await agentOf(between).invoke(new Command({ resume: { [B!.id]: accept } }), config);
    await between.thread.close();
    between.saver.db.close();

    const after = await open();
    const { messages } = await agentOf(after).invoke(new Command({ resume: { [A!.id]: accept } }), config);
    expect(lines(messages)).toEqual(["Accepted: list is now at version 4.", "Accepted: list is now at version 3."]);
    expect(await happened(after.thread)).toBe("$propose $propose $approve $approve");
    after.saver.db.close();
  });

  it("is refused when what it was based on has changed, and the model reads why", async () => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A", "B"), { approver: ada });
    const { A, B } = waiting(await agent.invoke({ messages: "go" }, config));
    await thread.dispatch(list.op.rename({ id: "A", title: "important" }), { actor: ada });
    const { messages } = await agent.invoke(new Command({ resume: { [A!.id]: accept, [B!.id]: accept } }), config);
    const [first, second] = results(messages);
    expect(first?.text).toMatch(
      /^Refused \(changed\): What the proposal would change has changed since version 0: "important" \(\/items\/0\)\./,
    );
    expect(first?.artifact).toMatchObject({ accepted: false, rejection: { code: "conflict", reason: "changed" } });
    expect(second?.text).toMatch(/^Accepted/);
    expect(ids(thread)).toBe("ACD");
    // What the model read stays true: no one can approve it later.
    expect(await thread.proposals()).toEqual([]);
  });

  it("is refused before the question to a person when it is not legal", async () => {
    const thread = await openList();
    const { messages } = await guardedAgent(thread, remover("Z"), { approver: ada }).invoke({ messages: "go" }, config);
    expect(lines(messages)).toEqual(['Refused (item_not_found): No item "Z"']);
    expect(thread.version).toBe(0);
  });

  it.each([
    ["is not legal", list.op.rename({ id: "Z", title: "z" }), "Refused (item_not_found)"],
    ["has another shape", { type: "remove", id: 7 }, "Refused (invalid_operation)"],
    ["does not exist", { type: "destroy" }, "Refused (unknown_operation)"],
  ])("is judged anew when it was edited: refused when the edit %s", async (_name, operation, verdict) => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A"), { approver: ada });
    const { A } = waiting(await agent.invoke({ messages: "go" }, config));
    const { messages } = await agent.invoke(new Command({ resume: { [A!.id]: { type: "edit", operation } } }), config);
    expect(lines(messages)[0]).toContain(verdict);
    expect(ids(thread)).toBe("ABCD");
    expect(await thread.proposals()).toEqual([]);
  });
});

describe("who approves", () => {
  /** The result of one answer to the removal of A. */
  async function answered(
    answer: unknown,
    options: Parameters<typeof guardedAgent>[2] = {},
    configurable: object = {},
  ) {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A"), options);
    const { A } = waiting(await agent.invoke({ messages: "go" }, config));
    const result = await agent.invoke(new Command({ resume: { [A!.id]: answer } }), {
      configurable: { ...config.configurable, ...configurable },
    });
    return { thread, agent, text: results(result.messages)[0]?.text, again: waiting(result)["A"] };
  }

  it("is named by the config of the run that answers, or is the default user", async () => {
    const ben: Actor = { kind: "user", id: "ben" };
    const approver = (run: { configurable?: { by?: Actor } }) => run.configurable?.by;
    expect((await answered(accept, { approver }, { by: ben })).text).toContain('Approved by user "ben".');
    expect((await answered(accept)).text).toContain('Approved by user "user".');
    expect((await answered("accept")).text).toContain("Approved");
  });

  it.each([
    ["no one", accept, { approver: () => undefined }, "names no approver"],
    ["no one, where a server decides", accept, {}, "names no approver"],
    ["the proposer", accept, { approver: { kind: "agent", id: "agent" } }, "cannot approve their own proposal"],
    ["no actor", accept, { approver: { kind: "user" } as never }, "needs an actor"],
    [
      "the proposer, though they may withdraw their own proposal to edit it",
      { type: "edit", operation: list.op.remove({ id: "B" }) },
      { approver: { kind: "agent", id: "agent" } },
      "cannot edit their own proposal",
    ],
    [
      "an actor who may not do the edited operation",
      { type: "edit", operation: { type: "reset" } },
      { approver: ada },
      "(forbidden)",
    ],
  ] as const)("is not %s: nothing is decided, and the interrupt comes again", async (name, answer, options, why) => {
    const opstate = name.includes("server") ? { opstate: { requester: ada } } : {};
    const { thread, text, again } = await answered(answer, options, opstate);
    expect(text).toBeUndefined();
    expect(again?.value.problem).toContain(why);
    expect(again?.value.problem).toContain("with the right to approve");
    expect((await thread.proposals()).map(({ id }) => id)).toEqual([again?.value.proposal]);
    expect(ids(thread)).toBe("ABCD");
    expect(await happened(thread)).toBe("$propose");
  });

  it("approves nothing in a later run: an answer of one who may not approve is not kept", async () => {
    const approver = (run: { configurable?: { by?: Actor } }) => run.configurable?.by;
    const by = (actor: Actor) => ({ configurable: { ...config.configurable, by: actor } });
    for (const isAddressed of [true, false]) {
      const { thread, agent, again } = await answered(accept, { approver }, { by: { kind: "agent", id: "agent" } });
      expect(again?.value.problem).toMatch(/\(forbidden\): .*its proposer, agent "agent"/);
      // The task runs again under the rights of one who may approve, and has no answer of theirs.
      const unanswered = waiting(await agent.invoke(null as never, by(ada)));
      expect(unanswered["A"]?.value.problem).toContain("forbidden");
      const second = { type: "decline", message: "we need A" };
      const resume = isAddressed ? { [unanswered["A"]!.id]: second } : second;
      const { messages } = await agent.invoke(new Command({ resume }), by(ada));
      expect(lines(messages)).toEqual(['Refused (declined): user "ada" declined it, and said: "we need A"']);
      expect(ids(thread)).toBe("ABCD");
    }
  });
});

describe("a proposal that is answered in the thread", () => {
  it.each([
    ["resumed without an answer", undefined],
    ["resumed with the same answer", accept],
    ["resumed with another answer", { type: "decline", message: "no" }],
    ["resumed with an edit", { type: "edit", operation: list.op.remove({ id: "B" }) }],
  ])("is reported by the run, %s: there is one question and one effect", async (_name, answer) => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A", "C"), { approver: { kind: "user", id: "ben" } });
    const { A, C } = waiting(await agent.invoke({ messages: "go" }, config));
    await thread.approve(A!.value.proposal, { actor: ada });
    await thread.decline(C!.value.proposal, { actor: ada, reason: "not C" });
    const resume = new Command({ resume: { [A!.id]: answer, [C!.id]: answer } });
    const { messages } = await agent.invoke(answer === undefined ? (null as never) : resume, config);
    expect(results(messages)[0]?.text).toMatch(
      /^Accepted: list is now at version 3\.\nChanged: removed \/items\/0\nApproved by user "ada"\.$/,
    );
    expect(lines(messages)[1]).toBe('Refused (declined): user "ada" declined it, and said: "not C"');
    expect(await happened(thread)).toBe("$propose $propose $approve $decline");
    expect(ids(thread)).toBe("BCD");
  });

  it("is not put to a person again when its sibling is resumed, and what is open still is", async () => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A", "B", "C"), { approver: ada });
    const { A, B } = waiting(await agent.invoke({ messages: "go" }, config));
    await thread.approve(A!.value.proposal, { actor: ada });
    const second = await agent.invoke(new Command({ resume: { [B!.id]: { type: "decline" } } }), config);
    expect(Object.keys(waiting(second))).toEqual(["C"]);
  });

  it("is reported as decided when the history that says how was compacted", async () => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A"), { approver: ada });
    const { A } = waiting(await agent.invoke({ messages: "go" }, config));
    await thread.approve(A!.value.proposal, { actor: ada });
    await thread.dispatch(list.op.rename({ id: "B", title: "b" }), { actor: ada });
    await thread.compact({ keep: 1 });
    const { messages } = await agent.invoke(null as never, config);
    expect(lines(messages)).toEqual([
      "Refused (decided): The proposal was decided, but the history that says how was compacted. Check the current state.",
    ]);
    expect(ids(thread)).toBe("BCD");
  });

  it("may be undone: the run reports it as withdrawn", async () => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A"), { approver: ada });
    await agent.invoke({ messages: "go" }, config);
    await thread.undo({ ids: [(await thread.proposals())[0]!.id] }, { actor: ada });
    const { messages } = await agent.invoke(null as never, config);
    expect(lines(messages)).toEqual(['Refused (withdrawn): user "ada" withdrew the proposal.']);
  });
});

describe("calls that share a task", () => {
  it("are proposed and interrupt nothing: LangGraph would give the answer to one to the other", async () => {
    const thread = await openList();
    const { messages } = await guardedAgent(thread, remover("A", "B"), { version: "v1", approver: ada }).invoke(
      { messages: "go" },
      config,
    );
    expect(lines(messages).map((line) => line.slice(0, 11))).toEqual(["Proposed as", "Proposed as"]);
    expect(await thread.proposals()).toHaveLength(2);
  });

  it("interrupt when each is the only call of its task", async () => {
    const thread = await openList();
    const agent = guardedAgent(thread, remover("A"), { version: "v1", approver: ada });
    await agent.invoke({ messages: "go" }, config);
    const { messages } = await agent.invoke(new Command({ resume: accept }), config);
    expect(lines(messages)).toEqual(["Accepted: list is now at version 2."]);
  });
});

describe("a graph without a checkpointer", () => {
  it("fails before the model is called, with an error that says what to do", async () => {
    const thread = await openList();
    const model = remover("A");
    const agent = guardedAgent(thread, model, { checkpointer: undefined as never });
    const bare = createAgent({ model, tools: operationTools(list, { thread }), middleware: agent.options.middleware! });
    await expect(bare.invoke({ messages: "go" })).rejects.toThrow(/checkpointer.*approval: "propose"/s);
    expect(model.calls).toHaveLength(0);
  });

  it("is enough where nothing interrupts", async () => {
    const thread = await openList();
    const tools = operationTools(list, { thread, approval: "propose" });
    const { messages } = await createAgent({
      model: remover("A"),
      tools,
      middleware: guardedAgent(thread, fakeModel()).options.middleware!,
    }).invoke({ messages: "go" });
    expect(lines(messages)[0]).toMatch(/^Proposed as/);
  });

  it("without the middleware proposes nothing, and the call fails", async () => {
    const thread = await openList();
    const { messages } = await createAgent({ model: remover("A"), tools: operationTools(list, { thread }) }).invoke({
      messages: "go",
    });
    expect(results(messages)[0]).toMatchObject({
      status: "error",
      text: expect.stringContaining("without a checkpointer"),
    });
    expect(thread.version).toBe(0);
  });
});

describe("an agent that is a node of another graph", () => {
  // LangGraph shows the outer graph one interrupt of an inner one at a time, under an id of its
  // own.
  it("puts one question after the other, and each answer goes to its own call", async () => {
    const thread = await openList();
    const inner = createAgent({
      model: remover("A", "B", "C"),
      tools: operationTools(list, { thread, approver: ada }),
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("agent", inner.graph)
      .addEdge(START, "agent")
      .compile({ checkpointer: new MemorySaver() });
    let result = await graph.invoke({ messages: "go" }, config);
    const asked: string[] = [];
    for (let open = Object.entries(waiting(result)); open.length > 0; open = Object.entries(waiting(result))) {
      const [[item, { id }]] = open as [(typeof open)[0]];
      asked.push(item);
      result = await graph.invoke(
        new Command({ resume: { [id]: item === "B" ? { type: "decline", message: "not B" } : accept } }),
        config,
      );
    }
    expect(asked.toSorted()).toEqual(["A", "B", "C"]);
    expect(lines(result.messages).map((line) => line.split(/[ :]/, 1)[0])).toEqual(["Accepted", "Refused", "Accepted"]);
    expect(ids(thread)).toBe("BD");
  });
});

describe("a replacement", () => {
  it("waits for approval, too, when the definition says so", async () => {
    const thread = await openList();
    const model = fakeModel()
      .respond(call(["build", { items: [] }]))
      .respond(say("done"));
    const build = replacementTool(list, { thread, name: "build", description: "Build", ask: "always", approver: ada });
    const agent = createAgent({ model, tools: [build], checkpointer: new MemorySaver() });
    await agent.invoke({ messages: "go" }, config);
    expect(ids(thread)).toBe("ABCD");
    await agent.invoke(new Command({ resume: accept }), config);
    expect(ids(thread)).toBe("");
  });
});
