// Two processes on one SQLite file: each sees what the other one writes, and a page of the one
// follows while the other one works.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@opstate/client";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard, board } from "../support/board.ts";
import { ada, start } from "../support/server.ts";

const directory = mkdtempSync(join(tmpdir(), "opstate-two-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A second process, and the newest version that it has seen. */
async function secondProcess(path: string): Promise<{ readonly child: ChildProcess; seen(): number }> {
  const child = fork(join(import.meta.dirname, "../support/processes/second-process.ts"), [path, "b"], {
    execArgv: ["--conditions=@opstate/source"],
  });
  onTestFinished(() => void child.kill());
  let newest = -1;
  child.on("message", ({ version }: { readonly version: number }) => (newest = version));
  await once(child, "message");
  return { child, seen: () => newest };
}

it("shows a page of one process what the other one writes, and the other way round", { timeout: 240_000 }, async () => {
  const path = join(directory, "boards.sqlite");
  const log = sqliteLog({ path });
  onTestFinished(() => log.close());
  const { url, server } = await start({ log });
  const thread = await server.thread("b", board);
  await thread.dispatch({ columns: [{ columnId: "todo", cards: [] }] }, { actor: { kind: "system", id: "setup" } });
  const client = createClient({ url, headers: ada });
  onTestFinished(() => client.close());
  const page = client.thread(board, "b");
  onTestFinished(page.subscribe(() => undefined));
  await page.ready();

  const { child, seen } = await secondProcess(path);
  expect(seen()).toBe(1);
  // Nobody writes here, so nothing but the poll tells of it.
  child.send(addCard("c1"));
  const cards = () => page.getState()?.columns[0]?.cards.map(({ cardId }) => cardId);
  await expect.poll(cards, { timeout: 60_000 }).toEqual(["c1"]);
  expect(thread.version).toBe(2);
  expect(await page.dispatch(addCard("c2"))).toMatchObject({ accepted: true, version: 3 });
  await expect.poll(seen, { timeout: 60_000 }).toBe(3);
  for (const id of ["c3", "c4"]) child.send(addCard(id));
  await expect.poll(cards, { timeout: 60_000 }).toEqual(["c1", "c2", "c3", "c4"]);

  await thread.close();
  child.send("end");
  await once(child, "exit");
});
