// The last step of the build puts the text of the SQLite log's thread, with all that it imports,
// into dist/sqlite/worker/code.js. A thread that is started from a text needs no file, so no
// bundler and no package can lose it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildWorker } from "./build-worker.ts";

const FOLDER = "dist/sqlite/worker";
const code = await buildWorker(`${FOLDER}/entry.js`);
writeFileSync(
  join(import.meta.dirname, FOLDER, "code.js"),
  `// The text of entry.js with all that it imports.\nexport const workerCode = ${JSON.stringify(code)};\n`,
);
