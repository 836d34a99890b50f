// Moving a card on boards of 100 to 100,000 cards, against the way it would be written by hand.

import { makeBoard, makeMoves } from "./boards.ts";
import { measure } from "./measure.ts";
import { movers } from "./movers.ts";
import { ratioTable, type Table } from "./results.ts";

const SIZES = [100, 1_000, 10_000, 100_000];

export function reducerTables(): readonly Table[] {
  const columns = SIZES.map((size) => {
    const start = movers.map(() => makeBoard(size));
    const moves = makeMoves(size);
    const candidates = movers.map(({ name, step, share = 1 }, index) => {
      let board = start[index] ?? makeBoard(size);
      let next = 0;
      const run = (count: number) => {
        for (let i = 0; i < count; i++) {
          const move = moves[next];
          if (move === undefined) {
            // The moves are legal once from the start; a reset costs nothing, for the start is immutable.
            board = start[index] ?? board;
            next = 0;
            continue;
          }
          board = step(board, move);
          next += 1;
        }
      };
      return { name, run, share };
    });
    return { head: `${size.toLocaleString("en")} cards`, measured: measure(candidates) };
  });
  return [ratioTable("Move a card, with its derived count", columns)];
}
