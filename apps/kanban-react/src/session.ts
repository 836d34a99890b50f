// Everything one person's page holds: the replica, the feed, the conversation, and what is said and shown about edits. Made once for a name, closed when it changes.

import { createReplica, type HistoryEntry, type Snapshot } from "@opstate/core";
import { type Board, board } from "@opstate/kanban-domain";
import { httpTransport } from "@opstate/server/client";
import { createAnnouncer } from "./announcer.ts";
import { createChat } from "./chat/chat.ts";
import { createEdits } from "./edits.ts";
import { createFeed } from "./feed/feed.ts";
import { createNotices } from "./notices.ts";

const thread = "/threads/demo";

export type Session = ReturnType<typeof createSession>;

export function createSession(user: string) {
  const headers = { "x-opstate-user": user };
  const replica = createReplica({ definition: board, transport: httpTransport({ url: location.origin, threadId: "demo", headers }) });
  const announcer = createAnnouncer();
  const notices = createNotices();
  const feed = createFeed(replica, {
    snapshot: () => read<Snapshot<Board | null>>(thread),
    history: (after) => read<readonly HistoryEntry[]>(`${thread}/history?rejections=true&after=${after}`),
  });
  const chat = createChat({ url: "/ag-ui/kanban", threadId: "demo", headers, storageKey: `opstate.chat.${user}` });

  async function read<Body>(path: string): Promise<Body> {
    const response = await fetch(path, { headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  }

  return {
    user,
    replica,
    announcer,
    notices,
    feed,
    chat,
    edits: createEdits(replica, notices, announcer),
    close() {
      chat.close();
      feed.close();
      replica.close();
    },
  };
}
