// What streams out of an agent: each verdict, the state as it goes on, and nothing that is for the
// model alone.

import { MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { operationTools, opstateMiddleware, verdictsNode, type FieldSnapshot } from "@opstate/langgraph";
import { createAgent, fakeModel, ToolMessage, type BaseMessage } from "langchain";
import { describe, expect, it } from "vitest";
import { ada, board, openSample, sample } from "../support/board.ts";
import { call, say } from "../support/talk.ts";
import { firstWords, handBuilt, staged, Team } from "../support/teams.ts";

const modes = ["messages", "updates", "values", "custom"] as const;
type Mode = (typeof modes)[number];
type Chunk = readonly [namespace: readonly string[], mode: Mode, payload: unknown];

/** What can be streamed. `createAgent`'s graphs and `StateGraph`s have unlike types. */
interface Streamed {
  stream(input: unknown, options: object): Promise<AsyncIterable<unknown>>;
}

async function read(graph: unknown, input: object): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  const options = { streamMode: modes, subgraphs: true, configurable: { thread_id: "t" } };
  for await (const chunk of await (graph as Streamed).stream(input, options)) chunks.push(chunk as Chunk);
  return chunks;
}

/** The last words of each tool message of the "messages" mode, by its id. */
function verdictsIn(chunks: readonly Chunk[]): string[] {
  const byId = new Map<string | undefined, string>();
  for (const [, mode, payload] of chunks) {
    if (mode !== "messages") continue;
    const [message] = payload as [BaseMessage];
    if (ToolMessage.isInstance(message)) byId.set(message.id, firstWords(message));
  }
  return [...byId.values()];
}

/** The versions that the outermost graph's "values" went through. */
function versionsIn(chunks: readonly Chunk[]): number[] {
  const versions = chunks.flatMap(([namespace, mode, payload]) =>
    mode === "values" && namespace.length === 0 ? [(payload as { board: FieldSnapshot }).board.version] : [],
  );
  return versions.filter((version, index) => version !== versions[index - 1]);
}

const kinds = ["a thread", "a field"] as const;
const places = ["alone", "as a node"] as const;

describe.each(kinds.flatMap((kind) => places.map((place) => [kind, place] as const)))(
  "an agent on %s, %s",
  (kind, place) => {
    async function streamed() {
      const thread = await openSample();
      const target = (kind === "a thread" ? { thread } : { field: "board" }) as { readonly field: string };
      const model = fakeModel()
        .respond(() => {
          void thread.dispatch(board.op.rename({ cardId: "T-2", title: "by Ada" }), { actor: ada });
          return call(["move", { cardId: "T-1", to: "done" }], ["move", { cardId: "T-9", to: "done" }]);
        })
        .respond(say("done"));
      const agent = createAgent({
        model,
        tools: operationTools(board, target),
        middleware: [opstateMiddleware(board, { ...target, field: "board" })],
        checkpointer: new MemorySaver(),
      });
      const graph =
        place === "alone"
          ? agent
          : new StateGraph(Team)
              .addNode("agent", agent.graph as never)
              .addEdge(START, "agent")
              .compile({ checkpointer: new MemorySaver() });
      const chunks = await read(graph, { messages: "go", ...(kind === "a field" && { board: sample }) });
      return { chunks, model };
    }

    it("streams each call's verdict in the messages", async () => {
      const { chunks } = await streamed();
      expect(verdictsIn(chunks)).toEqual(["Accepted", "Refused (card_not_found)"]);
    });

    it("streams the field's versions up to the last one", async () => {
      const { chunks } = await streamed();
      const versions = versionsIn(chunks);
      expect(versions.at(-1)).toBe(kind === "a thread" ? 3 : 2);
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    });

    it("streams in no messages what the model alone is shown", async () => {
      const { chunks, model } = await streamed();
      expect(model.calls[0]?.messages.at(-1)?.text).toMatch(/^From the application/);
      const said = chunks.filter(([, mode]) => mode !== "custom");
      expect(JSON.stringify(said)).not.toContain("From the application");
    });
  },
);

it("streams a verdict again that changed when subgraphs were folded", async () => {
  const remove = () => handBuilt([["remove", { cardId: "T-1" }]]);
  const team = staged([[remove(), remove()]], verdictsNode(board, { field: "board" }));
  const chunks = await read(team, { messages: "go", board: sample });
  expect(verdictsIn(chunks)).toEqual(["Accepted", "Refused (card_not_found)"]);
});
