// What LangGraph's checkpointer stores of a board per superstep: the whole field each time, or its
// version only.

import { END, MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { memoryLog, openThread, type StateOf } from "@opstate/core";
import { snapshotField, snapshotOf, stateField } from "@opstate/langgraph";
import { cardsHead } from "../boards/boards.ts";
import { ada, renameBoard } from "../boards/rename-board.ts";
import { columnsOf, type Table } from "../harness/results.ts";

export const CHECKPOINTS = "Bytes that a checkpointer stores per superstep";

/** Rows that budgets speak of. */
export const FIELD = {
  state: "`stateField`",
  snapshot: "`snapshotField`, filled from a thread",
  version: '`snapshotField` with `checkpoint: "version"`',
} as const;

const SUPERSTEPS = 20;
const COLUMNS = 5;

type Board = NonNullable<StateOf<typeof renameBoard>>;

export async function checkpointTables(): Promise<readonly Table[]> {
  const columns = await columnsOf([10, 1_000, 10_000], cardsHead, async (cards) => ({
    [FIELD.state]: await withState(makeCards(cards)),
    [FIELD.snapshot]: await withSnapshots(makeCards(cards), "state"),
    [FIELD.version]: await withSnapshots(makeCards(cards), "version"),
  }));
  return [{ title: CHECKPOINTS, unit: "bytes", columns }];
}

/** In few columns, so that there are boards of ten cards. */
export function makeCards(cards: number): Board {
  const perColumn = cards / COLUMNS;
  const columns = Array.from({ length: COLUMNS }, (_, c) => ({
    columnId: `column-${c}`,
    title: `Column ${c}`,
    cardCount: perColumn,
    cards: Array.from({ length: perColumn }, (_, i) => ({
      cardId: `T-${c}-${i}`,
      title: `Card ${i} of column ${c}`,
      priority: 1,
    })),
  }));
  return { columns };
}

function renameOf(step: number) {
  return renameBoard.op.rename({ column: step % COLUMNS, card: 0, title: `Title ${step} of the card` });
}

/** The graph folds the operations by itself. */
async function withState(board: Board): Promise<number> {
  let step = 0;
  const graph = new StateGraph(new StateSchema({ board: stateField(renameBoard) }))
    .addNode("edit", () => ({ board: renameOf((step += 1)) }))
    .addEdge(START, "edit")
    .addConditionalEdges("edit", () => (step < SUPERSTEPS ? "edit" : END));
  const saver = new MemorySaver();
  await graph.compile({ checkpointer: saver }).invoke({ board }, config);
  return perCheckpoint(saver);
}

/** The thread decides, and each superstep brings its snapshot in. */
async function withSnapshots(board: Board, checkpoint: "state" | "version"): Promise<number> {
  const thread = await openThread({ definition: renameBoard, log: memoryLog(), threadId: "board" });
  await thread.dispatch({ type: "$replace", value: board }, { actor: { kind: "system", id: "bench" } });
  let step = 0;
  const graph = new StateGraph(new StateSchema({ board: snapshotField(renameBoard, { checkpoint }) }))
    .addNode("edit", async () => {
      await thread.dispatch(renameOf((step += 1)), { actor: ada });
      return { board: snapshotOf(thread, { checkpoint }) };
    })
    .addEdge(START, "edit")
    .addConditionalEdges("edit", () => (step < SUPERSTEPS ? "edit" : END));
  const saver = new MemorySaver();
  await graph.compile({ checkpointer: saver }).invoke({}, config);
  return perCheckpoint(saver);
}

const config = { configurable: { thread_id: "board" } };

/** All that the saver holds, checkpoints and the writes that led to them, for each checkpoint. */
async function perCheckpoint(saver: MemorySaver): Promise<number> {
  let checkpoints = 0;
  for await (const _checkpoint of saver.list(config)) checkpoints += 1;
  return (bytesIn(saver.storage) + bytesIn(saver.writes)) / checkpoints;
}

function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, child) => sum + bytesIn(child), 0);
}
