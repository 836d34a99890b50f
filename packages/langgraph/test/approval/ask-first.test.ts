// "Ask me first": every call of a run waits for approval, by an interrupt or while the run
// goes on, switched by the run's config.

import { defined } from "@opstate/core";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { operationTools, type ApprovalOptions } from "@opstate/langgraph";
import { fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import { ada } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { guardedAgent, happened, ids, lines, list, openList, waiting } from "../support/guarded.ts";
import { shown } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const rename = (title: string) => ["rename", { id: "A", title }] as const;

/** By what the caller says at `configurable.mode`. */
const byRun: ApprovalOptions = {
  ask: ({ configurable }) => (configurable?.["mode"] === undefined ? "needed" : "always"),
  approval: ({ configurable }) => (configurable?.["mode"] === "interrupt" ? "interrupt" : "propose"),
  approver: ada,
};

function at(mode?: "interrupt" | "propose"): RunnableConfig {
  return { configurable: { thread_id: "t", ...defined({ mode }) } };
}

describe("a call that is proposed", () => {
  it("says so to the model, and the run goes on; the next run is shown the approval", async () => {
    const thread = await openList();
    const model = fakeModel()
      .respond(call(rename("a"), ["remove", { id: "B" }]))
      .respond(say("proposed"))
      .respond(say("seen"));
    const agent = guardedAgent(thread, model, { ask: "always", approval: "propose" });
    const { messages } = await agent.invoke({ messages: "go" }, at());
    const open = await thread.proposals();
    expect(results(messages).map(({ text, artifact }) => [text, artifact])).toEqual(
      open.map(({ id, version }) => [
        `Proposed as "${id}": it waits for a person's approval. Until it is approved, list is unchanged by this call. Continue without it, and do not propose it again.`,
        { type: "opstate.proposed", proposal: id, proposedAt: version },
      ]),
    );
    expect(messages.at(-1)?.text).toBe("proposed");
    expect(thread.getState()).toEqual(list.initial);

    await thread.approve(open[0]!.id, { actor: ada });
    await thread.decline(open[1]!.id, { actor: ada, reason: "B stays" });
    await agent.invoke({ messages: "and now?" }, at());
    const briefing = shown(model.calls.at(-1)!.messages);
    expect(briefing).toMatch(/ada.*approved what agent .*agent.* proposed/);
    expect(briefing).toMatch(/declined a proposal .*B stays/);
    expect(thread.getState().items[0]?.title).toBe("a");
  });

  it("is refused at once when it is not legal; a second call is another proposal", async () => {
    const thread = await openList();
    const model = fakeModel()
      .respond(call(["rename", { id: "Z", title: "z" }], rename("a")))
      .respond(call(rename("a")))
      .respond(say("done"));
    const agent = guardedAgent(thread, model, { ask: "always", approval: "propose" });
    const { messages } = await agent.invoke({ messages: "go" }, at());
    expect(lines(messages)[0]).toBe('Refused (item_not_found): No item "Z"');
    expect(await happened(thread)).toBe("$propose $propose");
  });
});

describe("one agent", () => {
  it("requests approval in one run and not in another, as the run's config says", async () => {
    const thread = await openList();
    const model = fakeModel()
      .respond(call(rename("one")))
      .respond(say("1"))
      .respond(call(rename("two")))
      .respond(say("2"))
      .respond(call(rename("three")))
      .respond(say("3"));
    const agent = guardedAgent(thread, model, byRun);
    await agent.invoke({ messages: "go" }, at());
    expect(thread.getState().items[0]?.title).toBe("one");
    await agent.invoke({ messages: "go" }, at("propose"));
    expect(thread.getState().items[0]?.title).toBe("one");
    const asked = waiting(await agent.invoke({ messages: "go" }, at("interrupt")));
    await agent.invoke(new Command({ resume: { [asked["A"]!.id]: { type: "accept" } } }), at("interrupt"));
    expect(thread.getState().items[0]?.title).toBe("three");
    expect(await happened(thread)).toBe("rename $propose $propose $approve");
  });

  it("does a call once though its settings changed before the step ran again", async () => {
    const messages = { messages: [call(["rename", { id: "A", title: "a" }, "call_0"])] };
    for (const [first, second, log, verdict] of [
      [at("propose"), at(), "$propose", "Proposed"],
      [at(), at("propose"), "rename", "Accepted"],
      [at(), at("interrupt"), "rename", "Accepted"],
      [at("interrupt"), at("propose"), "$propose", "Proposed"],
    ] as const) {
      const thread = await openList();
      const graph = new StateGraph(MessagesAnnotation)
        .addNode("tools", new ToolNode([...operationTools(list, { thread, ...byRun })]))
        .addEdge(START, "tools")
        .compile({ checkpointer: new MemorySaver() });
      await graph.invoke(messages, first);
      const again = await graph.invoke(messages, { configurable: { ...second.configurable, thread_id: "again" } });
      expect(lines(again.messages)[0]).toMatch(new RegExp(`^${verdict}`));
      expect(await happened(thread)).toBe(log);
    }
  });

  it("goes on with what was decided, when the run is resumed under other settings", async () => {
    for (const mode of [undefined, "propose"] as const) {
      const thread = await openList();
      const agent = guardedAgent(
        thread,
        fakeModel()
          .respond(call(rename("a")))
          .respond(say("done")),
        byRun,
      );
      const { A } = waiting(await agent.invoke({ messages: "go" }, at("interrupt")));
      await thread.approve(A!.value.proposal, { actor: ada });
      const { messages } = await agent.invoke(null as never, at(mode));
      expect(lines(messages)).toEqual(["Accepted: list is now at version 2."]);
      expect(await happened(thread)).toBe("$propose $approve");
    }
  });
});

describe("on a branch", () => {
  it("what needs approval is done at once, because nothing counts before the merge; `ask: always` interrupts there, too", async () => {
    const thread = await openList();
    const branch = await thread.branch();
    const model = () =>
      fakeModel()
        .respond(call(["remove", { id: "A" }]))
        .respond(say("done"));
    await guardedAgent(branch, model()).invoke({ messages: "go" }, at());
    expect(ids(branch)).toBe("BCD");
    expect(ids(thread)).toBe("ABCD");
    const [merged] = await branch.merge({ actor: ada });
    expect(merged?.verdict.accepted).toBe(true);
    expect(ids(thread)).toBe("BCD");

    const other = await thread.branch();
    const { messages } = await guardedAgent(
      other,
      fakeModel()
        .respond(call(["remove", { id: "B" }]))
        .respond(say("done")),
      {
        ask: "always",
        approval: "propose",
      },
    ).invoke({ messages: "go" }, at());
    expect(lines(messages)[0]).toMatch(/^Proposed as/);
  });
});
