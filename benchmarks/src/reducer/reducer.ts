// Moving a card on boards of 100 to 100,000 cards, against the way it would be written by hand.

import { cardsHead, SIZES } from "../boards/boards.ts";
import { candidates as idiomCandidates, CARDS, IDIOMS } from "./idioms.ts";
import { measure } from "../harness/measure.ts";
import { candidates } from "./movers.ts";
import { KEYS, candidates as recordCandidates, WRITES } from "./records.ts";
import { columnsOf, type Table } from "../harness/results.ts";

const module = new URL("movers.ts", import.meta.url);

const idioms = new URL("idioms.ts", import.meta.url);

const records = new URL("records.ts", import.meta.url);

export const WRITTEN = `What people write on a list of ${CARDS.toLocaleString("en")} cards, with both patches`;

export const RECORD = `A record of ${KEYS.toLocaleString("en")} keys`;

export const FOUND = "Move a card found by its id over the board, with the derived counts";

export async function reducerTables(): Promise<readonly Table[]> {
  return [
    await table(FOUND, false),
    await table("Move a card out of a named column, with the derived counts", true),
    await idiomTable(),
    await recordTable(),
  ];
}

async function table(title: string, named: boolean): Promise<Table> {
  return {
    title,
    unit: "µs",
    growth: true,
    columns: await columnsOf(SIZES, cardsHead, (cards) => measure(module, candidates, { cards, named })),
  };
}

async function idiomTable(): Promise<Table> {
  const columns = await columnsOf(
    Object.keys(IDIOMS),
    (idiom) => idiom,
    (idiom) => measure(idioms, idiomCandidates, { idiom }),
  );
  return { title: WRITTEN, unit: "µs", columns };
}

async function recordTable(): Promise<Table> {
  const columns = await columnsOf(
    Object.keys(WRITES),
    (write) => write,
    (write) => measure(records, recordCandidates, { write }),
  );
  return { title: RECORD, unit: "µs", columns };
}
