// What a provider is sent: valid calls, each with its result, and an order that it can cache.
// `node --test sent.test.ts`

import { Command, MemorySaver } from "@langchain/langgraph";
import { memoryLog, openThread } from "@opstate/core";
import { operationTools, opstateMiddleware, readTools } from "@opstate/langgraph";
import { createAgent } from "langchain";
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { board, cards } from "./board.ts";
import { type Endpoint, startEndpoint } from "./endpoint.ts";
import { type Block, type Provider, providers, type Turn } from "./providers.ts";

const ada = { kind: "user", id: "ada" };
const config = { configurable: { thread_id: "chat" } };
const opened: Endpoint[] = [];
after(() => Promise.all(opened.map((endpoint) => endpoint.close())));

async function started(provider: Provider, script: readonly Turn[], count = 5) {
  const endpoint = await startEndpoint(provider, script);
  opened.push(endpoint);
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "launch" });
  await thread.dispatch(
    { type: "$replace", value: { cards: cards(count) } },
    { actor: { kind: "system", id: "setup" } },
  );
  const agent = createAgent({
    model: provider.model(endpoint.url),
    systemPrompt: "You keep a board.",
    tools: [...operationTools(board, { thread, approver: ada }), ...readTools(board, { thread })],
    middleware: [opstateMiddleware(board, { thread })],
    checkpointer: new MemorySaver(),
  });
  return { endpoint, thread, agent };
}

/** Tools, system message and conversation, as one list that a cache reads from its start. */
function prompt(provider: Provider, body: unknown): readonly string[] {
  return [...provider.tools(body), provider.system(body), ...provider.blocks(body)].map((part) => JSON.stringify(part));
}

const results = (provider: Provider, body: unknown): readonly Block[] =>
  provider.blocks(body).filter(({ kind }) => kind === "result");
const firstWords = (blocks: readonly Block[]) => blocks.map(({ text }) => text.split(/[ :]/, 1)[0]);

function assertCacheable(provider: Provider, sent: readonly unknown[]): void {
  for (const [index, body] of sent.slice(1).entries()) {
    const [before, now] = [prompt(provider, sent[index]), prompt(provider, body)];
    // All but the last block, which is the application's, is the beginning of the next request.
    assert.deepEqual(now.slice(0, before.length - 1), before.slice(0, -1));
  }
}

function assertValid(provider: Provider, sent: readonly unknown[]): void {
  for (const body of sent) {
    assert.equal(provider.faultIn(body), undefined);
    const tools = provider.tools(body);
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), ["board_find", "board_read", "move", "remove"]);
    for (const { name, schema } of tools) {
      assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
      assert.equal(schema.type, "object");
    }
    const blocks = provider.blocks(body);
    const calls = blocks.filter(({ kind }) => kind === "call");
    for (const { id, name } of calls) {
      assert.ok(tools.some((tool) => tool.name === name));
      if (id === undefined) continue;
      assert.equal(calls.filter((call) => call.id === id).length, 1);
      assert.equal(blocks.filter((block) => block.kind === "result" && block.id === id).length, 1);
    }
    assert.equal(results(provider, body).length, calls.length);
    // The instructions are in the stable prefix, the state is not.
    assert.match(provider.system(body), /^You keep a board\.\n\nEach request ends with a message from the application/);
    assert.doesNotMatch(provider.system(body), /Card 0/);
    const last = blocks.at(-1);
    assert.match(last?.text ?? "", /^From the application, not from the user:\n<board/);
    assert.equal(last?.kind, "text");
  }
}

for (const provider of providers) {
  describe(provider.name, () => {
    test("is sent tools and instructions first, the same in each call, and the state last", async () => {
      const { endpoint, thread, agent } = await started(provider, [
        [
          ["move", { id: "T-1", column: "done" }],
          ["move", { id: "T-99", column: "done" }],
        ],
        [["board_find", { text: "Card 3" }]],
        "Moved one.",
        [["move", { id: "T-2", column: "done" }]],
        "Moved another.",
      ]);
      await agent.invoke({ messages: "Move T-1 and T-99" }, config);
      await thread.dispatch(board.op.move({ id: "T-4", column: "done" }), { actor: ada });
      const { messages } = await agent.invoke({ messages: "And T-2" }, config);
      assert.equal(messages.at(-1)?.text, "Moved another.");
      assert.equal(endpoint.sent.length, 5);
      assertValid(provider, endpoint.sent);
      assertCacheable(provider, endpoint.sent);
      assert.deepEqual(firstWords(results(provider, endpoint.sent[1])), ["Accepted", "Refused"]);
      const [, , , news] = endpoint.sent.map((body) => provider.blocks(body).at(-1)?.text ?? "");
      assert.match(news ?? "", /<board-changes>\n.*ada/s);
    });

    test("is sent a large state before the conversation, and the changes last", async () => {
      const { endpoint, thread, agent } = await started(
        provider,
        [[["move", { id: "T-1", column: "done" }]], "Moved.", "Still there."],
        120,
      );
      await agent.invoke({ messages: "Move T-1" }, config);
      await thread.dispatch(board.op.move({ id: "T-7", column: "done" }), { actor: ada });
      await agent.invoke({ messages: "And now?" }, config);
      assertValid(provider, endpoint.sent);
      assertCacheable(provider, endpoint.sent);
      for (const body of endpoint.sent) {
        const [first, ...rest] = provider.blocks(body);
        assert.match(first?.text ?? "", /^From the application:\n<board version="1">\n.*Card 119/s);
        assert.doesNotMatch(JSON.stringify(rest), /Card 119/);
      }
      assert.match(provider.blocks(endpoint.sent[2]).at(-1)?.text ?? "", /Since you last looked:\n3 user ada/);
    });

    test("is sent each call with its verdict after approvals", async () => {
      const { endpoint, agent } = await started(provider, [
        [
          ["remove", { id: "T-1" }],
          ["move", { id: "T-2", column: "done" }],
          ["remove", { id: "T-3" }],
        ],
        "Done.",
      ]);
      const stopped = await agent.invoke({ messages: "Clean up" }, config);
      const open = (stopped as unknown as { __interrupt__: { id: string; value: { operation: { id: string } } }[] })
        .__interrupt__;
      const answers = open.map(({ id, value }) => [id, { type: value.operation.id === "T-1" ? "accept" : "decline" }]);
      const { messages } = await agent.invoke(new Command({ resume: Object.fromEntries(answers) }), config);
      assert.equal(messages.at(-1)?.text, "Done.");
      assertValid(provider, endpoint.sent);
      assertCacheable(provider, endpoint.sent);
      assert.deepEqual(firstWords(results(provider, endpoint.sent[1])), ["Accepted", "Accepted", "Refused"]);
    });

    test("is sent each call with what became of it after a chat message in place of an answer", async () => {
      const { endpoint, thread, agent } = await started(provider, [
        [
          ["remove", { id: "T-1" }],
          ["move", { id: "T-2", column: "done" }],
        ],
        "As you like.",
        "It is gone.",
      ]);
      await agent.invoke({ messages: "Clean up" }, config);
      await agent.invoke({ messages: "Never mind" }, config);
      const [proposal] = await thread.proposals();
      assert.ok(proposal);
      await thread.approve(proposal.id, { actor: ada });
      const { messages } = await agent.invoke({ messages: "And now?" }, config);
      assert.equal(messages.at(-1)?.text, "It is gone.");
      assertValid(provider, endpoint.sent);
      assert.deepEqual(firstWords(results(provider, endpoint.sent[1])), ["Proposed", "Accepted"]);
      assert.deepEqual(firstWords(results(provider, endpoint.sent[2])), ["Accepted", "Accepted"]);
    });
  });
}

test("the endpoint refuses what the provider refuses", async () => {
  const call = [["move", { id: "T-1", column: "done" }]] as const;
  for (const provider of providers) {
    const { endpoint, agent } = await started(provider, [call, "Moved."]);
    await agent.invoke({ messages: "Move" }, config);
    const valid = JSON.stringify(endpoint.sent[1]);
    const [result] = results(provider, endpoint.sent[1]);
    const body = JSON.parse(valid);
    for (const list of [body.messages, body.contents])
      for (const message of list ?? []) {
        if (message.role === "tool") message.role = "user";
        const parts: unknown = message.parts ?? message.content;
        if (Array.isArray(parts))
          for (const part of parts) {
            delete part.functionResponse;
            if (part.type === "tool_result") part.type = "text";
          }
      }
    assert.ok(result);
    assert.notEqual(provider.faultIn(body), undefined, provider.name);
  }
});
