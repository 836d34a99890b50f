// The last step of the build puts the text of the SQLite log's thread, with all that it imports,
// into dist/sqlite/worker/code.js. A thread that is started from a text needs no file, so no
// bundler and no package can lose it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const folder = join(import.meta.dirname, "dist/sqlite/worker");

const result = await build({
  configFile: false,
  logLevel: "error",
  root: import.meta.dirname,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: join(folder, "entry.js"),
    write: false,
    minify: false,
    target: "node22",
    // A text that is run as it is, is CommonJS.
    rolldownOptions: { output: { format: "cjs", codeSplitting: false } },
  },
});
const chunks = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
const [chunk, ...more] = chunks;
if (chunk?.type !== "chunk" || more.length > 0) throw new Error(`The thread is to be one file, not ${chunks.length}.`);
const foreign = chunk.imports.filter((name) => !name.startsWith("node:"));
if (foreign.length > 0) throw new Error(`The thread imports ${foreign.join(", ")}, which a text cannot.`);

const code = `${chunk.code}\n//# sourceURL=opstate-sqlite-worker.js\n`;
writeFileSync(
  join(folder, "code.js"),
  `// The text of entry.js with all that it imports.\nexport const workerCode = ${JSON.stringify(code)};\n`,
);
