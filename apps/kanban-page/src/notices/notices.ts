// Refusals of this page's own edits. Each is shown for a while beside its card or column.

import { createStore } from "zustand/vanilla";

export interface Notice {
  readonly id: number;
  readonly message: string;
  readonly cardId?: string;
  readonly columnId?: string;
}

const SHOWN_MS = 9000;

export type Notices = ReturnType<typeof createNotices>;

export function createNotices() {
  const store = createStore<readonly Notice[]>()(() => []);
  let turn = 0;
  function dismiss(id: number) {
    store.setState((notices) => notices.filter((notice) => notice.id !== id), true);
  }
  return Object.assign(store, {
    dismiss,
    clear() {
      store.setState([], true);
    },
    show(notice: Omit<Notice, "id">) {
      turn += 1;
      const id = turn;
      // Only the newest notice of a card is shown.
      store.setState(
        (notices) => [...notices.filter((each) => each.cardId !== notice.cardId), { ...notice, id }],
        true,
      );
      setTimeout(() => dismiss(id), SHOWN_MS);
    },
  });
}
