// Rounds of erasure in a process that is killed (kill -9) at some statement. Throws when something
// is half done afterwards, cannot be done again, or was acknowledged and is still in a file.
//
//   a log with a secret ── copy ──> erased by a process, killed ──> opened again: whole?
//                                                                    acknowledged: gone?
//                                                                    else: erased again, gone?

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openThread, type Thread } from "@opstate/core";
import { type Random, randomOf } from "../../../../core/test/simulation/random.ts";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { addCard, board } from "../board.ts";

const ada = { kind: "user", id: "ada" };
const bob = { kind: "user", id: "bob" };
const privacy = { kind: "system", id: "privacy" };
const SECRET = "Zwetschgenkuchen";
const BRANCH = "launch~b";

/** Milliseconds in which what was acknowledged is gone from the files. */
const ERASED_WITHIN = 30_000;

export type Erasure = "redact" | "delete";

export interface EraseOptions {
  readonly folder: string;
  readonly what: Erasure;
  readonly rounds: number;
  readonly seed: number;
  onRound?(round: number): void;
}

export interface EraseReport {
  readonly rounds: number;
  /** Killed after the erasure was acknowledged, and before what it left was swept. */
  readonly acknowledged: number;
  /** Statements of an erasure that nobody kills. */
  readonly statements: number;
}

export async function eraseRounds({ folder, what, rounds, seed, onRound }: EraseOptions): Promise<EraseReport> {
  const random = randomOf(seed);
  const filled = join(folder, `filled-${what}.sqlite`);
  const states = await fill(filled);
  const path = join(folder, `${what}.sqlite`);
  const fresh = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    copyFileSync(filled, path);
  };
  fresh();
  const { statements } = await erase(path, what, Infinity);
  const points = shuffled(statements, random);
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round += 1) {
    fresh();
    const point = points[(round - 1) % statements] ?? 1;
    const killed = await erase(path, what, point);
    if (killed.acknowledged) acknowledged += 1;
    try {
      await (what === "redact" ? checkRedacted : checkDeleted)(path, states, killed.acknowledged);
    } catch (error) {
      throw new Error(`After kill -9 before statement ${point} of ${statements} of ${what}`, { cause: error });
    }
    onRound?.(round);
  }
  return { rounds, acknowledged, statements };
}

/** The numbers from 1 to `count`, each once. */
function shuffled(count: number, random: Random): readonly number[] {
  const left = Array.from({ length: count }, (_, index) => index + 1);
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] ?? 0);
}

/** A thread and a branch in which Ada wrote the secret, and Bob took it out of the states again. */
async function fill(path: string): Promise<{ readonly main: unknown; readonly branch: unknown }> {
  const log = sqliteLog({ path });
  const thread = await openThread({ definition: board, log, threadId: "launch", snapshotEvery: 4 });
  const add = (to: Pick<Thread<typeof board>, "dispatch">, id: string, title: string, actor: typeof ada) =>
    to.dispatch(addCard(id, title), { actor, id });
  await add(thread, "c0", "of Bob", bob);
  for (let n = 1; n <= 8; n += 1) await add(thread, `c${n}`, `${SECRET} ${n}`, ada);
  await thread.submit({ type: "rename", cardId: "nowhere", title: SECRET }, { actor: ada, id: "refused" });
  const branch = await thread.branch(undefined, { id: BRANCH });
  await add(branch, "b1", `${SECRET} on the branch`, ada);
  await add(branch, "b2", "of Bob", bob);
  await thread.propose({ type: "rename", cardId: "c0", title: `${SECRET} proposed` }, { actor: ada, id: "proposed" });
  await add(thread, "c9", "later of Bob", bob);
  const rename = (cardId: string) => ({ type: "rename", cardId, title: "-" }) as const;
  for (let n = 1; n <= 8; n += 1)
    for (const each of [thread, branch]) await each.dispatch(rename(`c${n}`), { actor: bob, id: `taken ${n}` });
  await branch.dispatch(rename("b1"), { actor: bob, id: "taken" });
  const states = { main: thread.getState(), branch: branch.getState() };
  await thread.close();
  await log.close();
  if (!filesWith(path)) throw new Error("The secret is in no file.");
  return states;
}

async function erase(path: string, what: Erasure, point: number) {
  const child = spawn(
    process.execPath,
    ["--conditions=@opstate/source", join(import.meta.dirname, "erase-child.ts"), path, what, String(point)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code, signal]: unknown[] = await once(child, "close");
  if (signal !== "SIGKILL" && (code !== 0 || point !== Infinity))
    throw new Error(`The process that erases ended with ${String(code ?? signal)}: ${output}`);
  return {
    acknowledged: output.includes("acknowledged"),
    statements: Number(/statements (\d+)/.exec(output)?.[1] ?? 0),
  };
}

async function checkRedacted(path: string, states: { main: unknown; branch: unknown }, acknowledged: boolean) {
  const log = sqliteLog({ path });
  try {
    await checkWhole(log, states);
    if (!acknowledged) {
      const thread = await openThread({ definition: board, log, threadId: "launch" });
      await thread.redact({ actor: ada, by: privacy });
      await thread.close();
      await checkWhole(log, states);
    }
    await erased(path);
  } finally {
    await log.close();
  }
}

async function checkDeleted(path: string, states: { main: unknown; branch: unknown }, acknowledged: boolean) {
  const log = sqliteLog({ path });
  try {
    const there = await Promise.all(["launch", BRANCH].map(async (id) => (await log.info(id)) !== undefined));
    if (there[0] !== there[1]) throw new Error(`Half is deleted: the thread and its branch are there: ${there.join()}`);
    if (there[0] === true) {
      if (acknowledged) throw new Error("What was deleted is there again.");
      await checkWhole(log, states);
      await log.thread("launch").delete();
    }
    await erased(path);
  } finally {
    await log.close();
  }
}

/** The present states are as they were, and all that is kept of the history leads to them. */
async function checkWhole(log: ReturnType<typeof sqliteLog>, states: { main: unknown; branch: unknown }) {
  for (const [threadId, state] of [
    ["launch", states.main],
    [BRANCH, states.branch],
  ] as const) {
    const thread = await openThread({ definition: board, log, threadId });
    const { version } = thread;
    const info = await log.info(threadId);
    const floor = info?.floor ?? 0;
    const commits = await log.read(threadId, {});
    const wanted = Array.from({ length: version - floor }, (_, index) => floor + 1 + index);
    same(
      `versions of ${threadId}`,
      commits.map((commit) => commit.version),
      wanted,
    );
    same(`state of ${threadId}`, thread.getState(), state);
    for (const at of [floor, ...wanted]) await thread.stateAt(at);
    same(`replayed state of ${threadId}`, await thread.stateAt(version), state);
    await log.thread(threadId).receipts({ limit: Infinity, bytes: Infinity });
    await thread.close();
  }
}

function same(what: string, found: unknown, wanted: unknown): void {
  const [is, shouldBe] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== shouldBe) throw new Error(`The ${what}: ${is}, and not ${shouldBe}.`);
}

async function erased(path: string): Promise<void> {
  const end = performance.now() + ERASED_WITHIN;
  while (filesWith(path)) {
    if (performance.now() > end) throw new Error(`What was erased is still in ${filesWith(path)}.`);
    await delay(10);
  }
}

/** The files that have the secret; undefined when none has. */
function filesWith(path: string): string | undefined {
  const found = ["", "-wal", "-shm", "-journal"].filter(
    (suffix) => existsSync(path + suffix) && readFileSync(path + suffix).includes(SECRET),
  );
  return found.length === 0 ? undefined : found.map((suffix) => `log.sqlite${suffix}`).join(", ");
}
