// `opstate mcp`: the threads of a log for the MCP client that started the program.

import type { Readable, Writable } from "node:stream";
import { openThread, type Actor } from "@opstate/core";
import { mcpStdio } from "@opstate/mcp/stdio";
import { openLog, readAddress } from "./open-log.ts";
import { readDefinitions } from "./read-definitions.ts";
import { UsageError } from "./usage-error.ts";

interface McpValues {
  readonly definition?: string | undefined;
  readonly data?: string | undefined;
  readonly actor?: string | undefined;
  readonly thread?: string | undefined;
  readonly schema?: string | undefined;
}

/** Resolves to the exit code, when the client has closed stdin. */
export async function mcp(
  rest: readonly string[],
  { definition, data, actor: name, thread: threadId, schema }: McpValues,
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
): Promise<number> {
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is too much.`);
  if (definition === undefined) throw new UsageError('"mcp" needs --definition: a module that exports definitions.');
  if (data === undefined) throw new UsageError('"mcp" needs --data: a SQLite file or a Postgres address.');
  const actor = readActor(name);
  const definitions = await readDefinitions(definition);
  const { log, close } = await openLog(readAddress(data, schema), { create: threadId !== undefined });
  try {
    const [first] = definitions;
    if (threadId !== undefined && first !== undefined && (await log.info(threadId)) === undefined)
      await (await openThread({ definition: first, log, threadId })).close();
    await mcpStdio({ definitions, log, actor, stdin, stdout });
    return 0;
  } finally {
    await close();
  }
}

function readActor(name: string | undefined): Actor {
  const [, kind, id] = /^([\w-]+):(.+)$/.exec(name ?? "") ?? [];
  if (kind !== undefined && id !== undefined) return { kind, id };
  throw new UsageError('"mcp" needs --actor: whom its commits are by, such as agent:claude.');
}
