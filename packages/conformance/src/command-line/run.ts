// The command line: its arguments, a line for each scenario, and the code that it ends with.
//
//   0  the server does what every scenario wants
//   1  it does something else
//   2  the command was not understood

import type { Writable } from "node:stream";
import { parseArgs } from "node:util";
import type { IdentityName } from "../identities.ts";
import { type ConformanceOptions, runConformance } from "../run-conformance.ts";

const NAMES: readonly IdentityName[] = ["ada", "bob", "rita", "bot"];

const USAGE = `npx @opstate/conformance --url <address> [options]

--url <address>                      of the server's routes, such as http://localhost:4310
--as <name>="<header>: <value>"      the credentials of ${NAMES.join(", ")}; repeat it for each.
                                     Default: authorization: Bearer conformance-<name>
--only <text>                        the scenarios with this text in "group: name"
--timeout <milliseconds>             for one answer; default 30000
`;

class UsageError extends Error {}

/** Resolves to the exit code. */
export async function run(
  args: readonly string[],
  { stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable },
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === undefined) {
      stdout.write(USAGE);
      return 0;
    }
    const results = await runConformance({
      ...options,
      onResult: ({ group, name, fault }) =>
        stdout.write(
          fault === undefined ? `ok      ${group}: ${name}\n` : `WRONG   ${group}: ${name}\n        ${fault}\n`,
        ),
    });
    const wrong = results.filter(({ fault }) => fault !== undefined).length;
    if (results.length === 0) throw new UsageError(`No scenario has "${options.only}" in its group or name.`);
    stdout.write(`${results.length} scenarios, ${wrong} wrong\n`);
    return wrong === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

function readOptions(args: readonly string[]): ConformanceOptions | undefined {
  const { url, as = [], only, timeout, help } = parse(args);
  if (help === true) return undefined;
  if (url === undefined || !URL.canParse(url)) throw new UsageError("--url needs the address of a server.");
  const milliseconds = timeout === undefined ? undefined : Number(timeout);
  if (milliseconds !== undefined && !(milliseconds > 0))
    throw new UsageError(`--timeout needs a number of milliseconds above 0, not "${timeout}".`);
  return {
    url,
    headers: Object.fromEntries(as.map(readHeader)),
    ...(only !== undefined && { only }),
    ...(milliseconds !== undefined && { timeout: milliseconds }),
  };
}

function readHeader(text: string): readonly [string, Readonly<Record<string, string>>] {
  const [, name = "", header = "", value = ""] = /^(\w+)=([\w-]+): ?(.+)$/.exec(text) ?? [];
  if (NAMES.some((known) => known === name)) return [name, { [header]: value }];
  throw new UsageError(`--as needs <name>="<header>: <value>" with one of ${NAMES.join(", ")}, not "${text}".`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: "string" },
        as: { type: "string", multiple: true },
        only: { type: "string" },
        timeout: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
