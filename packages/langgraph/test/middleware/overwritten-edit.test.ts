// An edit of the field of a thread does not vanish in silence: it is reported to `onReject` and to
// the model.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { Rejection } from "@opstate/core";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import { ada } from "../support/board.ts";
import { list, openList, waiting, type List } from "../support/guarded.ts";
import { shown } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const folder = mkdtempSync(join(tmpdir(), "opstate-edits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const savers: readonly (readonly [string, () => BaseCheckpointSaver])[] = [
  ["memory", () => new MemorySaver()],
  ["SQLite", () => SqliteSaver.fromConnString(join(folder, `${++files}.db`))],
];
const rename = { type: "rename", id: "A", title: "edited" };

function agentOn(
  thread: List,
  model: ReturnType<typeof fakeModel>,
  checkpointer: BaseCheckpointSaver = new MemorySaver(),
  onReject?: (rejection: Rejection, refused: { readonly field: string; readonly update: unknown }) => void,
) {
  return createAgent({
    model,
    tools: operationTools(list, { thread, approver: ada }),
    middleware: [opstateMiddleware(list, { thread, field: "list", ...(onReject === undefined ? {} : { onReject }) })],
    checkpointer,
  });
}

/** What the model read from the application in that call, apart from the state. */
function notices(model: ReturnType<typeof fakeModel>, at: number): string[] {
  const { messages } = model.calls.at(at)!;
  shown(messages);
  return messages.slice(0, -1).flatMap(({ text }) => (text.startsWith("From the application") ? [text] : []));
}

describe.each(savers)("an edit of a thread's field by updateState, on %s", (_name, saver) => {
  async function edited(update: unknown, node = "model_request") {
    const thread = await openList();
    const model = fakeModel().respond(say("one")).respond(say("two")).respond(say("three"));
    const told: [Rejection, { field: string; update: unknown }][] = [];
    const agent = agentOn(thread, model, saver(), (...given) => told.push(given));
    await agent.invoke({ messages: "go" }, config);
    await agent.graph.updateState(config, { list: update }, node);
    return { thread, model, agent, told };
  }

  it.each([
    ["an operation", rename],
    ["a whole state", { items: [{ id: "A", title: "edited" }] }],
  ])("is reported at the next run, once: %s", async (_what, update) => {
    const { thread, model, agent, told } = await edited(update);
    const { list: field } = await agent.invoke({ messages: "and?" }, config);
    expect(field.state).toEqual(thread.getState());
    expect(told).toHaveLength(1);
    const [[rejection, refused]] = told as [(typeof told)[0]];
    expect(rejection).toMatchObject({ code: "refused", reason: "thread_decides" });
    expect(rejection.message).toContain('edit of the graph\'s field "list" had no effect');
    expect(refused.field).toBe("list");
    expect(JSON.stringify(refused.update)).toContain("edited");
    expect(notices(model, -1)).toEqual([expect.stringMatching(/The edit had no effect.*\bset .*edited/)]);
    await agent.invoke({ messages: "and?" }, config);
    expect(told).toHaveLength(1);
    expect(notices(model, -1)).toEqual([]);
  });

  it("is reported also when the thread has moved to the same version", async () => {
    const { thread, agent, told } = await edited(rename);
    await thread.dispatch(list.op.rename({ id: "B", title: "b" }), { actor: ada });
    await agent.invoke({ messages: "and?" }, config);
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told[0]?.[1].update)).toContain("edited");
  });

  it("is not reported where nothing was edited: the thread moved, or the field refused the edit", async () => {
    const { thread, model, agent, told } = await edited({ type: "rename", id: "Z", title: "z" });
    await thread.dispatch(list.op.rename({ id: "B", title: "b" }), { actor: ada });
    await agent.invoke({ messages: "and?" }, config);
    await agent.invoke({ messages: "and?" }, config);
    // What the field itself refused is reported as that, not as an edit that had no effect.
    expect(new Set(told.map(([{ reason }]) => reason))).toEqual(new Set(["item_not_found"]));
    expect(notices(model, -1)).toEqual([]);
  });
});

it("an edit while the run waits is reported when it goes on", async () => {
  const thread = await openList();
  const model = fakeModel()
    .respond(call(["remove", { id: "A" }, "call_A"]))
    .respond(say("done"));
  const told: Rejection[] = [];
  const agent = agentOn(thread, model, new MemorySaver(), (rejection) => told.push(rejection));
  await agent.invoke({ messages: "go" }, config);
  await agent.graph.updateState(config, { list: rename }, "model_request");
  const again = waiting(await agent.invoke(null as never, config));
  await agent.invoke(new Command({ resume: { [again["A"]!.id]: "approve" } }), config);
  expect(told).toHaveLength(1);
  expect(notices(model, -1)).toHaveLength(1);
});

it("a throwing onReject ends no run", async () => {
  const thread = await openList();
  const model = fakeModel().respond(say("one")).respond(say("two"));
  const agent = agentOn(thread, model, new MemorySaver(), () => {
    throw new Error("mine");
  });
  await agent.invoke({ messages: "go" }, config);
  await agent.graph.updateState(config, { list: rename }, "model_request");
  const { messages } = await agent.invoke({ messages: "and?" }, config);
  expect(messages.at(-1)?.text).toBe("two");
});
