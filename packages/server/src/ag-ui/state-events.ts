// A thread's state as AG-UI events: a snapshot, then a delta for each commit.
//
// Invariant: deltas are in version order and each applies to what was sent before it. A reader without room gets one snapshot later
// instead of the deltas it missed.

import { EventType } from "@ag-ui/core";
import type { Thread } from "@opstate/core";
import { encodeEvent, type EventStream } from "../http/event-stream.ts";

export interface StateEvents {
  /** Makes sure that everything committed so far was sent. */
  flush(): void;
  stop(): void;
}

/** Sends the snapshot at once, and the deltas from then on. */
export function sendState(thread: Thread, stream: EventStream): StateEvents {
  let sent: number;
  let behind = false;

  function snapshot(): void {
    sent = thread.version;
    behind = false;
    stream.send(encodeEvent({ data: { type: EventType.STATE_SNAPSHOT, snapshot: thread.getState() } }));
  }

  async function catchUp(): Promise<void> {
    behind = true;
    if ((await stream.room()) && behind) snapshot();
  }

  snapshot();
  const stop = thread.onCommit(({ version, patches }) => {
    if (behind || version <= sent) return;
    if (!stream.hasRoom()) return void catchUp();
    sent = version;
    stream.send(encodeEvent({ data: { type: EventType.STATE_DELTA, delta: patches } }));
  });

  return {
    flush() {
      if (sent < thread.version) snapshot();
    },
    stop,
  };
}
