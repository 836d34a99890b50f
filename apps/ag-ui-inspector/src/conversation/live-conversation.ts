// A session for rendering: at most one update for each frame.

import type { ChatSession, ChatState, RecordingEntry } from "@opstate/ag-ui";

/** The conversation as it is now. */
export interface Live {
  readonly state: ChatState;
  readonly entries: readonly RecordingEntry[];
  /** The index of the first state that replay knows, and of the newest. */
  readonly first: number;
  readonly length: number;
}

export interface LiveConversation {
  readonly session: ChatSession;
  getSnapshot(this: void): Live;
  subscribe(this: void, listener: () => void): () => void;
}

export function liveConversation(session: ChatSession): LiveConversation {
  let live = read(session);
  const listeners = new Set<() => void>();
  let frame: number | undefined;

  function show() {
    frame = undefined;
    live = read(session);
    for (const listener of listeners) listener();
  }

  return {
    session,
    getSnapshot: () => live,
    subscribe(listener) {
      listeners.add(listener);
      const stop = session.subscribe(() => void (frame ??= requestAnimationFrame(show)));
      // The state may have changed before the subscription.
      if (live.state !== session.getState()) frame ??= requestAnimationFrame(show);
      return () => {
        stop();
        listeners.delete(listener);
      };
    },
  };
}

function read(session: ChatSession): Live {
  const { entries, first, length } = session.recording;
  return { state: session.getState(), entries, first, length };
}
