// A real server, and threads of it over HTTP.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { remoteThread, type RemoteThread } from "@opstate/client/remote";
import { memoryLog, type Log } from "@opstate/core";
import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { onTestFinished } from "vitest";
import { board } from "./board.ts";

export const ADA = { authorization: "user ada read,write,approve,undo" };
const PLANNER = { authorization: "agent planner read,write" };

/** A server on a log. Credentials are "kind id right,right". */
export async function serve(log: Log = memoryLog(), port = 0) {
  const server = createServer({
    definitions: [board],
    log,
    authorize(request) {
      const [kind = "", id = "", rights = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return id === "" ? null : { actor: { kind, id }, allows: (_, right) => rights.split(",").includes(right) };
    },
  });
  onTestFinished(() => server.close());
  const { url } = await server.listen({ port });
  const thread = await server.thread("b", board);
  return { url, server, thread };
}

/** A thread of the server, as the agent reaches it from its own process. */
export async function connect(url: string, headers = PLANNER): Promise<RemoteThread<typeof board>> {
  const thread = await remoteThread({ definition: board, url, threadId: "b", headers });
  onTestFinished(() => thread.close());
  return thread;
}

/** A SQLite file of its own, which a second server can open after the first. */
export function file(): () => ReturnType<typeof sqliteLog> {
  const folder = mkdtempSync(join(tmpdir(), "opstate-openai-agents-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return () => {
    const log = sqliteLog({ path: join(folder, "board.sqlite") });
    onTestFinished(() => log.close());
    return log;
  };
}
