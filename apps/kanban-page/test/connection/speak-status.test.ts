// What is spoken of the connection, and in what order with the verdicts that it brings.

import type { ThreadSync } from "@opstate/client";
import { createSource } from "@opstate/core/readable";
import { expect, it, onTestFinished, vi } from "vitest";
import { speakStatus } from "../../src/connection/speak-status.ts";

function syncOf(status: ThreadSync["status"], pending: number): ThreadSync {
  return { status, pending: Array.from({ length: pending }) } as unknown as ThreadSync;
}

it("says that the connection is back in the moment in which it is, before the verdicts", () => {
  const { said, show, end } = speaking();
  show("offline", 1);
  vi.advanceTimersByTime(1_000);
  show("connecting", 1);
  show("online", 1);
  said.push("Not moved.");
  show("online", 0);
  expect(said).toEqual(["Offline. You can keep editing.", expect.stringMatching(/^Connected again\./), "Not moved."]);
  end();
  show("offline", 0);
  vi.advanceTimersByTime(1_000);
  expect(said).toHaveLength(3);
});

it("says nothing of a connection that is back at once", () => {
  const { said, show } = speaking();
  for (const status of ["offline", "connecting", "online"] as const) show(status, 0);
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual([]);
});

function speaking() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const said: string[] = [];
  const sync = createSource(syncOf("online", 0));
  const end = speakStatus(sync, { say: (text) => void said.push(text) });
  return { said, end, show: (status: ThreadSync["status"], pending: number) => sync.set(syncOf(status, pending))() };
}
