// Operations inside a tool of one's own: one effect each, with the ids of the run and the call.

import { Command, MemorySaver, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { operation, opstateMiddleware, threadOfRun, type OperationResult } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { agent as agentActor, board, layout, openSample } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { commits, ids, list, openList, waiting } from "../support/guarded.ts";
import { call, say } from "../support/talk.ts";

type OpenThread = Awaited<ReturnType<typeof openSample>>;

const config = { configurable: { thread_id: "t" } };

async function commitsOf(thread: OpenThread) {
  return (await thread.history({ after: 1 })).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
}

/** A tool that moves each card to "done", one after the other. */
function finishAll(thread: OpenThread, more: { readonly after?: () => void } = {}) {
  return tool(
    async ({ cards }: { cards: string[] }, runtime) => {
      const texts: string[] = [];
      for (const cardId of cards)
        texts.push((await operation(runtime, board.op.move({ cardId, to: "done" }), { thread })).text);
      more.after?.();
      return texts.join("\n");
    },
    { name: "finishAll", description: "Finish cards", schema: z.object({ cards: z.array(z.string()) }) },
  );
}

describe("operation(config, update)", () => {
  it("gives the verdict and its words, and leaves ids of message, call and run", async () => {
    const thread = await openSample();
    const seen: OperationResult[] = [];
    const own = tool(
      async (_input, runtime) => {
        seen.push(await operation(runtime, board.op.remove({ cardId: "T-1" }), { thread }));
        seen.push(await operation(runtime, board.op.remove({ cardId: "T-1" }), { thread }));
        return seen.map(({ text }) => text.split("\n", 1)[0]).join("\n");
      },
      { name: "clear", description: "Clear", schema: z.object({}) },
    );
    const turn = call(["clear", {}, "call_0"]);
    const { messages } = await createAgent({
      model: fakeModel().respond(turn).respond(say("done")),
      tools: [own],
      middleware: [opstateMiddleware(board, { thread })],
    }).invoke({ messages: "go" });
    expect(results(messages)[0]?.text).toBe(
      'Accepted: board is now at version 2.\nRefused (card_not_found): No card "T-1"',
    );
    const [commit, ...rest] = await commitsOf(thread);
    expect(rest).toEqual([]);
    expect(commit).toMatchObject({ id: `${turn.id}/call_0`, toolCallId: "call_0", actor: agentActor });
    expect(commit?.runId).toMatch(/^[\da-f]{32}$/);
    expect(seen.map(({ verdict }) => verdict)).toEqual([
      { accepted: true, version: 2, commit },
      expect.objectContaining({ accepted: false, version: 2 }),
    ]);
    expect((await thread.undo({ runId: commit!.runId! }, { actor: agentActor })).accepted).toBe(true);
    expect(layout(thread.getState())).toEqual({ todo: ["T-1", "T-2", "T-3"], done: [] });
  });

  it("has one effect for each of several, in order, however often the tool is tried", async () => {
    const thread = await openSample();
    let tries = 0;
    const own = finishAll(thread, {
      after: () => {
        tries += 1;
        if (tries < 3) throw new Error("The network is down");
      },
    });
    const turn = call(["finishAll", { cards: ["T-1", "T-2", "T-3"] }, "c"]);
    const { messages } = await createAgent({
      model: fakeModel().respond(turn).respond(say("done")),
      tools: [own],
      middleware: [
        opstateMiddleware(board, { thread }),
        createMiddleware({
          name: "retry",
          async wrapToolCall(request, handler) {
            for (let attempt = 1; ; attempt++) {
              try {
                return await handler(request);
              } catch (error) {
                if (attempt === 3) throw error;
              }
            }
          },
        }),
      ],
    }).invoke({ messages: "go" });
    expect(tries).toBe(3);
    expect((await commitsOf(thread)).map(({ id }) => id)).toEqual([`${turn.id}/c`, `${turn.id}/c/2`, `${turn.id}/c/3`]);
    expect(results(messages)[0]?.text.match(/Accepted: board is now at version \d/g)).toEqual([
      "Accepted: board is now at version 2",
      "Accepted: board is now at version 3",
      "Accepted: board is now at version 4",
    ]);
  });

  it("numbers what begins at once by the order of the calls, each tool call for itself", async () => {
    const thread = await openSample();
    const own = tool(
      async ({ titles }: { titles: string[] }, runtime) => {
        const all = titles.map((title) => operation(runtime, board.op.rename({ cardId: "T-1", title }), { thread }));
        return (await Promise.all(all)).map(({ text }) => text).join("\n");
      },
      { name: "renameAll", description: "Rename", schema: z.object({ titles: z.array(z.string()) }) },
    );
    const turn = call(["renameAll", { titles: ["a", "b"] }, "x"], ["renameAll", { titles: ["c", "d"] }, "y"]);
    await createAgent({ model: fakeModel().respond(turn).respond(say("done")), tools: [own] }).invoke({
      messages: "go",
    });
    const titles = Object.fromEntries(
      (await commitsOf(thread)).map(({ id, operation: input }) => [id.replace(`${turn.id}/`, ""), input]),
    );
    expect(titles).toEqual({
      x: board.op.rename({ cardId: "T-1", title: "a" }),
      "x/2": board.op.rename({ cardId: "T-1", title: "b" }),
      y: board.op.rename({ cardId: "T-1", title: "c" }),
      "y/2": board.op.rename({ cardId: "T-1", title: "d" }),
    });
  });

  it("puts a question to a person first where the definition says so; what was done before the question is not done again", async () => {
    const thread = await openList();
    const own = tool(
      async (_input, runtime) => {
        const first = await operation(runtime, list.op.rename({ id: "A", title: "renamed" }), { thread });
        const second = await operation(runtime, list.op.remove({ id: "B" }), { thread });
        return [first, second].map(({ text }) => text.split("\n").at(-1)).join("\n");
      },
      { name: "tidy", description: "Tidy", schema: z.object({}) },
    );
    const agent = createAgent({
      model: fakeModel()
        .respond(call(["tidy", {}]))
        .respond(say("done")),
      tools: [own],
      middleware: [opstateMiddleware(list, { thread })],
      checkpointer: new MemorySaver(),
    });
    const asked = waiting(await agent.invoke({ messages: "go" }, config));
    expect(asked["B"]?.value.operation).toEqual({ type: "remove", id: "B" });
    const { messages } = await agent.invoke(new Command({ resume: { [asked["B"]!.id]: { type: "accept" } } }), config);
    expect(results(messages)[0]?.text).toContain('Approved by user "user".');
    expect(ids(thread)).toBe("ACD");
    expect((await commits(thread)).map(({ operation: { type } }) => type)).toEqual(["rename", "$propose", "$approve"]);
  });

  it("says that it waits, and gives no verdict, where it is only proposed", async () => {
    const thread = await openList();
    let result: OperationResult | undefined;
    const own = tool(
      async (_input, runtime) => {
        result = await operation(runtime, list.op.remove({ id: "B" }), { thread, approval: "propose" });
        return result.text;
      },
      { name: "tidy", description: "Tidy", schema: z.object({}) },
    );
    await createAgent({
      model: fakeModel()
        .respond(call(["tidy", {}]))
        .respond(say("done")),
      tools: [own],
    }).invoke({
      messages: "go",
    });
    expect(result?.verdict).toBeUndefined();
    expect(result?.text).toContain("waits for a person's approval");
    expect(ids(thread)).toBe("ABCD");
  });

  it("finds the run's own thread, and a thread by LangChain's context", async () => {
    const thread = await openSample();
    const given: (((config: LangGraphRunnableConfig<{ board?: OpenThread }>) => OpenThread) | undefined)[] = [
      undefined,
      threadOfRun(board),
      ({ context }) => context!.board!,
    ];
    for (const [index, source] of given.entries()) {
      const own = tool(
        async (_input, runtime) =>
          (
            await operation(
              runtime,
              board.op.rename({ cardId: "T-1", title: `by ${index}` }),
              source ? { thread: source as never } : {},
            )
          ).text,
        { name: "own", description: "Own", schema: z.object({}) },
      );
      const agent = createAgent({
        model: fakeModel()
          .respond(call(["own", {}]))
          .respond(say("done")),
        tools: [own],
        contextSchema: z.object({ board: z.custom<OpenThread>().optional() }),
      });
      const run = { configurable: { thread_id: "t", opstate: { thread } }, context: { board: thread } };
      const { messages } = await agent.invoke({ messages: "go" }, index === 2 ? { context: { board: thread } } : run);
      expect(results(messages)[0]?.text).toMatch(/^Accepted: board is now at version/);
    }
    expect(thread.version).toBe(4);
  });

  it("says what is missing", async () => {
    await expect(operation({}, board.op.remove({ cardId: "T-1" }))).rejects.toThrow(
      "operation(config, update) found no thread: this run brings none. Pass operation(config, update, { thread })",
    );
    await expect(
      operation({}, board.op.remove({ cardId: "T-1" }), { thread: (() => undefined) as never }),
    ).rejects.toThrow("`thread` gave undefined");
    await expect(operation(undefined as never, board.op.remove({ cardId: "T-1" }))).rejects.toThrow(
      "needs the config that the tool got, its second argument; it got undefined.",
    );
  });

  it("works outside of a graph, where the thread makes the id", async () => {
    const thread = await openSample();
    const { verdict } = await operation({}, board.op.remove({ cardId: "T-1" }), { thread });
    expect(verdict?.accepted).toBe(true);
  });
});
