// The entry `@opstate/mcp/stdio`: threads of a log for one client, over stdin and stdout.

import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Actor, AnyDefinition, Log } from "@opstate/core";
import { fullLog, type LogAdapter } from "@opstate/core/log";
import { Sessions } from "../call/sessions.ts";
import { createMcpServer } from "../mcp-server.ts";
import { operationTools } from "../tools/operation-tools.ts";
import { ToolList } from "../tools/tool-list.ts";
import { logCaller } from "./log-caller.ts";

export interface McpStdioOptions {
  readonly definitions: readonly AnyDefinition[];
  /** Other processes may write to it, such as a server. It is the caller's to close. */
  readonly log: Log | LogAdapter;
  /** Whom all commits are by. The actor reads and writes; it undoes its own work only. */
  readonly actor: Actor;
  readonly name?: string;
  readonly version?: string;
  /** Default: those of the process. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

/**
 * Serves the threads of a log to the MCP client that started this program. Resolves when the client
 * has closed stdin. Nothing else may write to stdout. Throws an OpstateError
 * (`invalid_definition`) when a definition cannot be served.
 *
 * @example
 * ```ts
 * import { PassThrough } from "node:stream";
 * import { memoryLog } from "@opstate/core";
 * import { mcpStdio } from "@opstate/mcp/stdio";
 *
 * const stdin = new PassThrough();
 * const served = mcpStdio({
 *   definitions: [],
 *   log: memoryLog(),
 *   actor: { kind: "agent", id: "claude" },
 *   stdin,
 *   stdout: new PassThrough(),
 * });
 * stdin.end();
 * await served; // undefined
 * ```
 */
export async function mcpStdio(options: McpStdioOptions): Promise<void> {
  const { definitions, actor, name = "opstate", version = "0.1.0" } = options;
  const { stdin = process.stdin, stdout = process.stdout } = options;
  for (const definition of definitions) operationTools(definition);
  const caller = logCaller({ definitions, log: fullLog(options.log), actor });
  const parts = {
    callerOf: () => caller,
    sessions: new Sessions(),
    tools: new ToolList(),
    identity: { name, version },
    own: {},
    subscribes: false,
  };
  const ended = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
  });
  const handle = serveStdio(() => createMcpServer(parts), { transport: new StdioServerTransport(stdin, stdout) });
  await ended;
  await handle.close();
  await caller.close();
}
