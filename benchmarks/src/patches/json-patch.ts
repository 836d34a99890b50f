// JSON Patch on its own: a patch applied to a document of 10,000 items, and the patch between two
// documents.

import { candidates as differs, type DiffArgs, forFew, forMany } from "./differs.ts";
import { changesOf, editsOf, makeDocument } from "./documents.ts";
import { type Candidates, measure } from "../harness/measure.ts";
import { candidates as patchers } from "./patchers.ts";
import { columnsOf, type Table } from "../harness/results.ts";

const MANY = 10_000;
const FEW = 100;

export const APPLY = `Apply a JSON Patch to a document of ${MANY.toLocaleString("en")} items`;

export async function jsonPatchTables(): Promise<readonly Table[]> {
  const changes = Object.keys(changesOf(makeDocument(FEW)));
  const module = new URL("patchers.ts", import.meta.url);
  return [
    {
      title: APPLY,
      unit: "µs",
      columns: await columnsOf(
        changes,
        (change) => change,
        (change) => measure(module, patchers, { items: MANY, change }),
      ),
    },
    await diffTable(MANY, forMany),
    await diffTable(FEW, forFew),
    await countTable(MANY, forMany),
  ];
}

async function diffTable(items: number, differsOfSize: typeof forMany): Promise<Table> {
  const rows: Candidates<DiffArgs> = Object.fromEntries(
    Object.entries(differs).filter(([name]) => name in differsOfSize),
  );
  const module = new URL("differs.ts", import.meta.url);
  const columns = await columnsOf(
    Object.keys(editsOf(makeDocument(FEW))),
    (edit) => edit,
    (edit) => measure(module, rows, { items, edit }),
  );
  return {
    title: `Find the JSON Patch between two documents of ${items.toLocaleString("en")} items`,
    unit: "µs",
    columns,
  };
}

async function countTable(items: number, differsOfSize: typeof forMany): Promise<Table> {
  const before = makeDocument(items);
  const columns = await columnsOf(
    Object.entries(editsOf(before)),
    ([edit]) => edit,
    async ([, after]) =>
      Object.fromEntries(Object.entries(differsOfSize).map(([name, step]) => [name, step(before, after).length])),
  );
  return { title: `How many operations that patch has`, unit: "operations", columns };
}
