// The text of the SQLite log's thread, with all that it imports, in one file.

import { join } from "node:path";
import { build } from "vite";

/** `entry` is a built file, or a source: then what it imports comes as sources too. */
export async function buildWorker(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    root: import.meta.dirname,
    resolve: { conditions: entry.endsWith(".ts") ? ["@opstate/source"] : [] },
    ssr: {
      noExternal: true,
      target: "node",
      resolve: { conditions: [...(entry.endsWith(".ts") ? ["@opstate/source"] : []), "node", "module", "default"] },
    },
    build: {
      ssr: join(import.meta.dirname, entry),
      write: false,
      minify: false,
      target: "node22",
      // A text that is run as it is, is CommonJS.
      rolldownOptions: { output: { format: "cjs", codeSplitting: false } },
    },
  });
  const chunks = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  const [chunk, ...more] = chunks;
  if (chunk?.type !== "chunk" || more.length > 0)
    throw new Error(`The thread is to be one file, not ${chunks.length}.`);
  const foreign = chunk.imports.filter((name) => !name.startsWith("node:"));
  if (foreign.length > 0) throw new Error(`The thread imports ${foreign.join(", ")}, which a text cannot.`);
  return `${chunk.code}\n//# sourceURL=opstate-sqlite-worker.js\n`;
}
