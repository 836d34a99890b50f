// Rounds of three servers on one Postgres, or on several, that are killed, paused, cut off,
// drained, and lose a database, under writers and readers; each round's history is judged by a
// checker of its own:
//
//   node --conditions=@opstate/source tools/soaks/node-rounds.ts --rounds 300 --seed 1 --out DIR
//
// --lease 2000 is another lease, --databases 2 spreads the threads over two. A round whose result
// is in `results.jsonl` of --out is not played again, so a run that was broken off goes on.
// Histories of bad rounds are kept beside it. Ends with status 1 when a round was bad.

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../../packages/server/test/support/postgres.ts";
import { check } from "../../packages/server/test/rounds/checker/check.ts";
import { parseHistory } from "../../packages/server/test/rounds/checker/records.ts";
import { Recorder } from "../../packages/server/test/rounds/recorder.ts";
import { RoundNodes } from "../../packages/server/test/rounds/rounds.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    lease: { type: "string", default: "500" },
    writers: { type: "string", default: "32" },
    readers: { type: "string", default: "200" },
    threads: { type: "string", default: "8" },
    /** How many Postgres servers there are: threads are spread over them. */
    databases: { type: "string", default: "1" },
    "write-pause": { type: "string", default: "500" },
    "read-pause": { type: "string", default: "10000" },
    out: { type: "string", default: "node-rounds" },
    /** Judges a kept history again, and plays nothing. */
    judge: { type: "string" },
  },
});

interface Result {
  readonly seed: number;
  readonly lease: number;
  readonly faults: number;
}

if (values.judge === undefined) process.exitCode = await playAll();
else for (const fault of check(parseHistory(readFileSync(values.judge, "utf8")))) console.log(fault);

async function playAll(): Promise<number> {
  const [first, count, lease] = [Number(values.seed), Number(values.rounds), Number(values.lease)];
  mkdirSync(values.out, { recursive: true });
  const results = join(values.out, "results.jsonl");
  const earlier = existsSync(results) ? readFileSync(results, "utf8").trim().split("\n") : [];
  const before = earlier.filter((line) => line !== "").map((line) => JSON.parse(line) as Result);
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const isPlayed = (seed: number) => before.some((result) => result.seed === seed && result.lease === lease);
  const bad = new Set(
    before.filter((result) => seeds.includes(result.seed) && result.faults > 0).map((result) => result.seed),
  );
  const databases = Array.from({ length: Number(values.databases) }, () => {
    const postgres = startPostgres();
    if (postgres === undefined) throw new Error("No Postgres found. Set DATABASE_URL, or install PostgreSQL.");
    return postgres;
  });
  const nodes = await RoundNodes.start({ databases, count: 3, lease });
  let isOver = false;
  process.once("SIGINT", () => (isOver = true)).once("SIGTERM", () => (isOver = true));
  try {
    for (const seed of seeds) {
      if (isOver) break;
      if (isPlayed(seed)) continue;
      const begin = performance.now();
      const recorder = new Recorder();
      const history = join(values.out, `round-${seed}-${lease}.jsonl`);
      const playing = nodes.play(
        {
          seed,
          writers: Number(values.writers),
          readers: Number(values.readers),
          threads: Number(values.threads),
          writePause: Number(values["write-pause"]),
          readPause: Number(values["read-pause"]),
          patience: 30_000,
        },
        recorder,
      );
      // Also that of a round that was broken off.
      await playing.finally(() => writeFileSync(history, recorder.text()));
      const faults = check(recorder.records);
      if (faults.length > 0) bad.add(seed);
      else rmSync(history);
      const of = (kind: string) => recorder.records.filter((record) => record.kind === kind).length;
      const result = {
        seed,
        lease,
        faults: faults.length,
        rules: [...new Set(faults.map(({ rule }) => rule))],
        writes: of("write"),
        verdicts: of("verdict"),
        unknown: of("unknown"),
        reads: of("state"),
        events: of("event"),
        done: recorder.records.flatMap((record) => (record.kind === "fault" ? [record.what] : [])),
        seconds: Math.round((performance.now() - begin) / 1_000),
      };
      appendFileSync(results, `${JSON.stringify(result)}\n`);
      console.log(JSON.stringify(result));
      for (const fault of faults.slice(0, 5)) console.log(fault);
    }
  } finally {
    await nodes.close();
    await Promise.all(databases.map((postgres) => postgres.stop()));
  }
  console.log(`${bad.size} bad rounds${bad.size === 0 ? "" : `: ${[...bad].join(", ")}`}.`);
  return bad.size === 0 ? 0 : 1;
}
