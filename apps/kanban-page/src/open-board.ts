// One open thread: the board or a branch of it, with its replica, its client, its log and its
// edits.

import { createReplica } from "@opstate/core";
import { board } from "@opstate/kanban-domain";
import { httpTransport, threadClient } from "@opstate/server/client";
import type { Announcer } from "./announcer.ts";
import { type Connection, switchable } from "./connection/connection.ts";
import { createEdits } from "./edits.ts";
import type { Notices } from "./notices/notices.ts";
import { createLog } from "./timeline/log.ts";

export interface OpenBoardOptions {
  readonly threadId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: Connection;
  readonly notices: Notices;
  readonly announcer: Announcer;
}

export type OpenBoard = ReturnType<typeof openBoard>;

export function openBoard({ threadId, headers, connection, notices, announcer }: OpenBoardOptions) {
  const url = location.origin;
  const replica = createReplica({
    definition: board,
    transport: switchable(httpTransport({ url, threadId, headers }), connection),
  });
  const thread = threadClient<typeof board>({ url, threadId, headers, fetch: connection.fetch });
  const source = { ...replica, ...thread };
  const log = createLog(source);
  return {
    threadId,
    replica,
    thread,
    source,
    log,
    edits: createEdits(replica, notices, announcer),
    close() {
      log.close();
      replica.close();
    },
  };
}
