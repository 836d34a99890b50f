// What is spoken of the connection, and in what order with the verdicts that it brings.

import type { ThreadSync } from "@opstate/client";
import { createSource } from "@opstate/core/readable";
import { expect, it } from "vitest";
import { speakStatus } from "../../src/connection/speak-status.ts";

function syncOf(status: ThreadSync["status"], pending: number): ThreadSync {
  return { status, pending: Array.from({ length: pending }) } as unknown as ThreadSync;
}

it("says that the connection is back in the moment in which it is, before the verdicts", () => {
  const said: string[] = [];
  const sync = createSource(syncOf("online", 0));
  const end = speakStatus(sync, { say: (text) => void said.push(text) });
  for (const status of ["offline", "connecting", "online"] as const) sync.set(syncOf(status, 1))();
  said.push("Not moved.");
  sync.set(syncOf("online", 0))();
  expect(said).toEqual(["Offline. You can keep editing.", expect.stringMatching(/^Connected again\./), "Not moved."]);
  end();
  sync.set(syncOf("offline", 0))();
  expect(said).toHaveLength(3);
});
