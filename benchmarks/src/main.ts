// `pnpm bench`: every table, in one run. `pnpm bench -- reducer` runs one.

import { cpus } from "node:os";
import { reducerTables } from "./reducer.ts";
import { writeResults, type Table } from "./results.ts";

const sections: Record<string, () => Promise<readonly Table[]>> = { reducer: reducerTables };
const wanted = process.argv.slice(2).filter((name) => name in sections);

const tables: Table[] = [];
for (const [name, run] of Object.entries(sections)) if (wanted.length === 0 || wanted.includes(name)) tables.push(...(await run()));
writeResults(tables, { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, node: process.version });
