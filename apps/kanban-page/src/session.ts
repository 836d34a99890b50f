// Everything that one person's page holds: the board, its log, undo, proposals, the branch, the
// chat, notices and announcements. A new name gets a new session.

import { createAgentMode } from "./agent-mode.ts";
import { createAnnouncer } from "./announcer.ts";
import { createBranchStore } from "./branch-store.ts";
import { createChat } from "./chat/chat.ts";
import { createConnection } from "./connection/connection.ts";
import { createNotices } from "./notices/notices.ts";
import { openBoard } from "./open-board.ts";
import { createPageView } from "./layout/page-view.ts";
import { createProposals } from "./proposals/proposals.ts";
import { threadInAddress } from "./thread-id.ts";
import { createOwnEdits } from "./undo/own-edits.ts";
import { createTakeBack } from "./undo/take-back.ts";
import { createPast } from "./versions/past.ts";
import { createWhy } from "./why/why.ts";

export type Session = ReturnType<typeof createSession>;

export function createSession(user: string) {
  const threadId = threadInAddress();
  const headers = { "x-opstate-user": user };
  const connection = createConnection();
  const announcer = createAnnouncer();
  const notices = createNotices();
  const open = (id: string) => openBoard({ threadId: id, headers, connection, announcer, notices });
  const main = open(threadId);
  const { replica, thread, source, log } = main;
  const takeBack = createTakeBack({ user, log, announcer });
  const proposals = createProposals({ source, thread, replica, log, announcer });
  const branch = createBranchStore({ main, open, announcer });
  const agentMode = createAgentMode();
  const chat = createChat({
    url: "/ag-ui/kanban",
    headers,
    fetch: connection.fetch,
    // The two pages of one board may be framed side by side in one tab.
    storageKey: `opstate.chat.${user}.${threadId}${location.pathname}`,
    // On a branch the run works on the branch's thread, and the board's thread is not involved.
    async prepare() {
      const mode = agentMode.getState();
      return { threadId: mode === "branch" ? await branch.ensure() : threadId, askFirst: mode === "ask" };
    },
  });

  return {
    ...main,
    user,
    connection,
    announcer,
    notices,
    chat,
    agentMode,
    takeBack,
    proposals,
    branch,
    ownEdits: createOwnEdits(source, { user: { kind: "user", id: user }, takeBack, log, announcer }),
    past: createPast(
      { head: () => replica.sync.getState().version, stateAt: (version) => thread.stateAt(version) },
      announcer,
    ),
    why: createWhy(log),
    view: createPageView(),
    close() {
      chat.close();
      proposals.close();
      branch.close();
      main.close();
    },
  };
}
