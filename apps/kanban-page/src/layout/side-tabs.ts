// The tabs beside the board, and the arrow keys that go from one to the next.

import type { SideTab } from "./page-view.ts";

export interface ShownTab {
  readonly name: SideTab;
  readonly label: string;
  readonly count?: number;
}

/** `waiting` counts proposals. */
export function sideTabs(waiting: number): readonly ShownTab[] {
  return [
    { name: "timeline", label: "Timeline" },
    { name: "proposals", label: "Proposals", count: waiting },
    { name: "state", label: "State" },
  ];
}

/** The tab that an arrow key leads to; undefined for any other key. */
export function tabBeside(tabs: readonly ShownTab[], tab: SideTab, key: string): SideTab | undefined {
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return undefined;
  return tabs[(tabs.findIndex(({ name }) => name === tab) + step + tabs.length) % tabs.length]?.name;
}
