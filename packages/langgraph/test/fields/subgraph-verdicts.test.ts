// In random graphs of subgraphs (one after the other, at once, and nested) the messages, the
// field's outcomes and the state agree. The oracle is written by hand.

import { MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { operationsNode, snapshotField, verdictsNode } from "@opstate/langgraph";
import fc from "fast-check";
import { ToolMessage } from "langchain";
import { expect, it } from "vitest";
import { board, sample, type Board } from "../support/board.ts";
import { call, type Call } from "../support/talk.ts";

const Shared = new StateSchema({ messages: MessagesValue, board: snapshotField(board) });

interface Sub {
  readonly calls: readonly Call[];
  /** How many graphs are around its nodes. */
  readonly depth: number;
}

const calls = fc.oneof(
  fc
    .record({ cardId: fc.constantFrom("T-1", "T-2", "T-3", "T-9"), to: fc.constantFrom("todo", "done") })
    .map((args): Call => ["move", args]),
  fc.constantFrom("T-1", "T-2").map((cardId): Call => ["rename", { cardId, title: "again" }]),
  fc.constantFrom("T-1", "T-3").map((cardId): Call => ["remove", { cardId }]),
);
const subs: fc.Arbitrary<Sub> = fc.record({
  calls: fc.array(calls, { minLength: 1, maxLength: 3 }),
  depth: fc.integer({ min: 1, max: 3 }),
});
const stages = fc.array(fc.array(subs, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

function graphOf({ calls: made, depth }: Sub, ids: string[]) {
  const message = call(...made);
  ids.push(...(message.tool_calls ?? []).map(({ id }) => String(id)));
  let graph = new StateGraph(Shared)
    .addNode("model", () => ({ messages: [message] }))
    .addNode("operations", operationsNode(board, { field: "board" }))
    .addEdge(START, "model")
    .addEdge("model", "operations")
    .compile();
  for (let level = 1; level < depth; level++) {
    graph = new StateGraph(Shared).addNode("model", graph).addEdge(START, "model").compile() as unknown as typeof graph;
  }
  return graph;
}

/** The verdict on each call, and what the field holds in the end. */
function expected(plan: readonly (readonly Sub[])[]) {
  const verdicts: string[] = [];
  let [state, version]: [Board | null, number] = [sample, 1];
  for (const stage of plan) {
    const began: { readonly state: Board | null; readonly version: number } = { state, version };
    for (const { calls: made } of stage) {
      const stands = version === began.version;
      let [own, ownVersion]: [Board | null, number] = [began.state, began.version];
      for (const [type, args] of made) {
        const transition = board.transition(own, { ...args, type }, { actor: { kind: "agent", id: "agent" } });
        if (!transition.accepted) {
          verdicts.push(`Refused (${transition.rejection.reason ?? transition.rejection.code})`);
          continue;
        }
        const changes = transition.patches.length > 0;
        verdicts.push(changes && !stands ? "Refused (not_merged)" : "Accepted");
        if (changes) [own, ownVersion] = [transition.state, ownVersion + 1];
      }
      if (stands) [state, version] = [own, ownVersion];
    }
  }
  return { verdicts, state, version };
}

it("says in messages what the parent's field holds, in graphs of every shape", async () => {
  await fc.assert(
    fc.asyncProperty(stages, async (plan) => {
      const ids: string[] = [];
      const graph = new StateGraph(Shared) as unknown as {
        addNode(name: string, node: unknown): void;
        addEdge(from: string | readonly string[], to: string): void;
        compile(): { invoke(input: unknown): Promise<typeof Shared.State> };
      };
      let before = [START as string];
      plan.forEach((stage, at) => {
        const names = stage.map((sub, index) => {
          const name = `s${at}-${index}`;
          graph.addNode(name, graphOf(sub, ids));
          graph.addEdge(before.length === 1 ? before[0]! : before, name);
          return name;
        });
        before = names;
      });
      graph.addNode("verdicts", verdictsNode(board, { field: "board" }));
      graph.addEdge(before.length === 1 ? before[0]! : before, "verdicts");
      const { board: field, messages } = await graph.compile().invoke({ messages: "go", board: sample });
      const oracle = expected(plan);
      expect({ version: field.version, state: field.state }).toEqual({ version: oracle.version, state: oracle.state });
      const texts = new Map(
        messages
          .filter((message) => ToolMessage.isInstance(message))
          .map(({ tool_call_id, text }) => [tool_call_id, text.split(":")[0]]),
      );
      expect(ids.map((id) => texts.get(id))).toEqual(oracle.verdicts);
      expect(Object.values(field.outcomes).filter(({ accepted }) => accepted)).toHaveLength(
        oracle.verdicts.filter((text) => text === "Accepted").length,
      );
    }),
    { numRuns: 30 },
  );
});
