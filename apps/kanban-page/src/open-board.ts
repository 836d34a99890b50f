// One open thread, the board or a branch of it, with what the page does with it.

import type { ClientThread } from "@opstate/client";
import type { board } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "./announcer.ts";
import { createEdits, showRefusals } from "./edits.ts";
import type { Notices } from "./notices/notices.ts";
import { createDecisions } from "./proposals/decisions.ts";
import { LOG } from "./timeline/log.ts";

export type BoardThread = ClientThread<typeof board>;

export type OpenBoard = ReturnType<typeof openBoard>;

export function openBoard(
  thread: BoardThread,
  { notices, announcer }: { readonly notices: Notices; readonly announcer: Announcer },
) {
  const liveSince = createStore<number>()(() => Infinity);
  // Subscribed for as long as the page is open, whichever of its parts are shown.
  const endLog = thread.history.with(LOG).subscribe(({ entries }) => {
    const newest = entries.find((entry) => entry.kind === "commit");
    if (entries.length > 0) liveSince.setState((since) => Math.min(since, (newest?.commit.version ?? 0) + 1), true);
  });
  const endRefusals = showRefusals(thread, notices, announcer);
  return {
    thread,
    edits: createEdits(thread, announcer),
    decisions: createDecisions(thread, announcer),
    /** What has this version or a later one came while the page was open. */
    liveSince,
    close() {
      endLog();
      endRefusals();
    },
  };
}
