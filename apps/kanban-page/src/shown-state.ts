// The state in the state tab: the current one with pending edits, or that of a past version.

import type { Board } from "@opstate/kanban-domain";
import type { Announcer } from "./announcer.ts";
import { copyText } from "./copy-text.ts";
import type { PastView } from "./versions/past.ts";

export interface ShownState {
  readonly state: Board | null;
  readonly version: number;
  readonly words: string;
}

export function shownState(now: Board | null, version: number, pending: number, past: PastView): ShownState {
  if (past.version !== undefined && past.shown)
    return {
      state: past.shown.state,
      version: past.shown.version,
      words: `As it was at version ${past.shown.version}`,
    };
  const waiting = pending === 0 ? "" : pending === 1 ? ", and 1 edit that waits" : `, and ${pending} edits that wait`;
  return { state: now, version, words: `Version ${version}${waiting}` };
}

export function copyState({ state, version }: ShownState, announcer: Announcer): Promise<boolean> {
  return copyText(JSON.stringify(state, null, 2), `The state of version ${version} is copied as JSON.`, announcer);
}
