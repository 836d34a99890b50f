// Rounds of load, a backup under load, the loss of the file, and a server on the backup. Throws
// when what was acknowledged before the backup is lost or has another version, when something
// happened twice, or when a branch is gone.
//
//   clients write ──────┬───────────────┬── kill -9, the file is gone
//                       └ log backup ───┘
//   a server on the copy: what was acknowledged before is there; all else is sent again

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sqliteLog } from "@opstate/server/sqlite";
import { type Random, randomOf } from "../../../core/test/simulation/random.ts";
import { addCard } from "../../../server/test/support/board.ts";
import { send } from "../../../server/test/support/server.ts";
import { ServerProcess } from "../../../server/test/support/processes/server-process.ts";
import { checkLog } from "../../src/index.ts";

const THREADS = ["a", "b", "c"];
const WRITERS = 3;
/** How many of those that are in the backup are sent again. */
const RESENT = 20;
const PAGE_SIZE = 1_000;

export interface RestoreOptions {
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
  onRound?(round: number, acknowledged: number): void;
}

export interface RestoreReport {
  readonly acknowledged: number;
  /** Acknowledged before a backup: they had to be in it. */
  readonly before: number;
  /** Acknowledged while or after a backup was made: some are in it, all were sent again. */
  readonly after: number;
}

/** What one client sent: to which thread, and the version of the answer. */
interface Sent {
  readonly threadId: string;
  version: number | undefined;
}

export async function restoreRounds({ folder, rounds, seed, onRound }: RestoreOptions): Promise<RestoreReport> {
  const random = randomOf(seed);
  const sent = new Map<string, Sent>();
  const branches: string[] = [];
  let path = join(folder, "live-0.sqlite");
  let server = new ServerProcess({ kind: "sqlite", path });
  let [before, after] = [0, 0];
  try {
    await server.start();
    for (const threadId of THREADS) await ask(server, `/threads/${threadId}`, "PUT", { definition: "board" });
    for (let round = 1; round <= rounds; round += 1) {
      const stop = new AbortController();
      const writing = write(server, sent, stop.signal);
      await reached(sent, acknowledgedOf(sent).length + 20 + random.below(80), writing);
      branches.push(await branchOff(server, random, round));
      const safe = acknowledgedOf(sent).map(([id, { version }]) => [id, version] as const);
      const copy = join(folder, `live-${round}.sqlite`);
      await backUp(path, copy);
      // The writers went on meanwhile.
      await reached(sent, safe.length + 10, writing);
      stop.abort();
      await server.kill();
      await writing;
      await checkCopy(copy);
      before += safe.length;
      after += acknowledgedOf(sent).length - safe.length;

      path = copy;
      server = new ServerProcess({ kind: "sqlite", path });
      await server.start();
      const inCopy = await versions(server);
      for (const [id, version] of safe)
        if (inCopy.get(id) !== version)
          throw new Error(`${id} was acknowledged at version ${version}, and is at ${inCopy.get(id)} in the backup.`);
      await sendAgain(server, sent, new Set(safe.slice(0, -RESENT).map(([id]) => id)), inCopy);
      await checkStates(server, sent);
      for (const branch of branches) await checkBranch(server, branch);
      onRound?.(round, acknowledgedOf(sent).length);
    }
  } finally {
    await server.kill();
  }
  return { acknowledged: acknowledgedOf(sent).length, before, after };
}

function acknowledgedOf(sent: ReadonlyMap<string, Sent>): readonly (readonly [string, Sent])[] {
  return [...sent].filter(([, { version }]) => version !== undefined);
}

async function ask({ url }: ServerProcess, path: string, method: string, body?: unknown) {
  const answer = await send(url + path, method, body, {});
  if (answer.status >= 300) throw new Error(`${method} ${path} got ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function submit(server: ServerProcess, threadId: string, id: string): Promise<number> {
  const { version } = await ask(server, `/threads/${threadId}/operations`, "POST", { id, operation: addCard(id) });
  return version;
}

/** Some clients for each thread. Each sends until one gets no answer, or `stop` aborts. */
async function write(server: ServerProcess, sent: Map<string, Sent>, stop: AbortSignal): Promise<void> {
  const clients = THREADS.flatMap((threadId) =>
    Array.from({ length: WRITERS }, async () => {
      while (!stop.aborted) {
        const id = `${threadId}-${sent.size}`;
        const own: Sent = { threadId, version: undefined };
        sent.set(id, own);
        const version = await submit(server, threadId, id).catch(() => undefined);
        if (version === undefined) return;
        own.version = version;
      }
    }),
  );
  await Promise.all(clients);
}

/** Resolves when so many are acknowledged. Rejects when the writers ended before. */
async function reached(sent: ReadonlyMap<string, Sent>, count: number, writing: Promise<void>): Promise<void> {
  let ended = false;
  void writing.then(() => (ended = true));
  while (acknowledgedOf(sent).length < count) {
    if (ended) throw new Error("The writers ended although the server was running.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A branch with a commit of its own. Resolves to its id. */
async function branchOff(server: ServerProcess, random: Random, round: number): Promise<string> {
  const { threadId } = await ask(server, `/threads/${random.pick(["a", "b", "c"])}/branches`, "POST", {
    name: `r${round}`,
  });
  await ask(server, `/threads/${threadId}/operations`, "POST", { id: "on-the-branch", operation: addCard("branched") });
  return threadId;
}

async function checkBranch(server: ServerProcess, threadId: string): Promise<void> {
  const { state } = await ask(server, `/threads/${threadId}`, "GET");
  if (cardsOf(state).at(-1) !== "branched") throw new Error(`The branch ${threadId} has not what was done on it.`);
}

async function backUp(from: string, to: string): Promise<void> {
  const program = join(import.meta.dirname, "../../src/main.ts");
  const child = spawn(process.execPath, ["--conditions=@opstate/source", program, "log", "backup", from, to], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code]: unknown[] = await once(child, "close");
  if (code !== 0) throw new Error(`The backup ended with ${String(code)}: ${said}`);
}

async function checkCopy(path: string): Promise<void> {
  const log = sqliteLog({ path });
  try {
    const { findings } = await checkLog(log);
    if (findings.length > 0) throw new Error(`The backup is damaged: ${JSON.stringify(findings)}`);
  } finally {
    await log.close();
  }
}

/** The version of each id in the histories. */
async function versions(server: ServerProcess): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const threadId of THREADS)
    for (let after = 0, isMore = true; isMore;) {
      const page = await ask(server, `/threads/${threadId}/history?after=${after}&limit=${PAGE_SIZE}`, "GET");
      for (const { commit } of page) {
        if (commit.version !== after + 1) throw new Error(`Version ${commit.version} of ${threadId} follows ${after}.`);
        if (found.has(commit.id)) throw new Error(`${commit.id} has two effects.`);
        found.set(commit.id, commit.version);
        after = commit.version;
      }
      isMore = page.length === PAGE_SIZE;
    }
  return found;
}

/** All but those of `except`, twice at once. What the backup has keeps its version. */
async function sendAgain(
  server: ServerProcess,
  sent: ReadonlyMap<string, Sent>,
  except: ReadonlySet<string>,
  inCopy: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, own] of sent) {
    if (except.has(id)) continue;
    const [first, second] = await Promise.all([1, 2].map(() => submit(server, own.threadId, id)));
    const there = inCopy.get(id) ?? first;
    if (first !== there || second !== there)
      throw new Error(`${id} is at version ${there}; sent again it got ${first} and ${second}.`);
    own.version = first;
  }
}

/** Each state has every card once, in the order of the versions. */
async function checkStates(server: ServerProcess, sent: ReadonlyMap<string, Sent>): Promise<void> {
  await versions(server);
  for (const threadId of THREADS) {
    const wanted = acknowledgedOf(sent)
      .filter(([, own]) => own.threadId === threadId)
      .toSorted(([, one], [, other]) => (one.version ?? 0) - (other.version ?? 0))
      .map(([id]) => id);
    const cards = cardsOf((await ask(server, `/threads/${threadId}`, "GET")).state);
    if (cards.join() !== wanted.join())
      throw new Error(`The state of ${threadId} has ${cards.length} cards, which are not those that were sent.`);
  }
}

function cardsOf(state: { readonly columns: readonly { readonly cards: readonly { cardId: string }[] }[] }) {
  return (state.columns[0]?.cards ?? []).map(({ cardId }) => cardId);
}
