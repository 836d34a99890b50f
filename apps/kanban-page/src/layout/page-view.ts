// What the page shows in front: the pane on a narrow page, the tab beside the board, and the
// highlighted timeline entry.

import { createStore } from "zustand/vanilla";

/** In the order of their tabs. */
export const PANES = [
  { name: "chat", label: "Agent", icon: "chat" },
  { name: "board", label: "Board", icon: "board" },
  { name: "timeline", label: "Log", icon: "timeline" },
] as const;
export type PaneName = (typeof PANES)[number]["name"];
export type SideTab = "timeline" | "proposals" | "state";

export interface PageView {
  readonly pane: PaneName;
  readonly tab: SideTab;
  /** Whether the log is open where it is a rail. Kept in the tab's session storage. */
  readonly logOpen: boolean;
  /** The timeline entry to jump to. `turn` counts jumps, so that a repeated jump runs again. */
  readonly pointed?: { readonly version: number; readonly turn: number } | undefined;
  /** The proposal that is being edited or declined, and where. */
  readonly deciding?: Deciding | undefined;
}

/**
 * Where a proposal is decided: in the list of proposals, at its call in the chat, or above its
 * preview.
 */
export type DecidingPlace = "list" | "chat" | "board";

export interface Deciding {
  readonly id: string;
  readonly how: "edit" | "decline";
  readonly place: DecidingPlace;
}

/** Shows the log, on a page of any width. */
const LOG_SHOWN = { pane: "timeline", logOpen: true } as const;
const STORAGE_KEY = "opstate.log-open";

export function createPageView() {
  const store = createStore<PageView>()(() => ({
    pane: "board",
    tab: "timeline",
    logOpen: sessionStorage.getItem(STORAGE_KEY) === "true",
  }));
  store.subscribe(
    ({ logOpen }, before) => logOpen !== before.logOpen && sessionStorage.setItem(STORAGE_KEY, String(logOpen)),
  );
  return Object.assign(store, {
    pane: (pane: PaneName) => store.setState({ pane }),
    tab: (tab: SideTab) => store.setState({ tab }),
    log: (logOpen: boolean) => store.setState({ logOpen }),
    /** Shows a side tab, wherever it is. */
    reveal: (tab: SideTab) => store.setState({ tab, ...LOG_SHOWN }),
    point: (version: number) =>
      store.setState(({ pointed }) => ({
        tab: "timeline",
        ...LOG_SHOWN,
        pointed: { version, turn: (pointed?.turn ?? 0) + 1 },
      })),
    /** The list is shown for it; the other places are in sight. */
    decide: (deciding: Deciding | undefined) =>
      store.setState({ deciding, ...(deciding?.place === "list" && { tab: "proposals", ...LOG_SHOWN }) }),
  });
}
