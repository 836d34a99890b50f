// Back to an older version for good: the board becomes what it was then, as one edit that can be
// undone.

import type { Board } from "@opstate/kanban-domain";
import type { Session } from "../session.ts";
import type { PastView } from "./past.ts";

/** The state of the shown version, once it is read. Before the first one there was no board. */
export const restorable = ({ version, shown }: PastView): Board | undefined =>
  shown?.version === version ? (shown?.state ?? undefined) : undefined;

export function restore({ past, edits }: Pick<Session, "past" | "edits">): void {
  const { version } = past.getState();
  const state = restorable(past.getState());
  if (version === undefined || !state) return;
  past.now();
  void edits.restore(version, state);
}
