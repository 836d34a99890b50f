// The status of the connection, spoken as it changes. It is read from the thread itself, without
// the pace of a page: an edit that waited has its verdict after the connection is back, so
// "connected again" is never the last word about an edit that was refused.

import type { Readable } from "@opstate/core";
import type { ThreadSync } from "@opstate/client";
import type { Announcer } from "../announcer.ts";
import { spokenStatus, stableStatus } from "./status-words.ts";

/** Speaks until the returned function is called. */
export function speakStatus(
  sync: Pick<Readable<ThreadSync>, "getState" | "subscribe">,
  announcer: Pick<Announcer, "say">,
): () => void {
  let last = sync.getState().status;
  return sync.subscribe(() => {
    const { status, pending } = sync.getState();
    const now = stableStatus(last, status);
    const spoken = spokenStatus(last, now, pending.length);
    last = now;
    if (spoken !== undefined) announcer.say(spoken);
  });
}
