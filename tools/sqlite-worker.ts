// A SQLite log's thread loads its code when it starts. From sources that takes the best part of a
// second for each database, so suites give all their threads one text, made once for a suite, as a
// build does.

import { buildWorker } from "../packages/server/build-worker.ts";

/** A plugin of Vite. */
export function sqliteWorker(): { readonly name: string; load(id: string): Promise<string | undefined> } {
  let text: Promise<string> | undefined;
  return {
    name: "opstate-sqlite-worker",
    async load(id) {
      if (!id.endsWith("/packages/server/src/sqlite/worker/code.ts")) return undefined;
      text ??= buildWorker("src/sqlite/worker/entry.ts");
      return `export const workerCode = ${JSON.stringify(await text)};`;
    },
  };
}
