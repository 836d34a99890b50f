// Files of earlier schemas, kept in `released/` as SQL with what was read from them then: this
// release brings each up to date and reads the same. And what an older release says of a newer
// file.
//
// Whoever adds a step to the schema adds a file of the schema before it: the text of its tables and
// rows, and the answers of its log.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Commit, type Log, openThread } from "@opstate/core";
import type { ThreadInfo } from "@opstate/core/log";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { STEPS } from "../../src/sqlite/schema-steps.ts";
import { addCard, board } from "../support/board.ts";

const released = join(import.meta.dirname, "released");
const directory = mkdtempSync(join(tmpdir(), "opstate-released-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ada = { kind: "user", id: "ada" };
const robot = { kind: "agent", id: "robot" };
const versions = readdirSync(released).flatMap((name) => /^schema-(\d+)\.sql$/.exec(name)?.[1] ?? []);

interface Expected {
  readonly info: ThreadInfo;
  readonly commits: readonly Commit[];
}

function fileOf(version: string): string {
  const path = join(directory, `${version}-${Math.random()}.sqlite`);
  const database = new DatabaseSync(path);
  database.exec(readFileSync(join(released, `schema-${version}.sql`), "utf8"));
  database.close();
  return path;
}

const expectedOf = (version: string) =>
  JSON.parse(readFileSync(join(released, `schema-${version}.json`), "utf8")) as readonly Expected[];

async function answersOf(log: Log, { threadId, version: head }: ThreadInfo) {
  const numbers = (commits: readonly Commit[]) => commits.map(({ version }) => version);
  const commits = await log.read(threadId, {});
  const snapshots = [];
  for (let version = 0; version <= head; version += 1)
    snapshots.push((await log.snapshotAt(threadId, version))?.version ?? null);
  const sent = [
    ...commits.map(({ actor, id }) => ({ actor, id })),
    { actor: robot, id: "refused" },
    { actor: robot, id: "changed nothing" },
    { actor: ada, id: "c 3" },
  ];
  const receipts = [];
  for (const { actor, id } of sent) receipts.push((await log.receipt(threadId, actor, id)) ?? null);
  return {
    info: await log.info(threadId),
    snapshots,
    commits,
    receipts,
    refusals: await log.refusals(threadId),
    byRun: numbers(await log.read(threadId, { runId: "run 1" })),
    byRobot: numbers(await log.read(threadId, { actor: robot })),
    approvals: numbers(await log.read(threadId, { types: ["$approve", "$merge"] })),
    state: (await log.load(threadId))?.snapshot,
  };
}

describe.each(versions)("a file of schema %s", (version) => {
  it("is brought up to date, and reads as it did", async () => {
    const path = fileOf(version);
    const log = sqliteLog({ path });
    onTestFinished(() => log.close());
    const expected = expectedOf(version);
    expect((await log.list()).map(({ threadId }) => threadId)).toEqual(expected.map(({ info }) => info.threadId));
    for (const one of expected) expect(await answersOf(log, one.info)).toEqual(one);
    const database = new DatabaseSync(path, { readOnly: true });
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: STEPS.length });
    database.close();
  });

  it("goes on: ids keep their verdicts, and what is new follows", async () => {
    const log = sqliteLog({ path: fileOf(version) });
    onTestFinished(() => log.close());
    const thread = await openThread({ definition: board, log, threadId: "launch" });
    const head = thread.version;
    expect(await thread.dispatch(addCard("c3"), { actor: ada, id: "add 3", runId: "run 3" })).toMatchObject({
      accepted: true,
      version: 4,
    });
    expect(await thread.dispatch(addCard("new"), { actor: ada })).toMatchObject({ accepted: true, version: head + 1 });
    expect(await thread.undo({ runId: "run 2" }, { actor: ada })).toMatchObject({ accepted: true });
    const [branch] = await thread.branches();
    expect(branch?.threadId).toBe("launch~b");
    await thread.close();
  });
});

it("a newer file says how to go on, and how to go back, and stays as it is", async () => {
  const path = fileOf(versions[0] ?? "");
  await sqliteLog({ path }).close();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${STEPS.length + 1}`);
  database.close();
  const before = readFileSync(path);
  expect(() => sqliteLog({ path })).toThrow(
    expect.objectContaining({
      code: "log_unavailable",
      message: expect.stringMatching(
        /Open it with the release that wrote it, or a newer one\. To go back to this release, restore what was saved before the upgrade, or .* npx opstate log export, npx opstate log restore\./,
      ),
    }),
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});
