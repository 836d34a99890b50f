// A page stays live while an agent works in another process on the same log, and the agent reads
// what the page does meanwhile.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@opstate/client";
import { createServer } from "@opstate/server";
import { postgresLog } from "@opstate/server/postgres";
import { sqliteLog } from "@opstate/server/sqlite";
import pg from "pg";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { board, sample } from "../support/board.ts";
import { startPostgres } from "../support/postgres.ts";
import type { LogPlace } from "../support/log-agent.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-live-page-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const postgres = startPostgres();
afterAll(() => postgres?.stop());

const places: readonly (readonly [string, LogPlace])[] = [
  ["SQLite", { path: join(folder, "board.db") }],
  ...(postgres === undefined ? [] : [["Postgres", { config: postgres.config }] as const]),
];

function openLog(place: LogPlace) {
  if ("path" in place) return sqliteLog({ path: place.path });
  const pool = new pg.Pool(place.config);
  onTestFinished(() => pool.end());
  return postgresLog({ pool });
}

it.each(places)("on %s", { timeout: 240_000 }, async (_name, place) => {
  const server = createServer({
    definitions: [board],
    log: openLog(place),
    authorize: () => ({ actor: { kind: "user", id: "ada" }, allows: () => true }),
  });
  const { url } = await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const thread = await server.thread("b", board);
  await thread.dispatch({ type: "$replace", value: sample }, { actor: { kind: "system", id: "setup" } });
  const client = createClient({ url });
  onTestFinished(() => client.close());
  const page = client.thread(board, "b");
  onTestFinished(page.sync.subscribe(() => undefined));
  await page.ready();

  const child = fork(join(import.meta.dirname, "../support/log-agent.ts"), [JSON.stringify(place)], {
    execArgv: ["--conditions=@opstate/source"],
  });
  onTestFinished(() => void child.kill());
  const done = () => page.getState()?.columns[1]?.cards.map(({ cardId }) => cardId);
  expect((await once(child, "message"))[0]).toBe(2);
  await expect.poll(done, { timeout: 60_000 }).toEqual(["T-1"]);
  await page.dispatch(board.op.rename({ cardId: "T-3", title: "by Ada" }));
  child.send("go on");
  await once(child, "message");
  await expect.poll(done, { timeout: 60_000 }).toEqual(["T-1", "T-2"]);
  const ended = once(child, "message");
  child.send("go on");
  const [{ told, shown }] = (await ended) as [{ told: string[]; shown: string[] }];
  expect(told).toEqual([
    "Accepted: board is now at version 2.",
    expect.stringMatching(/^Accepted: board is now at version 4/),
  ]);
  expect(shown.at(-1)).toContain("by Ada");
});
