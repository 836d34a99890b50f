// Rounds of load, kill -9 under load, restart and check. Throws when an acknowledged operation is
// lost, happened twice, or has another version than was acknowledged.

import { createReplica } from "@opstate/core";
import { httpTransport } from "../../../src/client/index.ts";
import { addCard, board } from "../board.ts";
import { Ledger } from "./ledger.ts";
import { ServerProcess } from "../processes/server-process.ts";
import type { Store } from "../store.ts";

export interface CrashOptions {
  readonly store: Store;
  readonly rounds: number;
  /**
   * Kills the database and starts it again: in every third round, and in every sixth together with
   * the server.
   */
  readonly crashDatabase?: (() => void) | undefined;
  onRound?(round: number, ledger: Ledger): void;
}

export interface CrashReport {
  readonly acknowledged: number;
  readonly resent: number;
  /** Durable, although the sender got no response. */
  readonly unanswered: number;
  readonly serversKilled: number;
  readonly databasesCrashed: number;
}

const threadIds = ["a", "b", "c"];
const WRITERS = 3;

export async function crashRounds({ store, rounds, crashDatabase, onRound }: CrashOptions): Promise<CrashReport> {
  const server = new ServerProcess(store);
  const ledger = new Ledger(threadIds, () => server.url);
  let serversKilled = 0;
  let databasesCrashed = 0;
  try {
    await server.start();
    await ledger.createThreads();
    // A page that stays open, on a thread of its own. Edits that it makes while the server is down
    // are sent when the server is back.
    await fetch(`${server.url}/threads/page`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ definition: "board" }),
    });
    const replica = createReplica({
      definition: board,
      transport: httpTransport({ url: server.url, threadId: "page" }),
    });
    await replica.ready();
    const edits = [];
    for (let round = 1; round <= rounds; round += 1) {
      const database = round % 3 === 0 && crashDatabase !== undefined;
      const before = ledger.acknowledged;
      const stop = new AbortController();
      const writing = ledger.write(WRITERS, stop.signal);
      edits.push(replica.dispatch(addCard(`online-${round}`)));
      // Another moment in every round: after some writes, during the next ones.
      await waitUntil(() => ledger.acknowledged >= before + 20 + ((round * 37) % 150), writing);
      if (!database || round % 6 === 0) {
        await server.kill();
        serversKilled += 1;
      }
      edits.push(replica.dispatch(addCard(`offline-${round}`)));
      if (database) {
        crashDatabase();
        databasesCrashed += 1;
      }
      // A server waits until its database is back. Its writers do not notice.
      stop.abort();
      await writing;
      if (!database || round % 6 === 0) await server.start();
      await ledger.check();
      onRound?.(round, ledger);
    }
    const verdicts = await Promise.all(edits);
    const refused = verdicts.find(({ accepted }) => !accepted);
    if (refused !== undefined) throw new Error(`An edit of the page was refused: ${JSON.stringify(refused)}`);
    const cards = replica.getState().columns[0]?.cards.map(({ cardId }) => cardId) ?? [];
    if (cards.length !== 2 * rounds || new Set(cards).size !== cards.length)
      throw new Error(`The page made ${2 * rounds} cards, and has ${cards.length} (${new Set(cards).size} different).`);
    replica.close();
    await ledger.checkWhole();
  } finally {
    await server.kill();
  }
  const { acknowledged, resent, unanswered } = ledger;
  return { acknowledged, resent, unanswered, serversKilled, databasesCrashed };
}

/** Resolves when the condition is true. Rejects when the writers ended before. */
async function waitUntil(condition: () => boolean, writing: Promise<void>): Promise<void> {
  let ended = false;
  void writing.then(() => (ended = true));
  while (!condition()) {
    if (ended) throw new Error("The writers ended although the server was running.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
