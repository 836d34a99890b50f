// What an id costs that an operation takes from `id()`. With a submission it is a hash of a few
// texts; without one it is a hash of the state and the update, and that of the state is kept.

import { cardsHead, makeBoard, SIZES } from "../boards/boards.ts";
import { definition } from "../boards/definition.ts";
import { lowerQuartile } from "../harness/median.ts";
import { columnsOf, type Columns, type Table } from "../harness/results.ts";

const BOARDS = 15;

type State = Parameters<typeof definition.transition>[0];

const actor = { kind: "user", id: "ada" } as const;

interface Source {
  /** The id of the card. */
  readonly cardId?: string;
  /** That of the submission. */
  readonly id?: string;
}

/** Adds a card. The state after it, and the milliseconds that it took. */
function add(state: State, { cardId, id }: Source): { readonly after: State; readonly ms: number } {
  const update = { type: "add", title: "Write the tests", cardId };
  const context = id === undefined ? {} : { actor, id, at: "2026-01-01T00:00:00Z" };
  const start = performance.now();
  const result = definition.transition(state, update, context);
  const ms = performance.now() - start;
  if (!result.accepted) throw new Error(result.rejection.message);
  return { after: result.state, ms };
}

async function column(cards: number): Promise<Columns[string]> {
  const samples: Record<string, number[]> = {};
  for (let round = 0; round < BOARDS; round++) {
    // The first operation adopts the board, which no later one does.
    let { after: state } = add(makeBoard(cards), { cardId: "first" });
    const steps: readonly (readonly [row: string, source: Source])[] = [
      ["given by the input", { cardId: `given ${round}` }],
      ["`id()` of a submission", { id: `submission ${round}` }],
      ["`id()` without a submission, the first time", {}],
      ["`id()` without a submission, then", {}],
    ];
    for (const [row, source] of steps) {
      const { after, ms } = add(state, source);
      (samples[row] ??= []).push(ms);
      state = after;
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([row, times]) => [row, lowerQuartile(times)]));
}

export async function idTables(): Promise<readonly Table[]> {
  return [
    { title: "Add a card, by where its id comes from", unit: "ms", columns: await columnsOf(SIZES, cardsHead, column) },
  ];
}
