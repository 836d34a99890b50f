// An answer is carried out once, wherever the process dies while it is: the step runs again from
// its top. LangGraph forgets the answer by then, so either the log knows what was decided, or the
// graph puts the question again.

import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import type { Actor } from "@opstate/core";
import { operationTools, type ApprovalAnswer } from "@opstate/langgraph";
import { describe, expect, it } from "vitest";
import { ada } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { commits, happened, ids, lines, list, openList, waiting, type List } from "../support/guarded.ts";
import { call } from "../support/talk.ts";

const ben: Actor = { kind: "user", id: "ben" };
const steps = ["propose", "proposal", "approve", "decline"] as const;

/**
 * The thread, with something that happens at the call of that number: before it has an effect, or
 * after.
 */
function disturbed(thread: List, number: number, when: "before" | "after", event: () => Promise<unknown>): List {
  let calls = 0;
  const copy: List = Object.create(thread, Object.getOwnPropertyDescriptors(thread));
  const wrap = (name: (typeof steps)[number]) => {
    const original: (...args: never[]) => Promise<unknown> = thread[name];
    const replaced = async (...args: never[]) => {
      calls += 1;
      const isNow = calls === number;
      if (isNow && when === "before") await event();
      const result = await original(...args);
      if (isNow && when === "after") await event();
      return result;
    };
    Object.defineProperty(copy, name, { value: replaced });
  };
  steps.forEach(wrap);
  return copy;
}

function dying(thread: List, number: number, when: "before" | "after"): List {
  return disturbed(thread, number, when, () => Promise.reject(new Error("died")));
}

const config = { configurable: { thread_id: "t" } };

/** A graph whose tools fail the run when they throw, with one call that waits for its answer. */
async function asking() {
  const thread = await openList();
  const current = { thread, approver: ada };
  const tools = operationTools(list, { thread: () => current.thread, approver: () => current.approver });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode([...tools], { handleToolErrors: false }))
    .addEdge(START, "tools")
    .compile({ checkpointer: new MemorySaver() });
  const { A } = waiting(await graph.invoke({ messages: [call(["remove", { id: "A" }, "call_0"])] }, config));
  return { thread, current, graph, id: A!.id };
}

/**
 * How it ended after one death: a person lets the run go on, and answers each question once more.
 */
async function ended(
  { thread, current, graph, id }: Awaited<ReturnType<typeof asking>>,
  answer: ApprovalAnswer,
  dead: List,
  again: Actor,
) {
  const resume = () => graph.invoke(new Command({ resume: { [id]: answer } }), config);
  current.thread = dead;
  const first = await resume().catch((error: unknown) => void expect(String(error)).toContain("died"));
  current.thread = thread;
  current.approver = again;
  let result = first ?? (await graph.invoke(null, config));
  if ("A" in waiting(result)) result = await resume();
  return {
    died: first === undefined,
    verdict: lines(result.messages)[0]?.replace(/\d+/, "n"),
    happened: await happened(thread),
  };
}

describe("an answer that is cut off", () => {
  it.each([
    ["accept", { type: "accept" }, "$propose $approve", "BCD", "Accepted: list is now at version n."],
    [
      "decline",
      { type: "decline", message: "no" },
      "$propose $decline",
      "ABCD",
      /^Refused \(declined\): user ".*" declined it, and said: "no"$/,
    ],
    [
      "edit",
      { type: "edit", operation: list.op.remove({ id: "B" }) },
      "$propose $decline $propose $approve",
      "ACD",
      "Accepted: list is now at version n.",
    ],
    [
      "edit of no effect",
      { type: "edit", operation: list.op.remove({ id: "Z" }) },
      "$propose $decline",
      "ABCD",
      'Refused (item_not_found): No item "Z"',
    ],
  ] as const)("is carried out once: %s", async (_name, answer, log, left, verdict) => {
    for (const again of [ada, ben]) {
      for (const when of ["before", "after"] as const) {
        let number = 1;
        for (let died = true; died; number++) {
          const asked = await asking();
          const end = await ended(asked, answer, dying(asked.thread, number, when), again);
          ({ died } = end);
          expect(end.happened, `${when} call ${number}, again by ${again.id}`).toBe(log);
          expect(end.verdict).toMatch(verdict);
          expect([ids(asked.thread), await asked.thread.proposals()]).toEqual([left, []]);
        }
        expect(number).toBeGreaterThan(3);
      }
    }
  });

  it("that came too late is refused for good: the proposal is withdrawn", async () => {
    for (const when of ["before", "after"] as const) {
      for (let number = 1, died = true; died; number++) {
        const asked = await asking();
        await asked.thread.dispatch(list.op.rename({ id: "A", title: "important" }), { actor: ben });
        const end = await ended(asked, { type: "accept" }, dying(asked.thread, number, when), ada);
        ({ died } = end);
        expect(end.verdict).toMatch(/^Refused \((changed|withdrawn)\): .*has changed since version n/);
        expect(end.happened).toBe("$propose rename $decline");
      }
    }
  });
});

describe("an answer that a page overtakes", () => {
  const answers: readonly ApprovalAnswer[] = [
    { type: "accept" },
    { type: "decline", message: "no" },
    { type: "edit", operation: list.op.remove({ id: "B" }) },
  ];
  const cases = answers.flatMap((answer) =>
    (["approve", "decline"] as const).flatMap((page) => [false, true].map((changed) => ({ answer, page, changed }))),
  );

  it.each(cases)(
    "leaves one decision, which the model reads: $answer.type, page: $page, changed: $changed",
    async ({ answer, page, changed }) => {
      for (let number = 1; number <= 10; number++) {
        const { thread, current, graph, id } = await asking();
        const [proposal] = await thread.proposals();
        if (changed) await thread.dispatch(list.op.rename({ id: "A", title: "important" }), { actor: ada });
        current.thread = disturbed(thread, number, "before", () => thread[page](proposal!.id, { actor: ben }));
        const { messages } = await graph.invoke(new Command({ resume: { [id]: answer } }), config);
        const made = await commits(thread);
        const ends = made.filter(
          ({ operation }) => "proposedAt" in operation && operation.proposedAt === proposal!.version,
        );
        expect(ends, `call ${number}`).toHaveLength(1);
        const verdict = lines(messages)[0]!;
        const last = made.findLast(({ operation }) => ["$approve", "$decline"].includes(operation.type))!;
        if (last.operation.type === "$approve")
          expect(verdict).toBe(`Accepted: list is now at version ${last.version}.`);
        else
          expect(verdict).toMatch(
            last.actor.id === ben.id ? /^Refused \(declined\): user "ben"/ : /^Refused \((declined|changed)\)/,
          );
        // A proposal that a page decided first was not edited.
        const isEdited = results(messages)[0]!.text.includes("it was edited to");
        expect(isEdited).toBe(made.some((commit) => commit.id === `${proposal!.id}/edit`));
        expect(ids(thread)).toHaveLength(last.operation.type === "$approve" ? 3 : 4);
        expect(await thread.proposals()).toEqual([]);
      }
    },
  );
});
