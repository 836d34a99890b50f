// The sentences that a screen reader speaks. The page has one live region, because two would
// interrupt each other.
//
// Invariant: sentences of one moment are one announcement, in their order, so none of them takes
// the place of another one before it is spoken.

import { createStore } from "zustand/vanilla";

export interface Announcement {
  /** All that was said in one moment. */
  readonly sentence: string;
  /** Counts announcements, so that a repeated sentence is spoken again. */
  readonly turn: number;
}

export type Announcer = ReturnType<typeof createAnnouncer>;

export function createAnnouncer() {
  const store = createStore<Announcement>()(() => ({ sentence: "", turn: 0 }));
  let isSameMoment = false;
  return Object.assign(store, {
    say(sentence: string) {
      store.setState((said) => ({
        sentence: isSameMoment ? `${said.sentence} ${sentence}` : sentence,
        turn: said.turn + 1,
      }));
      if (isSameMoment) return;
      isSameMoment = true;
      setTimeout(() => (isSameMoment = false));
    },
  });
}
