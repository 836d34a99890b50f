// A real server for the tests of hosts, and its threads over HTTP.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { remoteThread, type RemoteThread } from "@opstate/client/remote";
import { memoryLog, type AnyDefinition } from "@opstate/core";
import { createServer, type Server, type ServerOptions } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { onTestFinished } from "vitest";

/** A header of credentials, which are "kind id right,right". */
export const headersOf = (credentials: string) => ({ authorization: credentials });
export const ADA = headersOf("user ada read,write,approve,undo");
export const PLANNER = headersOf("agent planner read,write");

type Served = Partial<Omit<ServerOptions, "authorize" | "definitions">> & { readonly port?: number };

/** A server, closed when the test ends. Default: a log in memory, on a free port. */
export async function serve(
  definition: AnyDefinition,
  { port = 0, ...options }: Served = {},
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer({
    log: memoryLog(),
    ...options,
    definitions: [definition],
    authorize(request) {
      const [kind = "", id = "", rights = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return id === "" ? null : { actor: { kind, id }, allows: (_, right) => rights.split(",").includes(right) };
    },
  });
  onTestFinished(() => server.close());
  const { url } = await server.listen({ port });
  return { url, server };
}

/** A thread of a server, as an agent reaches it from its own process. */
export async function connect<D extends AnyDefinition>(
  definition: D,
  {
    url,
    threadId,
    headers = PLANNER,
  }: { readonly url: string; readonly threadId: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<RemoteThread<D>> {
  const thread = await remoteThread({ definition, url, threadId, headers });
  onTestFinished(() => thread.close());
  return thread;
}

/** A SQLite file of its own, which a second server can open after the first. */
export function sqliteFile(): () => ReturnType<typeof sqliteLog> {
  const folder = mkdtempSync(join(tmpdir(), "opstate-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return () => {
    const log = sqliteLog({ path: join(folder, "board.sqlite") });
    onTestFinished(() => log.close());
    return log;
  };
}
