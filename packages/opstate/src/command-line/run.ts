// The command line: its arguments, what it does, and the code that it ends with.
//
//   0  done, and nothing is wrong
//   1  `check` found damage or a difference, or what was read is damaged
//     or was compacted meanwhile
//   2  the command was not understood
//   3  a log, a file or a module cannot be used
//
// Invariant: what is requested goes to stdout, everything else to stderr.

import { createReadStream, createWriteStream } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { OpstateError } from "@opstate/core";
import { backUpSqlite } from "../log/back-up-sqlite.ts";
import { checkLog } from "../log/check-log.ts";
import { exportLog } from "../log/export-log.ts";
import { restoreLog } from "../log/restore-log.ts";
import { type Address, openLog, readAddress } from "./open-log.ts";
import { readDefinitions } from "./read-definitions.ts";
import { UsageError } from "./usage-error.ts";
import { count, createProgress, inWords } from "./progress.ts";

export interface CommandHost {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdin: Readable;
  /** Milliseconds. */
  now(): number;
}

const USAGE = `opstate log check   <log>            reads all of it and says what does not fit together
opstate log backup  <log> <file>     copies a SQLite log that servers write to, as it is at one moment
opstate log export  <log> [<file>]   writes it as lines of JSON, to stdout without a file
opstate log restore <log> [<file>]   reads such lines into an empty log, from stdin without a file
opstate mcp --definition <module> --data <log> --actor <kind>:<id>
                                     serves its threads to the MCP client that starts it, over stdin and stdout

<log> is the path of a SQLite file, or postgres://user:password@host/database
--schema <name>                      of a Postgres log; default "opstate"
--definitions <module>               of check: replays each thread by the definitions that this file exports
--thread <id>                        of mcp: a thread that is made when there is none, by the first definition
`;

/** Resolves to the exit code. */
export async function run(args: readonly string[], host: CommandHost): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    if (values.help || positionals.length === 0) {
      (values.help ? host.stdout : host.stderr).write(USAGE);
      return values.help ? 0 : 2;
    }
    if (positionals[0] === "mcp") {
      // The other commands need none of its code.
      const { mcp } = await import("./mcp.ts");
      return await mcp(positionals.slice(1), values, host);
    }
    const [group, command = "", log, file, ...rest] = positionals;
    if (group !== "log") throw new UsageError(`There is no command "${group}".`);
    const execute = COMMANDS[command];
    if (execute === undefined) throw new UsageError(`There is no command "log ${command}".`);
    if (log === undefined) throw new UsageError(`"log ${command}" needs a log.`);
    if (rest.length > 0) throw new UsageError(`"${rest[0]}" is too much.`);
    if (values.definitions !== undefined && execute !== check)
      throw new UsageError(`"log ${command}" takes no --definitions: "log check" does.`);
    return await execute({ address: readAddress(log, values.schema), file, host, definitions: values.definitions });
  } catch (error) {
    return fail(error, host);
  }
}

interface Call {
  readonly address: Address;
  readonly file: string | undefined;
  readonly host: CommandHost;
  /** The path of a module. */
  readonly definitions: string | undefined;
}

const COMMANDS: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  check,
  backup,
  export: exportTo,
  restore,
};

async function check({ address, file, host, definitions: module }: Call): Promise<number> {
  if (file !== undefined) throw new UsageError(`"log check" takes a log alone, not "${file}".`);
  const definitions = module === undefined ? [] : await readDefinitions(module);
  const { log, close } = await openLog(address, { create: false });
  try {
    const { findings, ...read } = await checkLog(log, { definitions, onProgress: progressTo(host) });
    for (const { threadId, kind, what } of findings) host.stdout.write(`${kind}: "${threadId}" ${what}\n`);
    const counts = (["damage", "difference"] as const).flatMap((wanted) => {
      const found = findings.filter(({ kind }) => kind === wanted).length;
      return found === 0 ? [] : [count(found, wanted)];
    });
    host.stderr.write(`${inWords(read)}: ${counts.length === 0 ? "nothing is wrong" : counts.join(", ")}\n`);
    return counts.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

async function backup({ address, file, host }: Call): Promise<number> {
  if (file === undefined) throw new UsageError('"log backup" needs the name of the copy.');
  if (address.kind === "postgres")
    throw new UsageError(
      'A Postgres log is backed up by Postgres: pg_dump --schema opstate, or its own continuous archiving. "log export" works on it, too.',
    );
  host.stderr.write(`copying ${address.path}\n`);
  const bytes = backUpSqlite(address.path, file);
  host.stderr.write(`${file}: ${count(bytes, "byte")}\n`);
  return 0;
}

async function exportTo({ address, file, host }: Call): Promise<number> {
  const { log, close } = await openLog(address, { create: false });
  try {
    let last = { threads: 0, commits: 0 };
    const report = progressTo(host);
    const lines = exportLog(log, {
      onProgress(progress) {
        last = progress;
        report(progress);
      },
    });
    if (file === undefined) await writeAll(lines, host.stdout);
    else {
      // Not over a file that is there: it may be the only copy.
      const stream = createWriteStream(file, { flags: "wx" });
      await writeAll(lines, stream);
      stream.end();
      await finished(stream);
    }
    host.stderr.write(`exported ${inWords(last)}\n`);
    return 0;
  } finally {
    await close();
  }
}

async function restore({ address, file, host }: Call): Promise<number> {
  const pieces = file === undefined ? host.stdin : createReadStream(file);
  pieces.setEncoding("utf8");
  if (file !== undefined) await once(pieces, "open");
  const { log, close } = await openLog(address, { create: true });
  try {
    // With an encoding, a stream gives texts.
    const restored = await restoreLog(log, pieces as AsyncIterable<string>, { onProgress: progressTo(host) });
    host.stderr.write(`restored ${inWords(restored)}\n`);
    return 0;
  } finally {
    await close();
  }
}

async function writeAll(lines: AsyncIterable<string>, stream: NodeJS.WritableStream): Promise<void> {
  for await (const line of lines) if (!stream.write(line)) await once(stream, "drain");
}

function progressTo({ stderr, now }: CommandHost) {
  return createProgress((text) => stderr.write(text), now);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        schema: { type: "string" },
        definitions: { type: "string" },
        definition: { type: "string" },
        data: { type: "string" },
        actor: { type: "string" },
        thread: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function fail(error: unknown, { stderr }: CommandHost): number {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) {
    stderr.write(`${message}\n\n${USAGE}`);
    return 2;
  }
  stderr.write(`${message}\n`);
  const isDamage = error instanceof OpstateError && (error.code === "corrupt_log" || error.code === "compacted");
  return isDamage ? 1 : 3;
}
