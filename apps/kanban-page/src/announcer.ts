// What is said aloud by a screen reader. One voice for the page: two live regions would talk over
// each other.

import { createStore } from "zustand/vanilla";

export interface Announcement {
  readonly sentence: string;
  /** Grows, so that the same sentence twice is said twice. */
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
