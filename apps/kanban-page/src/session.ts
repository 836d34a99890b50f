// Everything that one person's page holds: the client and its thread, and beside them what is of
// the page alone. A new name gets a new session.

import { createClient, indexedDbStorage } from "@opstate/client";
import { board } from "@opstate/kanban-domain";
import { createAgentMode } from "./agent-mode.ts";
import { createAnnouncer } from "./announcer.ts";
import { createBranchDesk } from "./branch-desk.ts";
import { lateConversation } from "./chat/late-conversation.ts";
import { createConnection, switchClient } from "./connection/connection.ts";
import { attachLate, latePart, loadAfterBoard } from "./late-part.ts";
import { createPageView } from "./layout/page-view.ts";
import { createNotices } from "./notices/notices.ts";
import { type BoardThread, openBoard } from "./open-board.ts";
import { createOwnModel } from "./own-model/own-model.ts";
import { threadInAddress } from "./thread-id.ts";
import { createTakeBack } from "./undo/take-back.ts";
import { createPast } from "./versions/past.ts";
import { createWhy } from "./why/why.ts";
import { headersFor } from "./visit.ts";

export type Session = ReturnType<typeof createSession>;

export interface SessionOptions {
  /** Default: the one in the address. */
  readonly threadId?: string;
  /** Whether the agent waits for a person's change after its first one. Default: it does not. */
  readonly waitForHand?: () => boolean;
}

export function createSession(
  user: string,
  { threadId = threadInAddress(), waitForHand = () => false }: SessionOptions = {},
) {
  // The two pages of one board may be framed side by side in one tab.
  const page = `${threadId}${location.pathname}`;
  const headers = headersFor(threadId, user);
  const connection = createConnection(`opstate.cut.${page}`);
  const announcer = createAnnouncer();
  const notices = createNotices();
  const client = createClient({
    url: location.origin,
    headers,
    fetch: connection.fetch,
    identity: { kind: "user", id: user },
    storage: indexedDbStorage(),
    // That `fetch` adds nothing to a request that other tabs would not send.
    tabs: true,
  });
  const stopSwitching = switchClient(connection, client);
  const open = (thread: BoardThread) => openBoard(thread, { notices, announcer });
  const main = open(client.thread(board, threadId));
  const { thread } = main;
  thread.presence.show({});
  const agentMode = createAgentMode();
  const ownModel = createOwnModel(connection);
  const branch = createBranchDesk({ thread, open, announcer });
  const chat = lateConversation({
    url: "/ag-ui/kanban",
    headers,
    fetch: connection.fetch,
    storageKey: `opstate.chat.${user}.${page}`,
    own: () => {
      const { chosen: model } = ownModel.getState();
      if (model === undefined) return undefined;
      return async (input, how) => {
        const { ownRun } = await import("./own-model/own-run.ts");
        return ownRun(input, { ...how, model, boardId: threadId, fetch: connection.fetch });
      };
    },
    // On a branch the run works on the branch's thread, and the board's thread is not involved.
    async prepare() {
      const mode = agentMode.getState();
      return {
        threadId: mode === "branch" ? await branch.ensure() : threadId,
        askFirst: mode === "ask",
        waitForHand: waitForHand(),
      };
    },
  });
  const agentFollower = latePart(async () => (await import("./chat/follow-agent.ts")).followAgent);
  const stopFollowing = attachLate(agentFollower, (follow) => follow(thread, chat));
  const lateGestures = latePart(async () => (await import("./board/late-gestures.ts")).attachLateGestures);
  loadAfterBoard(thread, [{ load: chat.warmUp }, agentFollower, lateGestures]);

  return {
    ...main,
    user,
    client,
    connection,
    announcer,
    notices,
    chat,
    agentMode,
    ownModel,
    branch,
    lateGestures,
    takeBack: createTakeBack({ user, thread, announcer }),
    past: createPast(thread, announcer),
    why: createWhy(thread),
    view: createPageView(),
    close() {
      chat.abort();
      stopFollowing();
      branch.close();
      main.close();
      stopSwitching();
      client.close();
    },
  };
}
