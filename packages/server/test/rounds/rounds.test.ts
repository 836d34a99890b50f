// Small rounds of three real nodes, on one Postgres and on two, judged by the checker.
// `tools/soaks/node-rounds.ts` plays the large ones.

import { afterAll, expect, it, onTestFinished } from "vitest";
import { isLong } from "../../../../tools/runs.ts";
import { startPostgres } from "../support/postgres.ts";
import { check } from "./checker/check.ts";
import { Recorder } from "./recorder.ts";
import { RoundNodes } from "./rounds.ts";

const all = [startPostgres(), startPostgres()].flatMap((postgres) => postgres ?? []);
afterAll(() => Promise.all(all.map((postgres) => postgres.stop())));

it.skipIf(all.length === 0).each(isLong() ? [1, 2] : [2])(
  "three nodes on %i databases, of which one is paused past its lease, one is killed and one cut off, are as one server",
  async (count) => {
    const nodes = await RoundNodes.start({ databases: all.slice(0, count), count: 3, lease: 500 });
    onTestFinished(() => nodes.close());
    const recorder = new Recorder();
    await nodes.play(
      {
        seed: 1,
        writers: 6,
        readers: 6,
        threads: 2,
        writePause: 50,
        readPause: 200,
        faults: [
          { what: "pause", node: 0, after: 5, lasts: 1_000 },
          { what: "cut", node: 1, after: 5, lasts: 200 },
          { what: "cut from database", node: 1, after: 5, lasts: 200 },
          { what: "kill", node: 2, after: 5, lasts: 0 },
        ],
        // The test's own limit ends it.
        patience: 3_600_000,
      },
      recorder,
    );
    const { records } = recorder;
    expect(check(records, { readersWithin: 3_600_000 })).toEqual([]);
    expect(records.filter(({ kind }) => kind === "log").length).toBeGreaterThan(3 * 6);
  },
  3_600_000,
);
