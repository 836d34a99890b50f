// Keeps 10,000 threads open, each with a state of its own; then lets a server hold them, and let
// them go.

import { join } from "node:path";
import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import type { Keep } from "../harness/memory.ts";
import { DEFINITIONS, openBoard, renameBoard } from "../boards/rename-board.ts";

export const THREADS = 10_000;

export const STEP = {
  states: "its state alone, a board of 100 cards",
  open: "an open thread, its state included",
  served: "a thread that a server holds, its state included",
  idle: "after `idleMinutes`, when nobody used it",
} as const;

/** Long enough for all to be opened before the first is idle. */
const IDLE_MINUTES = 0.25;

export const keep: Keep = async (mark, [step = "", directory = ""]) => {
  if (step === STEP.states) {
    const text = JSON.stringify(renameBoard.initial);
    const states = Array.from({ length: THREADS }, () => JSON.parse(text) as unknown);
    await mark(STEP.states);
    return states;
  }
  const log = sqliteLog({ path: join(directory, "open-threads.sqlite") });
  const ids = Array.from({ length: THREADS }, (_, n) => `thread-${n}`);
  if (step === STEP.open) {
    // Opened again, a thread has a state of its own: one that was just made shares it with the
    // definition.
    for (const id of ids) await (await openBoard(log, id)).close();
    const before = log;
    const threads = await Promise.all(ids.map((id) => openBoard(before, id)));
    await mark(STEP.open);
    return threads;
  }
  const server = createServer({ definitions: DEFINITIONS, log, insecure: true, idleMinutes: IDLE_MINUTES });
  for (const id of ids) {
    const response = await server.fetch(new Request(`http://127.0.0.1/threads/${id}`));
    if (!response.ok) throw new Error(`thread ${id} was not served: ${response.status}`);
    await response.arrayBuffer();
  }
  await mark(STEP.served);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MINUTES * 2.5 * 60_000));
  await mark(STEP.idle);
  return server;
};
