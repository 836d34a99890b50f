// "Erase a person's data": its code, as printed, on a log in which a person's words are in every
// place. Afterwards the files are searched for them.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyDefinition, openThread, type Thread } from "@opstate/core";
import type { FullLog } from "@opstate/core/log";
import { postgresLog } from "@opstate/server/postgres";
import { sqliteLog } from "@opstate/server/sqlite";
import { Pool } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startPostgres } from "../../../packages/server/test/support/postgres.ts";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const folder = writeGuide("erase-a-persons-data");
const files = guideFiles("erase-a-persons-data");
const { board }: { board: AnyDefinition } = await import(join(folder, "board.ts"));
const { erasePerson } = await import(join(folder, "erase-person.ts"));

const ada = { kind: "user", id: "ada" };
const bob = { kind: "user", id: "bob" };
const WORD = "Zwetschgenkuchen";
const STAYS = "Apfelstrudel";

/** Two threads with Ada's word in states, history, a branch, refusals and proposals. */
async function fill(log: FullLog): Promise<void> {
  for (const threadId of ["launch", "later"]) {
    const thread = await openThread({ definition: board, log, threadId, snapshotEvery: 5 });
    const add = (to: typeof thread, title: string, actor: typeof ada, id: string) =>
      to.dispatch({ type: "addCard", title }, { actor, id });
    await add(thread, STAYS, bob, "b1");
    for (let n = 1; n <= 12; n += 1) await add(thread, `${WORD} ${n}`, ada, `a${n}`);
    await thread.dispatch({ type: "retitle", id: "nowhere", title: WORD }, { actor: ada, id: "refused" });
    const branch = await thread.branch();
    await add(branch, `${WORD} on a branch`, ada, "branched");
    await thread.propose({ type: "addCard", title: `${WORD} proposed` }, { actor: ada, id: "proposed" });
    await add(thread, `${STAYS}, as Ada said: ${WORD} 1`, bob, "quoted");
    const quoted = cardsIn(thread).find(({ author, title }) => author === "bob" && title.includes(WORD));
    await thread.dispatch({ type: "retitle", id: quoted?.id ?? "", title: STAYS }, { actor: bob });
    await branch.close();
    await thread.close();
  }
}

interface Card {
  readonly id: string;
  readonly author: string;
  readonly title: string;
}

function cardsIn(thread: Pick<Thread, "getState">): readonly Card[] {
  return (thread.getState() as { readonly cards: readonly Card[] }).cards;
}

async function cardsOf(log: FullLog, threadId: string): Promise<readonly Card[]> {
  const thread = await openThread({ definition: board, log, threadId });
  const cards = cardsIn(thread);
  await thread.close();
  return cards;
}

it("installs what its code imports", () =>
  expect(guideInstalls("erase-a-persons-data")).toEqual(
    expect.arrayContaining([...guideImports("erase-a-persons-data")]),
  ));

it("on SQLite, no file has the person's words any more, and the log is whole", { timeout: 240_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "opstate-erase-person-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "boards.sqlite");
  const filesWith = (word: string) =>
    ["", "-wal", "-shm"].filter((suffix) => existsSync(path + suffix) && readFileSync(path + suffix).includes(word));
  const log = sqliteLog({ path });
  onTestFinished(() => log.close());
  await fill(log);
  expect(filesWith(WORD)).not.toEqual([]);

  expect(await erasePerson(log, ada)).toEqual(["launch", "later"]);
  await vi.waitFor(() => expect(filesWith(WORD)).toEqual([]), { timeout: 60_000 });

  for (const threadId of ["launch", "later"]) {
    const cards = await cardsOf(log, threadId);
    expect(cards.filter(({ author }) => author === "bob").map(({ title }) => title)).toEqual([STAYS, STAYS]);
    expect(new Set(cards.filter(({ author }) => author === "ada").map(({ title }) => title))).toEqual(
      new Set(["(erased)"]),
    );
  }
  await log.close();
  const root = join(import.meta.dirname, "../../..");
  const program = [join(root, "packages/opstate/src/main.ts"), "log", "check", path, "--definitions", "board.ts"];
  execFileSync(process.execPath, ["--conditions=@opstate/source", ...program], { cwd: folder, stdio: "pipe" });
});

const postgres = process.env["DATABASE_URL"] ? undefined : startPostgres();

describe.skipIf(postgres === undefined)("on Postgres", () => {
  it("no table has them after that, and no file of a table after the vacuum", { timeout: 240_000 }, async () => {
    const pool = new Pool(postgres?.config);
    const log = postgresLog({ pool });
    onTestFinished(async () => {
      await log.close();
      await pool.end();
      await postgres?.stop();
    });
    await fill(log);
    await erasePerson(log, ada);
    for (const table of ["threads", "commits", "snapshots", "receipts"])
      expect(JSON.stringify((await pool.query(`SELECT * FROM opstate.${table}`)).rows), table).not.toContain(WORD);

    for (const statement of (files["postgres.sql"] ?? "").split(";").filter((text) => text.trim() !== ""))
      await pool.query(statement);
    const base = join(postgres?.config.host ?? "", "data", "base");
    const found = readdirSync(base, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const withWord = (word: string) => found.filter((file) => readFileSync(file).includes(word));
    expect(withWord(STAYS)).not.toEqual([]);
    expect(withWord(WORD)).toEqual([]);
  });
});
