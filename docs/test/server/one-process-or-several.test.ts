// "One process, several": the servers as printed, two of them on a real Postgres.

import { join } from "node:path";
import { listen, type Server } from "@opstate/server";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../packages/server/test/support/postgres.ts";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { typeErrors } from "../support/types.ts";

const folder = writeGuide("one-process-or-several");
const { serverOf } = await import(join(folder, "server.ts"));

const postgres = startPostgres();
const admin = new Pool(postgres?.config);
const database = `opstate_nodes_${process.pid}`;
beforeAll(async () => {
  if (postgres) await admin.query(`CREATE DATABASE "${database}"`);
});
afterAll(async () => {
  if (postgres) await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
  await admin.end();
  await postgres?.stop();
});

const authorize = () => ({ actor: { kind: "user", id: "ada" }, allows: () => true });

/** The printed server behind its own address. */
async function start(secrets: readonly string[]): Promise<string> {
  const pool = new Pool({ ...postgres?.config, database });
  pool.on("error", () => undefined);
  const front = await listen((request, connection) => server.fetch(request, connection));
  const { log, server }: { log: { close(): Promise<void> }; server: Server } = serverOf(
    pool,
    front.url,
    secrets,
    authorize,
  );
  onTestFinished(async () => {
    await server.close();
    await front.close();
    await log.close();
    await pool.end();
  });
  return front.url;
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

  it("have examples without type errors", () => expect(typeErrors(folder)).toBe(""));

  it.skipIf(!postgres)("write one thread, whichever gets the request", async () => {
    const secrets = ["0".repeat(64)];
    const urls = [await start(secrets), await start(secrets)];
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
});
