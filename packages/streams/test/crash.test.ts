// kill -9 in the middle of writing: what was acknowledged is there, once, where it was said to be.

import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { runs } from "../../../tools/runs.ts";
import type { StreamStore } from "../src/index.ts";
import { postgresStreams } from "../src/postgres/index.ts";
import { sqliteStreams } from "../src/sqlite/index.ts";
import { startPostgres } from "../../server/test/support/postgres.ts";

const WRITER = join(import.meta.dirname, "support", "writer.ts");
const timeout = 600_000;
const PRODUCERS = ["p", "q"];

type Acknowledged = readonly [text: string, tail: number];

/** Writes with several processes until so many appends were acknowledged, and kills all. */
async function writeAndKill(given: object, epoch: number, enough: number): Promise<readonly Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const writers = PRODUCERS.map((producer) =>
    fork(WRITER, [JSON.stringify({ ...given, producer, epoch })], {
      execArgv: ["--conditions=@opstate/source", "--disable-warning=ExperimentalWarning"],
    }),
  );
  const gone = Promise.all(writers.map((writer) => once(writer, "exit")));
  await new Promise<void>((resolve, reject) => {
    for (const writer of writers) {
      writer.on("message", (message) => {
        acknowledged.push(message as Acknowledged);
        const haveAll = PRODUCERS.every((id) => acknowledged.some(([text]) => text.startsWith(`${id}.`)));
        if (haveAll && acknowledged.length >= enough) resolve();
      });
      writer.on("exit", (code) => {
        if (code !== null) reject(new Error(`A writer ended by itself with ${code}.`));
      });
    }
  });
  for (const writer of writers) writer.kill("SIGKILL");
  await gone;
  return acknowledged;
}

async function textsIn(store: StreamStore): Promise<readonly string[]> {
  const texts: string[] = [];
  for (;;) {
    const page = await store.read("a", { position: texts.length });
    if (page.status !== "found") throw new Error(page.status);
    if (page.messages.length === 0) return texts;
    for (const message of page.messages) texts.push(JSON.parse(new TextDecoder().decode(message)) as string);
  }
}

async function rounds(given: object, open: () => StreamStore, crashDatabase?: () => void): Promise<void> {
  const acknowledged: Acknowledged[] = [];
  const many = runs(3, 10);
  for (let epoch = 0; epoch < many; epoch += 1) {
    // Another moment in every round.
    acknowledged.push(...(await writeAndKill(given, epoch, 40 + ((epoch * 37) % 90))));
    crashDatabase?.();
    const store = open();
    const texts = await textsIn(store);
    for (const [text, tail] of acknowledged) expect(texts[tail - 1]).toBe(text);
    expect(new Set(texts).size).toBe(texts.length);
    // What was under way when it was killed is there or not, and sent again it is there once.
    for (const id of PRODUCERS) {
      const mine = texts.filter((text) => text.startsWith(`${id}.${epoch}.`));
      const again = { messages: [new TextEncoder().encode('"again"')], producer: { id, epoch, seq: mine.length - 1 } };
      expect(await store.append("a", again)).toMatchObject({ status: "duplicate", tail: texts.length });
    }
    await store.close();
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(many * 40);
}

it("a writer on SQLite that is killed loses nothing it acknowledged", { timeout }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "opstate-streams-crash-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "streams.sqlite");
  await rounds({ path }, () => sqliteStreams({ path }));
});

it("a writer on Postgres loses nothing either, also when Postgres itself is killed", { timeout }, async (context) => {
  const postgres = startPostgres();
  if (postgres === undefined) return context.skip();
  const schema = `streams_crash_${randomUUID().slice(0, 8)}`;
  const pool = new Pool(postgres.config);
  onTestFinished(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await pool.end();
    await postgres.stop();
  });
  const open = () => postgresStreams({ pool, schema });
  await rounds({ postgres: { config: postgres.config, schema } }, open, postgres.crash);
});
