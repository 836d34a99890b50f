// The small board on a real server, for the tests of hosts.

import type { RemoteThread } from "@opstate/client/remote";
import type { Log } from "@opstate/core";
import { board } from "./board.ts";
import { connect, serve } from "./server.ts";

/** A server with a thread "b". Default: a log in memory. */
export async function serveBoard(log?: Log) {
  const { url, server } = await serve(board, log === undefined ? {} : { log });
  return { url, server, thread: await server.thread("b", board) };
}

/** The thread, as the agent reaches it from its own process. Default: with its credentials. */
export function connectBoard(
  url: string,
  headers?: Readonly<Record<string, string>>,
): Promise<RemoteThread<typeof board>> {
  return connect(board, { url, threadId: "b", ...(headers !== undefined && { headers }) });
}
