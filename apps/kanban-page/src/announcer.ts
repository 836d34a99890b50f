// The sentences that a screen reader speaks. The page has one live region, because two would
// interrupt each other.

import { createStore } from "zustand/vanilla";

export interface Announcement {
  readonly sentence: string;
  /** Counts announcements, so that a repeated sentence is spoken again. */
  readonly turn: number;
}

export type Announcer = ReturnType<typeof createAnnouncer>;

export function createAnnouncer() {
  const store = createStore<Announcement>()(() => ({ sentence: "", turn: 0 }));
  return Object.assign(store, {
    say(sentence: string) {
      store.setState(({ turn }) => ({ sentence, turn: turn + 1 }));
    },
  });
}
