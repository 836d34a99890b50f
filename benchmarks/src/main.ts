// `pnpm bench`: every section, in one run. `node src/main.ts reducer` runs one and leaves the
// others as they were. `--short` leaves the longest measurements out (`short.ts` says which).

import { cpus, loadavg } from "node:os";
import { agUiTables } from "./ag-ui/ag-ui.ts";
import { httpRunTables } from "./ag-ui/http-run-tables.ts";
import { checkpointTables } from "./threads/checkpoints.ts";
import { firstBoardTables } from "./page/first-board.ts";
import { idTables } from "./reducer/ids.ts";
import { jsonPatchTables } from "./patches/json-patch.ts";
import { logTables } from "./logs/log.ts";
import { promptTables } from "./threads/prompts.ts";
import { readerTables } from "./readers/readers.ts";
import { reducerTables } from "./reducer/reducer.ts";
import { renderTables } from "./render/render.ts";
import { replacementTables } from "./reducer/replacements.ts";
import { writeReport } from "./harness/report.ts";
import { readResults, type Results, type Section, type Table, writeResults } from "./harness/results.ts";
import { stallTables } from "./stalls/stalls.ts";
import { sizeTables } from "./page/sizes.ts";
import { tabTables } from "./page/tabs.ts";
import { threadTables } from "./threads/threads.ts";
import { validationTables } from "./reducer/validation.ts";

process.env["NODE_ENV"] = "production";

const sections: Readonly<Record<string, () => Promise<readonly Table[]>>> = {
  reducer: reducerTables,
  validation: validationTables,
  replacements: replacementTables,
  ids: idTables,
  "json-patch": jsonPatchTables,
  sizes: sizeTables,
  log: logTables,
  threads: threadTables,
  stalls: () => stallTables(),
  readers: readerTables,
  tabs: tabTables,
  "first-board": firstBoardTables,
  render: renderTables,
  checkpoints: checkpointTables,
  prompts: promptTables,
  "ag-ui": agUiTables,
  "ag-ui-http": httpRunTables,
};
const names = process.argv.slice(2).filter((argument) => argument !== "--short");
const unknown = names.find((name) => !(name in sections));
if (unknown !== undefined)
  throw new Error(`There is no section "${unknown}". Sections: ${Object.keys(sections).join(", ")}`);

let results = readResults();
for (const [name, run] of Object.entries(sections)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const load = loadavg()[0] ?? 0;
  const tables = await run();
  results = inOrder({
    ...results,
    [name]: { taken: taken(load), tables: Object.fromEntries(tables.map(({ title, ...table }) => [title, table])) },
  });
  // After each section: a run that is cut short keeps what it has.
  writeResults(results);
}
writeReport(results);

function inOrder(unsorted: Results): Results {
  return Object.fromEntries(
    Object.keys(sections).flatMap((name): [string, Section][] => (unsorted[name] ? [[name, unsorted[name]]] : [])),
  );
}

/** `load`: what else the machine did when the section began. */
function taken(load: number): string {
  const [cpu] = cpus();
  return `Taken on ${new Date().toISOString().slice(0, 10)}: ${cpu?.model ?? "unknown"}, ${cpus().length} cores at load ${load.toFixed(1)}, Node ${process.version}, NODE_ENV=production.`;
}
