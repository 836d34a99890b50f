// A board in this process, as its authority has it and as the page of one person holds it.

import { createClient } from "@opstate/client";
import { memoryLog, openThread, type Thread } from "@opstate/core";
import { board, sampleBoard } from "@opstate/kanban-domain";
import type { BoardThread } from "../src/open-board.ts";

export const ada = { kind: "user", id: "ada" };
export const agent = { kind: "agent", id: "agent" };

export async function openBoard(): Promise<Thread<typeof board>> {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: { kind: "system", id: "demo" } });
  return thread;
}

/** With each call another page, which has read nothing yet. */
export const pageOf = (thread: Thread<typeof board>): BoardThread =>
  createClient({ threads: [thread], actor: ada }).thread(board, "demo");
