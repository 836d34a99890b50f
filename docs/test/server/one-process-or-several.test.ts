// "One process, several": the servers as printed, two of them on a real Postgres.

import { join } from "node:path";
import { listen, type Server } from "@opstate/server";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../packages/server/test/support/postgres.ts";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const folder = writeGuide("one-process-or-several");
const { serverOf } = await import(join(folder, "server.ts"));
const { spreadServerOf } = await import(join(folder, "databases.ts"));

const postgres = startPostgres();
const admin = new Pool(postgres?.config);
const database = `opstate_nodes_${process.pid}`;
const databases = [database, `${database}_one`, `${database}_two`];
beforeAll(async () => {
  if (postgres) for (const name of databases) await admin.query(`CREATE DATABASE "${name}"`);
});
afterAll(async () => {
  if (postgres) for (const name of databases) await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  await admin.end();
  await postgres?.stop();
});

const authorize = () => ({ actor: { kind: "user", id: "ada" }, allows: () => true });

interface Printed {
  readonly log: { close(): Promise<void> };
  readonly server: Server;
}

function poolOf(name: string): Pool {
  const pool = new Pool({ ...postgres?.config, database: name });
  pool.on("error", () => undefined);
  return pool;
}

/** A printed server behind its own address. */
async function start(pools: readonly Pool[], make: (address: string) => Printed): Promise<string> {
  const front = await listen((request, connection) => server.fetch(request, connection));
  const { log, server } = make(front.url);
  onTestFinished(async () => {
    await server.close();
    await front.close();
    await log.close();
    await Promise.all(pools.map((pool) => pool.end()));
  });
  return front.url;
}

function startOne(secrets: readonly string[]): Promise<string> {
  const pool = poolOf(database);
  return start([pool], (address) => serverOf(pool, address, secrets, authorize));
}

function startSpread(secrets: readonly string[]): Promise<string> {
  const [one, two] = [poolOf(`${database}_one`), poolOf(`${database}_two`)];
  return start([one, two], (address) => spreadServerOf({ one, two }, address, secrets, authorize));
}

async function ask(url: string, method: string, body?: object): Promise<Record<string, unknown>> {
  const init = { method, headers: { "content-type": "application/json" }, ...(body && { body: JSON.stringify(body) }) };
  return (await (await fetch(url, init)).json()) as Record<string, unknown>;
}

describe("several servers", () => {
  it("install what their code imports", () =>
    expect(guideInstalls("one-process-or-several")).toEqual(
      expect.arrayContaining([...guideImports("one-process-or-several")]),
    ));

  it.skipIf(!postgres)("write one thread, whichever gets the request", async () => {
    const secrets = ["0".repeat(64)];
    const urls = [await startOne(secrets), await startOne(secrets)];
    await ask(`${urls[0]}/threads/visits`, "PUT", { definition: "counter" });
    for (let round = 1; round <= 10; round += 1) {
      const [writer, reader] = round % 2 === 0 ? urls : urls.toReversed();
      const operation = { type: "add", by: 1 };
      expect(await ask(`${writer}/threads/visits/operations`, "POST", operation)).toMatchObject({ version: round });
      expect(await ask(`${reader}/threads/visits`, "GET")).toMatchObject({ version: round, state: { count: round } });
    }
    const pool = new Pool({ ...postgres?.config, database, max: 1 });
    const { rows } = await pool.query("SELECT epoch FROM opstate.owner");
    await pool.end();
    expect(rows).toHaveLength(1);
  });

  it.skipIf(!postgres)("spread their threads over two databases, and list them as one", async () => {
    const secrets = ["0".repeat(64)];
    const [here, there] = [await startSpread(secrets), await startSpread(secrets)];
    const names = Array.from({ length: 12 }, (_, n) => `visits-${n}`);
    for (const name of names) {
      await ask(`${here}/threads/${name}`, "PUT", { definition: "counter" });
      expect(await ask(`${there}/threads/${name}/operations`, "POST", { type: "add", by: 2 })).toMatchObject({
        accepted: true,
      });
      expect(await ask(`${here}/threads/${name}`, "GET")).toMatchObject({ version: 1, state: { count: 2 } });
    }
    const listed = (await ask(`${here}/threads`, "GET")) as unknown as readonly { readonly threadId: string }[];
    expect(listed.map(({ threadId }) => threadId)).toEqual(names);
    const counts = await Promise.all(
      ["one", "two"].map(async (name) => {
        const pool = poolOf(`${database}_${name}`);
        const { rows } = await pool.query("SELECT count(*)::int AS count FROM opstate.threads");
        await pool.end();
        return Number(rows[0]?.count);
      }),
    );
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(names.length);
  });
});
