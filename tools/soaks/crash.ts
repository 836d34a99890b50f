// Kills a server under load again and again, on SQLite or Postgres:
// node --conditions=@opstate/source tools/soaks/crash.ts --log sqlite --rounds 100
//
// Ends with status 1 when an acknowledged operation is lost, or happened twice. On a Postgres that
// it started itself, it also kills the database in every third round.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crashRounds } from "../../packages/server/test/support/crash/crash-rounds.ts";
import { startPostgres } from "../../packages/server/test/support/postgres.ts";

const { values } = parseArgs({
  options: { log: { type: "string", default: "sqlite" }, rounds: { type: "string", default: "100" } },
});
const rounds = Number(values.rounds);
const directory = mkdtempSync(join(tmpdir(), "opstate-crash-"));
const postgres = values.log === "postgres" ? startPostgres() : undefined;
if (values.log === "postgres" && postgres === undefined)
  throw new Error("No Postgres found. Set DATABASE_URL, or install PostgreSQL.");
const start = performance.now();

async function cleanUp(): Promise<void> {
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
}

process.once("SIGINT", () => void cleanUp().finally(() => process.exit(130)));
try {
  const report = await crashRounds({
    store:
      postgres === undefined
        ? { kind: "sqlite", path: join(directory, "log.sqlite") }
        : { kind: "postgres", config: postgres.config, schema: `opstate_crash_${Date.now()}` },
    rounds,
    crashDatabase: postgres?.crash,
    onRound(round, { acknowledged }) {
      if (round % 10 === 0)
        console.log(
          `${round} rounds, ${acknowledged} acknowledged, ${Math.round((performance.now() - start) / 1_000)} s`,
        );
    },
  });
  console.log(`${values.log}, ${rounds} rounds: nothing lost, nothing twice.`, report);
} finally {
  await cleanUp();
}
