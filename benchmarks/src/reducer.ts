// Moving a card on boards of 100 to 100,000 cards, against the way it would be written by hand.

import { measure } from "./measure.ts";
import { type MoverArgs, moverNames } from "./movers.ts";
import { ratioTable, type Table } from "./results.ts";

const SIZES = [100, 1_000, 10_000, 100_000];
const module = new URL("movers.ts", import.meta.url);

export async function reducerTables(): Promise<readonly Table[]> {
  return [
    await table("Move a card found by its id over the board, with the derived counts", false),
    await table("Move a card out of a named column, with the derived counts", true),
  ];
}

async function table(title: string, named: boolean): Promise<Table> {
  const columns = [];
  for (const cards of SIZES) {
    const measured = await measure(moverNames.map((name, mover) => ({ name, module, args: { mover, cards, named } satisfies MoverArgs })));
    columns.push({ head: `${cards.toLocaleString("en")} cards`, measured });
  }
  return ratioTable(title, columns);
}
