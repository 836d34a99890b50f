// In random teams of each shape the messages, the field's outcomes and its state agree with a board
// that is kept by hand.

import { Command, Send, START, StateGraph } from "@langchain/langgraph";
import { operationTools, opstateMiddleware, verdictsNode } from "@opstate/langgraph";
import fc from "fast-check";
import { createAgent, fakeModel, tool, ToolMessage, type ToolRuntime } from "langchain";
import { expect, it } from "vitest";
import * as z from "zod";
import { runs } from "../../../../tools/runs.ts";
import { board, layout, sample } from "../support/board.ts";
import { HandBoard } from "../support/hand-board.ts";
import {
  handBuilt,
  nested,
  recorded,
  staged,
  Team,
  told,
  worker,
  type Field,
  type Runnable,
} from "../support/teams.ts";
import { call, say, type Call } from "../support/talk.ts";

/** What one subgraph does: parallel calls, in one step or two. */
type Sub = readonly (readonly Call[])[];
/** Subgraphs that run at once. */
type Stage = readonly Sub[];

const cardId = fc.constantFrom("T-1", "T-2", "T-3", "T-9");
const calls = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ cardId, to: fc.constantFrom("todo", "done") }).map((args): Call => ["move", args]),
  },
  {
    weight: 3,
    arbitrary: fc.record({ cardId, title: fc.constantFrom("a", "b") }).map((args): Call => ["rename", args]),
  },
  { weight: 1, arbitrary: cardId.map((id): Call => ["remove", { cardId: id }]) },
);
const subs: fc.Arbitrary<Sub> = fc.array(fc.array(calls, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 2,
});
/** Supersteps of subgraphs in one team. */
const STAGES = 4;
const plans = (least: number, most: number): fc.Arbitrary<readonly Stage[]> =>
  fc.array(fc.array(subs, { minLength: least, maxLength: most }), { minLength: STAGES, maxLength: STAGES });

const verdicts = verdictsNode(board, { field: "board" });

interface Result {
  readonly board: Field;
  /** The verdicts in messages, where the shape brings the messages to the parent. */
  readonly told?: readonly string[];
}

async function invoke(team: Runnable): Promise<Result> {
  const { board: field, messages } = await team.invoke({ messages: "go", board: sample }, { recursionLimit: 100 });
  return { board: field, told: told(messages).filter((words) => !words.startsWith("To ")) };
}

/** All in the same form: nodes, nested graphs, or nodes that call graphs. */
const nodes = (make: (sub: Sub, index: number) => unknown) => (plan: readonly Stage[]) =>
  invoke(
    staged(
      plan.map((stage) => stage.map(make)),
      verdicts,
    ),
  );

/** The subgraphs of a stage are `Send`s to one node. */
function sends(plan: readonly Stage[]): Promise<Result> {
  const graph = new StateGraph(Team) as unknown as {
    addNode(name: string, node: unknown): void;
    addEdge(from: string, to: string): void;
    addConditionalEdges(from: string, route: (state: typeof Team.State) => Send[], ends: string[]): void;
    compile(): Runnable;
  };
  for (const [at, stage] of plan.entries()) {
    graph.addNode(`start${at}`, () => ({}));
    graph.addNode(`sub${at}`, (state: { index: number }) => handBuilt(...stage[state.index]!).invoke(state));
    graph.addConditionalEdges(
      `start${at}`,
      (state) => stage.map((_, index) => new Send(`sub${at}`, { ...state, messages: [], index })),
      [`sub${at}`],
    );
    graph.addEdge(at === 0 ? START : `sub${at - 1}`, `start${at}`);
  }
  graph.addNode("verdicts", verdicts);
  graph.addEdge(`sub${plan.length - 1}`, "verdicts");
  return invoke(graph.compile());
}

/** An agent whose parallel tool calls are agents. Their messages stay with them. */
async function supervisor(plan: readonly Stage[]): Promise<Result> {
  const delegate = tool(
    async ({ stage, index }: { stage: number; index: number }, config: ToolRuntime) => {
      const { board: present } = config.state as typeof Team.State;
      const done = await worker(...plan[stage]![index]!).invoke({ messages: "do it", board: present });
      const message = new ToolMessage({ content: "done", tool_call_id: config.toolCallId });
      return new Command({ update: { board: done.board, messages: [message] } });
    },
    { name: "delegate", description: "Delegate", schema: z.object({ stage: z.int(), index: z.int() }) },
  );
  const model = fakeModel();
  for (const [at, stage] of plan.entries())
    model.respond(call(...stage.map((_, index): Call => ["delegate", { stage: at, index }])));
  const agent = createAgent({
    model: model.respond(say("done")),
    tools: [delegate],
    middleware: [opstateMiddleware(board, { field: "board", maxRefusals: false })],
  });
  const { board: field } = await agent.invoke({ messages: "go", board: sample }, { recursionLimit: 100 });
  return { board: field };
}

/** Agents that hand over to the next one by `Command.PARENT`. */
function swarm(plan: readonly Stage[]): Promise<Result> {
  const graph = new StateGraph(Team) as unknown as {
    addNode(name: string, node: unknown, options: object): void;
    addEdge(from: string, to: string): void;
    compile(): Runnable;
  };
  for (const [at, stage] of plan.entries()) {
    const next = at === plan.length - 1 ? "verdicts" : `agent${at + 1}`;
    const handoff = tool(
      (_args: object, config: ToolRuntime) => {
        const { messages } = config.state as typeof Team.State;
        const message = new ToolMessage({ content: `To ${next}`, tool_call_id: config.toolCallId });
        return new Command({ goto: next, graph: Command.PARENT, update: { messages: [...messages, message] } });
      },
      { name: "handoff", description: "Hand over", schema: z.object({}) },
    );
    const model = fakeModel();
    for (const step of stage[0]!) model.respond(call(...step));
    model.respond(call(["handoff", {}]));
    const agent = createAgent({
      model,
      tools: [...operationTools(board, { field: "board" }), handoff] as ReturnType<typeof operationTools>,
      middleware: [opstateMiddleware(board, { field: "board", maxRefusals: false })],
    });
    graph.addNode(`agent${at}`, agent.graph, { ends: [next] });
  }
  graph.addNode("verdicts", verdicts, {});
  graph.addEdge(START, "agent0");
  return invoke(graph.compile());
}

/** The last word on each call, and the board in the end. */
function expected(plan: readonly Stage[]) {
  const parent = new HandBoard();
  const words = plan.flatMap((stage) => {
    // All subgraphs of a stage begin with the same board, and what they were refused stays so.
    const read = stage.map((sub) => {
      const own = parent.copy();
      return sub.flat().map((made) => [made, own.run(made)] as const);
    });
    return read.flat().map(([made, word]) => (word === "Accepted" ? parent.run(made) : word));
  });
  return { words, layout: parent.layout, version: parent.version };
}

const asAgents = nodes((sub) => worker(...sub));

const shapes: readonly (readonly [string, (plan: readonly Stage[]) => Promise<Result>, most: number])[] = [
  ["agents as nodes", asAgents, 3],
  ["hand-built graphs", nodes((sub) => handBuilt(...sub)), 3],
  ["agents and graphs, nested twice", nodes((sub, at) => nested(at === 1 ? handBuilt(...sub) : worker(...sub), 2)), 3],
  ["graphs that nodes call", nodes((sub) => (state: unknown) => handBuilt(...sub).invoke(state)), 3],
  ["Sends", sends, 5],
  ["a supervisor", supervisor, 3],
  ["a swarm", swarm, 1],
];

/** The messages, what the field recorded and its state, against the board that is kept by hand. */
async function agrees(run: (plan: readonly Stage[]) => Promise<Result>, plan: readonly Stage[]): Promise<void> {
  const { board: field, told: words = expected(plan).words } = await run(plan);
  expect({ words, layout: layout(field.state), version: field.version }).toEqual(expected(plan));
  expect(recorded(field)).toEqual(expected(plan).words);
  expect(Object.keys(field)).toEqual(["version", "state", "outcomes"]);
}

it.each(shapes)(
  "verdicts in messages, recorded outcomes and the parent's field agree: %s",
  async (_name, run, most) => {
    const property = fc.asyncProperty(plans(1, most), (plan) => agrees(run, plan));
    await fc.assert(property, { numRuns: runs(8, 1_000 / STAGES) });
  },
);

// In the long form 1,040 subgraphs of each kind.
it.each([
  ["agents as nodes", asAgents],
  ["Sends", sends],
])("they agree where twenty subgraphs run at once: %s", async (_name, run) => {
  const property = fc.asyncProperty(plans(20, 20), (plan) => agrees(run, plan));
  await fc.assert(property, { numRuns: runs(1, 13) });
});
