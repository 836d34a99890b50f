// Random teams of agents on one thread, in each shape of graph: what the models read, what the log
// has and what a board kept by hand says agree, and the parent's field is the thread's state.

import { Command, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import type { Commit, Refusal } from "@opstate/core";
import fc from "fast-check";
import { createAgent, fakeModel, tool, ToolMessage, type AgentMiddleware, type ToolRuntime } from "langchain";
import { expect, it } from "vitest";
import * as z from "zod";
import { runs } from "../../../../tools/runs.ts";
import { board, layout, openSample } from "../support/board.ts";
import { HandBoard } from "../support/hand-board.ts";
import { firstWords, nested, staged, Team, type Field, type Runnable } from "../support/teams.ts";
import { call, say, type Call } from "../support/talk.ts";

/** What one agent does: parallel calls, in one step or two. */
type Steps = readonly (readonly Call[])[];
/** Agents that work at once. */
type Stage = readonly Steps[];
type Plan = readonly Stage[];
type Model = ReturnType<typeof fakeModel>;

/**
 * The thread refuses a call that would change something else than its model saw. Such a refusal is
 * not final, so the log does not have it.
 */
const OTHER_THING = "Refused (other_thing)";
/** What a model reads of a call that changed nothing, and that another agent made. */
const NO_RESULT = "This call gave no result here";
const STAGES = 3;

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
const steps = fc.array(fc.array(calls, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 });
const plans = (most: number): fc.Arbitrary<Plan> =>
  fc.array(fc.array(steps, { minLength: 1, maxLength: most }), { minLength: STAGES, maxLength: STAGES });

/** Agents on one thread, each an actor of its own, and what their models read. */
async function openTeam() {
  const thread = await openSample();
  const models: Model[] = [];
  function agent(model: Model, more: readonly StructuredToolInterface[] = []) {
    models.push(model);
    const actor = { kind: "agent", id: `agent-${models.length}` };
    const tools: StructuredToolInterface[] = [...operationTools(board, { thread, actor }), ...more];
    const options = { thread, actor, field: "board", maxRefusals: false } as const;
    return createAgent({ model, tools, middleware: [opstateMiddleware(board, options) as AgentMiddleware] });
  }
  function worker(work: Steps): Runnable {
    const model = fakeModel();
    for (const step of work) model.respond(call(...step));
    return agent(model.respond(say("done"))).graph as unknown as Runnable;
  }
  return { thread, models, agent, worker };
}
type OpenTeam = Awaited<ReturnType<typeof openTeam>>;
type Shape = (team: OpenTeam, plan: Plan) => Runnable;

const end = () => ({});

const nodes =
  (depth: number): Shape =>
  ({ worker }, plan) =>
    staged(
      plan.map((stage) => stage.map((work) => nested(worker(work), depth))),
      end,
    );

const called: Shape = ({ worker }, plan) =>
  staged(
    plan.map((stage) => stage.map((work) => (state: unknown) => worker(work).invoke(state))),
    end,
  );

/** The agents of a stage are `Send`s to one node. */
const sends: Shape = ({ worker }, plan) => {
  const graph = new StateGraph(Team) as unknown as {
    addNode(name: string, node: unknown): void;
    addEdge(from: string, to: string): void;
    addConditionalEdges(from: string, route: (state: typeof Team.State) => Send[], ends: string[]): void;
    compile(): Runnable;
  };
  for (const [at, stage] of plan.entries()) {
    graph.addNode(`start${at}`, end);
    graph.addNode(`sub${at}`, (state: typeof Team.State & { readonly index: number }) =>
      worker(stage[state.index]!).invoke({ messages: state.messages, board: state.board }),
    );
    graph.addEdge(at === 0 ? START : `sub${at - 1}`, `start${at}`);
    graph.addConditionalEdges(
      `start${at}`,
      (state) => stage.map((_, index) => new Send(`sub${at}`, { ...state, index })),
      [`sub${at}`],
    );
  }
  return graph.compile();
};

/** An agent whose parallel tool calls are agents. */
const supervisor: Shape = ({ agent, worker }, plan) => {
  const delegate = tool(
    async ({ stage, index }: { stage: number; index: number }) => {
      await worker(plan[stage]![index]!).invoke({ messages: "do it" });
      return "done";
    },
    { name: "delegate", description: "Delegate", schema: z.object({ stage: z.int(), index: z.int() }) },
  );
  const model = fakeModel();
  for (const [at, stage] of plan.entries())
    model.respond(call(...stage.map((_, index): Call => ["delegate", { stage: at, index }])));
  return agent(model.respond(say("done")), [delegate]) as unknown as Runnable;
};

/** Agents that hand over to the next one, beside their last calls. */
const swarm: Shape = ({ agent }, plan) => {
  const graph = new StateGraph(Team) as unknown as {
    addNode(name: string, node: unknown, options: object): void;
    addEdge(from: string, to: string): void;
    compile(): Runnable;
  };
  for (const [at, [work = []]] of plan.entries()) {
    const isLast = at === plan.length - 1;
    const handover = tool(
      (_args: object, config: ToolRuntime) => {
        const { messages } = config.state as typeof Team.State;
        const message = new ToolMessage({ content: "Handed over", tool_call_id: config.toolCallId });
        return new Command({
          goto: `agent${at + 1}`,
          graph: Command.PARENT,
          update: { messages: [...messages, message] },
        });
      },
      { name: "handover", description: "Hand over", schema: z.object({}) },
    );
    const model = fakeModel();
    for (const [step, made] of work.entries())
      model.respond(call(...made, ...(isLast || step < work.length - 1 ? [] : [["handover", {}] as Call])));
    const { graph: node } = agent(model.respond(say("done")), isLast ? [] : [handover]);
    graph.addNode(`agent${at}`, node, { ends: isLast ? [] : [`agent${at + 1}`] });
  }
  graph.addEdge(START, "agent0");
  return graph.compile();
};

/** By call: the first words that the models read, without the results of other tools. */
function read(models: readonly Model[]) {
  const words = new Map<string, string>();
  const changes = new Map<string, string>();
  for (const message of models.flatMap(({ calls: made }) => made).flatMap(({ messages }) => messages)) {
    if (!ToolMessage.isInstance(message) || message.text === "done" || message.text === "Handed over") continue;
    const { tool_call_id: id } = message;
    const said = firstWords(message).split(";", 1)[0]!;
    // No model reads something else of a call than another one.
    expect(words.get(id) ?? said).toBe(said);
    words.set(id, said);
    const isUnchanged = [OTHER_THING, NO_RESULT].includes(said) || message.text.includes("needed no change");
    if (!isUnchanged) changes.set(id, said);
  }
  return { words, changes };
}

function wordOf({ rejection: { reason, code } }: Refusal): string {
  return `Refused (${reason ?? code})`;
}

/** The operation as the call that it was. */
function callOf({ operation }: { readonly operation: unknown }): Call {
  const { type, ...args } = operation as Commit["operation"];
  return [type, args];
}

/** Compares the history with a board kept by hand, and gives the verdict on each call. */
async function recorded({ thread }: OpenTeam): Promise<ReadonlyMap<string, string>> {
  const oracle = new HandBoard();
  const words = new Map<string, string>();
  for (const entry of await thread.history({ after: 1, rejections: true })) {
    if (entry.kind === "commit") {
      expect(oracle.run(callOf(entry.commit))).toBe("Accepted");
      expect(oracle.version).toBe(entry.commit.version);
      words.set(String(entry.commit.toolCallId), "Accepted");
      continue;
    }
    const word = wordOf(entry.refusal);
    expect(oracle.copy().run(callOf(entry.refusal))).toBe(word);
    words.set(String(entry.refusal.toolCallId), word);
  }
  expect(oracle.layout).toEqual(layout(thread.getState()));
  return words;
}

const shapes: readonly (readonly [string, Shape, most: number])[] = [
  ["agents as nodes", nodes(0), 3],
  ["agents nested twice", nodes(2), 3],
  ["agents that nodes call", called, 3],
  ["Sends", sends, 5],
  ["a supervisor", supervisor, 3],
  ["a swarm", swarm, 1],
];

/** How many steps the agents of a plan take on average. */
function stepsOf(most: number): number {
  const [agents, steps] = [(1 + most) / 2, (1 + 2) / 2];
  return STAGES * agents * steps;
}

it.each(shapes)(
  "verdicts in messages, recorded outcomes and the parent's field agree: %s",
  async (_name, shape, most) => {
    await fc.assert(
      fc.asyncProperty(plans(most), fc.boolean(), async (plan, hasCheckpoints) => {
        const team = await openTeam();
        const graph = shape(team, plan);
        if (hasCheckpoints) (graph as { checkpointer?: unknown }).checkpointer = new MemorySaver();
        const config = { recursionLimit: 100, configurable: { thread_id: "t" } };
        const { board: field }: { board: Field } = await graph.invoke({ messages: "go" }, config);
        const told = read(team.models);
        const log = await recorded(team);
        expect(told.changes).toEqual(log);
        const count = plan.flatMap((stage) => (shape === swarm ? stage.slice(0, 1) : stage)).flat(2).length;
        expect(told.words.size).toBe(count);
        expect({ version: field.version, state: field.state }).toEqual({
          version: team.thread.version,
          state: team.thread.getState(),
        });
      }),
      { numRuns: runs(3, Math.ceil(1_000 / stepsOf(most))) },
    );
  },
);
