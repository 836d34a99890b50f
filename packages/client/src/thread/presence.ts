// Who else is here. What this tab shows is sent at most once in a while, the newest value last.

import { createSource } from "@opstate/core/readable";
import type { Participant, PresenceValue } from "../carrier.ts";
import type { ThreadPresence } from "../client-thread.ts";

/** Milliseconds between two messages. */
const PACE = 100;

export interface PresencePart {
  readonly presence: ThreadPresence;
  receive(participants: readonly Participant[]): void;
  /** A new connection knows nothing of this tab. */
  showAgain(): void;
}

/** `watched`: the thread is connected while there are subscribers to who is here. */
export function createPresence(
  send: (value: PresenceValue | undefined) => void,
  watched: (end: () => void) => () => void,
): PresencePart {
  const { set, ...here } = createSource<readonly Participant[]>([]);
  let shown: PresenceValue | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;

  function sendNow(): void {
    isWaiting = false;
    send(shown);
    timer = setTimeout(() => {
      timer = undefined;
      if (isWaiting) sendNow();
    }, PACE);
  }

  return {
    presence: {
      ...here,
      subscribe: (listener) => watched(here.subscribe(listener)),
      show(value) {
        shown = value;
        if (timer === undefined) sendNow();
        else isWaiting = true;
      },
    },
    receive(participants) {
      if (participants.length > 0 || here.getState().length > 0) set(participants)();
    },
    showAgain() {
      if (shown !== undefined) send(shown);
    },
  };
}
