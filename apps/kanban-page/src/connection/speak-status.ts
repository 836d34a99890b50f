// The status of the connection, spoken as it changes. It is read from the thread itself, without
// the pace of a page: an edit that waited has its verdict after the connection is back, so
// "connected again" is not the last word about an edit that was refused. A connection that is back
// at once, as when another tab takes it over, was not lost to anybody.

import type { Readable } from "@opstate/core";
import type { ThreadSync } from "@opstate/client";
import type { Announcer } from "../announcer.ts";
import { spokenStatus, stableStatus } from "./status-words.ts";

/** Milliseconds after which a connection is lost. */
const LOST = 300;

/** Speaks until the returned function is called. */
export function speakStatus(sync: Readable<ThreadSync>, announcer: Pick<Announcer, "say">): () => void {
  /** What was spoken of last. */
  let last = sync.getState().status;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function speak(): void {
    const { status, pending } = sync.getState();
    const now = stableStatus(last, status);
    const spoken = spokenStatus(last, now, pending.length);
    last = now;
    if (spoken !== undefined) announcer.say(spoken);
  }

  const unsubscribe = sync.subscribe(() => {
    const { status } = sync.getState();
    if (status === "connecting") return;
    if (status === "offline" && last === "online") {
      timer ??= setTimeout(speak, LOST);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    speak();
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
