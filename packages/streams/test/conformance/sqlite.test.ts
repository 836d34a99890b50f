import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStreams } from "../../src/sqlite/index.ts";
import { runConformance } from "../support/run-conformance.ts";

runConformance("Durable Streams on SQLite", async () => {
  const directory = mkdtempSync(join(tmpdir(), "opstate-streams-"));
  const store = sqliteStreams({ path: join(directory, "streams.sqlite") });
  return {
    store,
    async dispose() {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
});
