// How many steps a graph may take in one run.

import { operationTools, opstateMiddleware, threadOfRun } from "@opstate/langgraph";
import { graphAgent, type GraphAgentOptions, type RunnableGraph } from "@opstate/langgraph/ag-ui";
import { createAgent, fakeModel } from "langchain";
import { expect, it } from "vitest";
import { ada, board, openSample } from "../support/board.ts";
import { call, say } from "../support/talk.ts";

const CALLS = 30;

/** One call after another, each in a step of its own. */
function longAgent() {
  const model = fakeModel();
  for (let n = 0; n < CALLS; n += 1) model.respond(call(["rename", { cardId: "T-1", title: `Title ${n}` }]));
  model.respond(say("Done."));
  const thread = threadOfRun(board);
  return createAgent({
    model,
    tools: operationTools(board, { thread }),
    middleware: [opstateMiddleware(board, { thread })],
  });
}

/** How many calls were made before the end, or before the error. */
async function callsOf(graph: RunnableGraph, options?: GraphAgentOptions) {
  const thread = await openSample();
  const messages = [{ id: "u1", role: "user" as const, content: "go" }];
  const input = { threadId: thread.threadId, runId: "r1", messages, tools: [], context: [] };
  let calls = 0;
  let failure: unknown;
  try {
    for await (const { type } of graphAgent(
      graph,
      options,
    )({
      input,
      thread,
      actor: ada,
      signal: new AbortController().signal,
    }))
      if (type === "TOOL_CALL_RESULT") calls += 1;
  } catch (error) {
    failure = error;
  }
  return { calls, failure };
}

it("an agent with middleware makes many calls in one run", async () => {
  expect(await callsOf(longAgent())).toEqual({ calls: CALLS, failure: undefined });
});

it("the limit that the graph has counts", async () => {
  const { calls, failure } = await callsOf(longAgent().withConfig({ recursionLimit: 12 }));
  expect(calls).toBeLessThan(5);
  expect(String(failure)).toContain("Recursion limit of 12");
});

it("the one that `graphAgent` is given counts before that", async () => {
  const limited = longAgent().withConfig({ recursionLimit: 12 });
  expect(await callsOf(limited, { recursionLimit: 200 })).toEqual({ calls: CALLS, failure: undefined });
  const { failure } = await callsOf(longAgent(), { recursionLimit: 20 });
  expect(String(failure)).toContain("Recursion limit of 20");
});
