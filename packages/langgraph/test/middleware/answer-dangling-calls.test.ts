// A model never reads a call without a result: what became of it is read from the thread or the
// field.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  Command,
  MemorySaver,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
  type BaseCheckpointSaver,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { operationTools, opstateMiddleware, snapshotField } from "@opstate/langgraph";
import {
  AIMessage,
  createAgent,
  fakeModel,
  HumanMessage,
  tool,
  ToolMessage,
  type AgentMiddleware,
  type BaseMessage,
} from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import * as fc from "fast-check";
import * as z from "zod";
import { runs } from "../../../../tools/runs.ts";
import { ada, board, openSample, sample } from "../support/board.ts";
import { commits, guardedAgent, happened, list, openList, waiting } from "../support/guarded.ts";
import { conversation } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";
import { Team } from "../support/teams.ts";

const config = { configurable: { thread_id: "t" } };
const folder = mkdtempSync(join(tmpdir(), "opstate-dangling-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const savers: readonly (readonly [string, () => BaseCheckpointSaver])[] = [
  ["memory", () => new MemorySaver()],
  ["SQLite", () => SqliteSaver.fromConnString(join(folder, `${++files}.db`))],
];

/** What providers demand: behind an AI message are the results of its calls, each once. */
function checkForProvider(messages: readonly BaseMessage[]): void {
  messages.forEach((message, index) => {
    if (!AIMessage.isInstance(message)) return;
    const calls = (message.tool_calls ?? []).map(({ id = "" }) => id);
    const behind = messages.slice(index + 1);
    const end = behind.findIndex((next) => !ToolMessage.isInstance(next));
    const results = (end < 0 ? behind : behind.slice(0, end)).map((next) => (next as ToolMessage).tool_call_id);
    expect(results.toSorted()).toEqual(calls.toSorted());
  });
}

/** The first line of each result that a model call was shown, by its call. */
function toolLines(messages: readonly BaseMessage[]): Record<string, string> {
  checkForProvider(messages);
  return Object.fromEntries(
    messages.flatMap((message) =>
      ToolMessage.isInstance(message) ? [[message.tool_call_id, message.text.split("\n", 1)[0]!]] : [],
    ),
  );
}

describe.each(savers)("a message in place of an answer, on %s", (_name, saver) => {
  async function run() {
    const thread = await openList();
    const model = fakeModel()
      .respond(
        call(
          ["remove", { id: "A" }, "call_A"],
          ["rename", { id: "B", title: "b" }, "call_B"],
          ["rename", { id: "Z", title: "z" }, "call_Z"],
          ["remove", { id: "C" }, "call_C"],
          ["search", {}, "call_S"],
        ),
      )
      .respond(say("one"))
      .respond(say("two"))
      .respond(say("three"));
    const agent = guardedAgent(thread, model, { approver: ada, checkpointer: saver() as MemorySaver });
    const open = waiting(await agent.invoke({ messages: "go" }, config));
    const say_ = async (text: string) => {
      const { messages } = await agent.invoke({ messages: text }, config);
      const seen = conversation(model.calls.at(-1)!.messages);
      return { stored: messages, seen, told: toolLines(seen) };
    };
    return { thread, model, agent, open, say: say_ };
  }

  it("leaves no call without a true result: what waits, what was done, what was refused", async () => {
    const { thread, say } = await run();
    const { told } = await say("Never mind");
    expect(told["call_A"]).toMatch(/^Proposed as "ai-\d+\/call_A": it waits for a person's approval/);
    expect(told["call_C"]).toMatch(/^Proposed as/);
    expect(told["call_B"]).toMatch(/^Accepted: list is now at version \d\.$/);
    expect(told["call_Z"]).toBe('Refused (item_not_found): No item "Z"');
    expect((await happened(thread)).split(" ").toSorted()).toEqual(["$propose", "$propose", "rename"]);
  });

  it("shows the verdict once the proposal is decided", async () => {
    const { thread, open, say } = await run();
    await say("Never mind");
    await thread.approve(open["A"]!.value.proposal, { actor: ada });
    await thread.decline(open["C"]!.value.proposal, { actor: ada, reason: "keep C" });
    const { told, seen } = await say("and now?");
    expect(told["call_A"]).toBe("Accepted: list is now at version 4.");
    expect(told["call_C"]).toBe('Refused (declined): user "ada" declined it, and said: "keep C"');
    const accepted = seen.find((message) => ToolMessage.isInstance(message) && message.tool_call_id === "call_A");
    expect(accepted?.text).toContain('Approved by user "ada".');
  });

  it("adds nothing to the history, and changes nothing in the thread", async () => {
    const { thread, say } = await run();
    await say("Never mind");
    const { version } = thread;
    const { stored } = await say("again");
    expect(thread.version).toBe(version);
    expect(await commits(thread)).toHaveLength(version);
    const shownNow = await say("once more");
    expect(shownNow.stored.length).toBe(stored.length + 2);
  });
});

it("gives a call whose result is there no second one, also where ids are used again", async () => {
  const thread = await openList();
  const model = fakeModel()
    .respond(call(["rename", { id: "A", title: "1" }, "call_0"]))
    .respond(call(["remove", { id: "B" }, "call_0"]))
    .respond(call(["rename", { id: "A", title: "2" }, "call_0"]))
    .respond(say("done"));
  const agent = guardedAgent(thread, model, { approver: ada });
  await agent.invoke({ messages: "go" }, config);
  await agent.invoke({ messages: "Never mind" }, config);
  const seen = conversation(model.calls.at(-1)!.messages);
  checkForProvider(seen);
  expect(
    seen.flatMap((message) => (ToolMessage.isInstance(message) ? [message.text.split(/[ :]/, 1)[0]] : [])),
  ).toEqual(["Accepted", "Proposed", "Accepted"]);
});

it("shows an edit's verdict of a call whose answer got lost with the message", async () => {
  const thread = await openList();
  const model = fakeModel()
    .respond(call(["remove", { id: "A" }, "call_A"], ["remove", { id: "B" }, "call_B"]))
    .respond(say("done"));
  const agent = guardedAgent(thread, model, { approver: ada });
  const { A } = waiting(await agent.invoke({ messages: "go" }, config));
  // B still waits, so A's result is not in the conversation yet.
  const operation = list.op.rename({ id: "A", title: "kept" });
  await agent.invoke(new Command({ resume: { [A!.id]: { type: "edit", operation } } }), config);
  await agent.invoke({ messages: "Never mind" }, config);
  const told = toolLines(conversation(model.calls.at(-1)!.messages));
  expect(told["call_A"]).toBe("Accepted: list is now at version 5.");
  expect(told["call_B"]).toMatch(/^Proposed as/);
});

describe("a handover beside other calls in one message", () => {
  const handover = tool(
    (_args, runtime: { state: { messages: BaseMessage[] }; toolCallId: string }) =>
      new Command({
        graph: Command.PARENT,
        goto: "second",
        update: {
          messages: [
            ...runtime.state.messages,
            new ToolMessage({ content: "Handed over", tool_call_id: runtime.toolCallId }),
          ],
        },
      }) as never,
    { name: "handover", description: "Hand over", schema: z.object({}) },
  );
  const first = () =>
    fakeModel()
      .respond(call(["rename", { cardId: "T-1", title: "a" }, "call_0"], ["handover", {}, "call_1"]))
      .respond(say("never"));

  it("is answered truly for agents whose field decides: what was not folded was not carried out", async () => {
    const second = fakeModel().respond(say("done"));
    const tools: StructuredToolInterface[] = [...operationTools(board, { field: "board" }), handover];
    const agentOf = (model: ReturnType<typeof fakeModel>) =>
      createAgent({ model, tools, middleware: [opstateMiddleware(board, { field: "board" }) as AgentMiddleware] })
        .graph;
    const graph = new StateGraph(Team)
      .addNode("first", agentOf(first()) as never, { ends: ["second"] })
      .addNode("second", agentOf(second) as never)
      .addEdge(START, "first")
      .compile();
    const { board: field } = await graph.invoke({ messages: "go", board: sample });
    const told = toolLines(conversation(second.calls[0]!.messages));
    const isDone = field.state?.columns[0]?.cards[0]?.title === "a";
    expect(told["call_0"]).toMatch(
      isDone ? /^Accepted/ : /^This call gave no result here: .* board is unchanged by this call\./,
    );
    expect(told["call_1"]).toBe("Handed over");
  });

  it("is answered truly for agents of a thread", async () => {
    const thread = await openSample();
    const second = fakeModel().respond(say("done"));
    const tools: StructuredToolInterface[] = [...operationTools(board, { thread }), handover];
    const middleware = opstateMiddleware(board, { thread, field: "board" }) as AgentMiddleware;
    const agentOf = (model: ReturnType<typeof fakeModel>) =>
      createAgent({ model, tools, middleware: [middleware] }).graph;
    const graph = new StateGraph(Team)
      .addNode("first", agentOf(first()) as never, { ends: ["second"] })
      .addNode("second", agentOf(second) as never)
      .addEdge(START, "first")
      .compile();
    await graph.invoke({ messages: "go" });
    const told = toolLines(conversation(second.calls[0]!.messages));
    const isDone = thread.getState()?.columns[0]?.cards[0]?.title === "a";
    expect(told["call_0"]).toMatch(isDone ? /^Accepted/ : /^This call gave no result here/);
  });

  it("is answered truly for agents of a thread that are different actors", async () => {
    const thread = await openSample();
    const second = fakeModel().respond(say("done"));
    const agentOf = (id: string, model: ReturnType<typeof fakeModel>) => {
      const actor = { kind: "agent", id };
      const tools: StructuredToolInterface[] = [...operationTools(board, { thread, actor }), handover];
      const middleware = opstateMiddleware(board, { thread, actor, field: "board" }) as AgentMiddleware;
      return createAgent({ model, tools, middleware: [middleware] }).graph;
    };
    const model = fakeModel().respond(
      call(
        ["rename", { cardId: "T-1", title: "a" }, "call_0"],
        ["rename", { cardId: "T-9", title: "a" }, "call_1"],
        ["handover", {}, "call_2"],
      ),
    );
    const graph = new StateGraph(Team)
      .addNode("first", agentOf("one", model) as never, { ends: ["second"] })
      .addNode("second", agentOf("two", second) as never)
      .addEdge(START, "first")
      .compile();
    await graph.invoke({ messages: "go" });
    const told = toolLines(conversation(second.calls[0]!.messages));
    expect(thread.version).toBe(2);
    expect(told["call_0"]).toBe("Accepted: board is now at version 2.");
    expect(told["call_1"]).toMatch(/^Refused \(card_not_found\)/);
  });

  it.each(["a thread", "a field"])(
    "says nothing of a call that another agent made on another state, with %s",
    async (kind) => {
      const on = async (field: "board" | "list") =>
        kind === "a field"
          ? { field }
          : { thread: field === "board" ? await openSample() : await openList(), approval: "propose" };
      const [left, right] = [await on("board"), await on("list")];
      const second = fakeModel().respond(say("done"));
      const one = createAgent({
        model: first(),
        tools: [...operationTools(board, left as { field: string }), handover] as StructuredToolInterface[],
        middleware: [opstateMiddleware(board, left as { field: string }) as AgentMiddleware],
      });
      const other = createAgent({
        model: second,
        // A tool of the same name.
        tools: operationTools(list, right as { field: string }),
        middleware: [opstateMiddleware(list, right as { field: string }) as AgentMiddleware],
      });
      const Both = new StateSchema({ messages: MessagesValue, board: snapshotField(board), list: snapshotField(list) });
      const graph = new StateGraph(Both)
        .addNode("first", one.graph as never, { ends: ["second"] })
        .addNode("second", other.graph as never)
        .addEdge(START, "first")
        .compile();
      await graph.invoke({ messages: "go", ...(kind === "a field" && { board: sample }) });
      const told = toolLines(conversation(second.calls[0]!.messages));
      expect(told["call_0"]).toMatch(/^This call gave no result here: .* another agent made it\. list is unchanged/);
    },
  );
});

describe("any conversation", () => {
  const turn = fc.oneof(
    fc.record({ kind: fc.constant("human" as const) }),
    fc.record({
      kind: fc.constant("calls" as const),
      // Ids come again from message to message, and each call has its result or lost it.
      calls: fc.uniqueArray(fc.record({ id: fc.constantFrom("0", "1", "2"), answered: fc.boolean() }), {
        selector: ({ id }) => id,
        minLength: 1,
      }),
    }),
  );

  it("gets exactly the results that are missing, behind those that are there", async () => {
    const thread = await openList();
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 8 }), async (turns) => {
        const given: BaseMessage[] = [];
        const expected: string[] = [];
        for (const [at, { kind, ...rest }] of turns.entries()) {
          const calls = "calls" in rest ? rest.calls : [];
          if (kind === "human") given.push(new HumanMessage({ id: `h${at}`, content: "hi" }));
          else
            given.push(
              new AIMessage({
                id: `m${at}`,
                content: "",
                tool_calls: calls.map(({ id }) => ({ type: "tool_call", id, name: "look", args: {} })),
              }),
            );
          expected.push(kind === "human" ? "human" : "ai");
          for (const { id } of calls.filter(({ answered }) => answered)) {
            given.push(new ToolMessage({ id: `r${at}/${id}`, tool_call_id: id, content: `given ${at}` }));
            expected.push(`${id}: given ${at}`);
          }
          for (const { id } of calls.filter(({ answered }) => !answered)) expected.push(`${id}: lost`);
        }
        given.push(new HumanMessage({ id: "last", content: "go on" }));
        const model = fakeModel().respond(say("done"));
        await createAgent({ model, middleware: [opstateMiddleware(list, { thread })] }).invoke({ messages: given });
        const seen = conversation(model.calls[0]!.messages).filter(({ type }) => type !== "system");
        checkForProvider(seen);
        const lines = seen.map((message) =>
          ToolMessage.isInstance(message)
            ? `${message.tool_call_id}: ${message.text.startsWith("This call gave no result") ? "lost" : message.text}`
            : message.type,
        );
        expect(lines).toEqual([...expected, "human"]);
      }),
      { numRuns: runs(100, 500) },
    );
  });
});
