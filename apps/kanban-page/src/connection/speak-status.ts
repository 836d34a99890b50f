// The status of the connection, spoken as it changes. It is read from the thread itself, without
// the pace of a page.
//
//   online ──> offline ──300 ms──> "Offline." ──> online, nothing waits ─────> "All edits saved."
//                │                               online, 2 s later ─────────> "Saving 1 edit."
//                └──> online: nothing            what waited is refused ────> "Connected again."
//
// Invariants:
// - A connection that is back at once, as when another tab takes it over, was not lost to anyone.
// - That the connection is back is spoken before or with the refusal of a pending edit, never
//   after it. A page may get that refusal before it is online: the commits of others arrive
//   while the tabs decide which of them has the connection.

import type { Readable } from "@opstate/core";
import type { ThreadSync } from "@opstate/client";
import type { Announcer } from "../announcer.ts";
import { spokenReturn, spokenStatus, stableStatus, wasLost } from "./status-words.ts";

/** Milliseconds after which a connection is lost. */
const LOST = 300;
/** Milliseconds for which the verdicts of what waited are awaited before the return is spoken. */
const SAVING = 2_000;

/** Speaks until the returned function is called. */
export function speakStatus(sync: Readable<ThreadSync>, announcer: Pick<Announcer, "say">): () => void {
  let { status } = sync.getState();
  /** What was spoken of last. */
  let last = status;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stopWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function speak(): void {
    stopWaiting();
    const spoken = spokenStatus(last, status, sync.getState().pending.length);
    last = status;
    if (spoken !== undefined) announcer.say(spoken);
  }

  function waitBefore({ pending }: ThreadSync): number {
    if (last === "online" && status === "offline") return LOST;
    return wasLost(last) && status === "online" && pending.length > 0 ? SAVING : 0;
  }

  const unsubscribe = sync.subscribe((now, before) => {
    status = stableStatus(status, now.status);
    if (wasLost(last) && refusesWhatWaited(now, before)) {
      stopWaiting();
      last = status = "online";
      announcer.say(spokenReturn(now.pending.length));
    }
    if (status === last) return stopWaiting();
    const wait = waitBefore(now);
    if (wait === 0) speak();
    else timer ??= setTimeout(speak, wait);
  });
  return () => {
    stopWaiting();
    unsubscribe();
  };
}

/** Whether an edit has just been refused that was pending before. */
function refusesWhatWaited({ rejections }: ThreadSync, before: ThreadSync): boolean {
  if (rejections === before.rejections) return false;
  const waited = new Set(before.pending.map(({ id }) => id));
  return rejections.some(({ id }) => waited.has(id));
}
