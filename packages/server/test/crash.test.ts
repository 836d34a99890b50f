// kill -9 in the middle of writes: whatever was acknowledged is there afterwards, and what is sent again has one effect.

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReplica } from "@opstate/core";
import { expect, it, onTestFinished } from "vitest";
import { httpTransport } from "../src/client/index.ts";
import { addCard, board } from "./support/board.ts";
import { send } from "./support/server.ts";

const rounds = 2;
const threads = ["a", "b", "c"];

it("no acknowledged operation is lost, and a resent one has one effect", { timeout: 30_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "opstate-crash-"));
  const path = join(directory, "log.sqlite");
  let child: ChildProcess | undefined;
  onTestFinished(() => {
    child?.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });

  async function startServer(port: string): Promise<string> {
    const started = fork(join(import.meta.dirname, "support/crash-server.ts"), [path, port], {
      execArgv: ["--conditions=@opstate/source"],
    });
    child = started;
    return new Promise((resolve, reject) => {
      started.once("message", (message) => resolve(typeof message === "string" ? message : ""));
      started.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
    });
  }

  async function kill(): Promise<void> {
    const dying = child;
    const gone = new Promise((resolve) => dying?.once("exit", resolve));
    dying?.kill("SIGKILL");
    await gone;
  }

  let url = await startServer("0");
  const { port } = new URL(url);
  for (const threadId of threads) await send(`${url}/threads/${threadId}`, "PUT", { definition: "board" }, {});
  const replica = createReplica({ definition: board, transport: httpTransport({ url, threadId: "a" }) });
  onTestFinished(() => replica.close());
  await replica.ready();

  const acknowledged = new Map<string, number>();
  const unknown: string[] = [];
  let next = 0;

  /** Submits until the server dies; what got no answer may or may not have happened. */
  async function write(threadId: string): Promise<void> {
    for (;;) {
      const id = `${threadId}-${(next += 1)}`;
      try {
        const { status, body } = await send(`${url}/threads/${threadId}/operations`, "POST", { id, operation: addCard(id) }, {});
        if (status !== 200) throw new Error(`status ${status}`);
        acknowledged.set(id, body.version);
      } catch {
        unknown.push(id);
        return;
      }
    }
  }

  const edits = [];
  for (let round = 1; round <= rounds; round += 1) {
    const writers = threads.flatMap((threadId) => [write(threadId), write(threadId), write(threadId)]);
    const before = acknowledged.size;
    edits.push(replica.dispatch(addCard(`replica-${round}`)));
    await expect.poll(() => acknowledged.size, { timeout: 10_000, interval: 5 }).toBeGreaterThan(before + 60);
    await kill();
    await Promise.all(writers);
    // One made while the server is down.
    edits.push(replica.dispatch(addCard(`replica-offline-${round}`)));
    url = await startServer(port);
    for (const threadId of threads) {
      const history = (await send(`${url}/threads/${threadId}/history?limit=1000`, "GET", undefined, {})).body;
      const versions = new Map<string, number>(
        history.map(({ commit }: { commit: { id: string; version: number } }) => [commit.id, commit.version]),
      );
      expect([...versions.values()]).toEqual(history.map((_: unknown, index: number) => index + 1));
      for (const [id, version] of acknowledged)
        if (id.startsWith(`${threadId}-`)) expect(versions.get(id), `${id} was acknowledged`).toBe(version);
      // Sent again: the same verdict for what is known, one effect for the others.
      for (const id of [...unknown, ...[...acknowledged.keys()].slice(-20)].filter((each) => each.startsWith(`${threadId}-`))) {
        const again = await send(`${url}/threads/${threadId}/operations`, "POST", { id, operation: addCard(id) }, {});
        expect(again.status).toBe(200);
        if (versions.has(id)) expect(again.body.version).toBe(versions.get(id));
        acknowledged.set(id, again.body.version);
      }
    }
    unknown.length = 0;
  }

  const verdicts = await Promise.all(edits);
  expect(verdicts.every(({ accepted }) => accepted)).toBe(true);
  for (const threadId of threads) {
    const { body } = await send(`${url}/threads/${threadId}`, "GET", undefined, {});
    const cards: string[] = body.state.columns[0].cards.map(({ cardId }: { cardId: string }) => cardId);
    expect(new Set(cards).size).toBe(cards.length);
    expect(body.state.columns[0].cardCount).toBe(cards.length);
    for (const id of acknowledged.keys()) if (id.startsWith(`${threadId}-`)) expect(cards).toContain(id);
    if (threadId === "a") expect(cards.filter((id) => id.startsWith("replica"))).toHaveLength(2 * rounds);
  }
  await kill();
});
