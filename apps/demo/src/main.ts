// Starts the demos: `node apps/demo/src/main.ts`. PORT, OPSTATE_DATA, OPSTATE_DEBATE_DATA,
// OPSTATE_MODEL, OPSTATE_OFFLINE_DELAY, OPSTATE_PROVIDER and OPSTATE_OLLAMA change it.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Connection, drainOnSignals, type HttpServer, listen, streamRuns } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { chooseModel as chooseDebateModel, createDebateApp, type DebateApp } from "@opstate/debate";
import { createHost, fileAt, page, type Part } from "./host.ts";
import { introduction } from "./introduction.ts";
import { CheckpointFile, chooseModel, compressed, createApp, createProviders } from "@opstate/kanban-server";
import { sqliteStreams } from "@opstate/streams/sqlite";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const data = resolve(root, process.env["OPSTATE_DATA"] || ".data/opstate.sqlite");
const debateData = resolve(root, process.env["OPSTATE_DEBATE_DATA"] || join(dirname(data), "debate.sqlite"));
const built = (app: string): string => resolve(root, "apps", app, "dist");

/** What a person can set right: said in a sentence, without a stack. */
class StartError extends Error {}

function stop(message: string): never {
  throw new StartError(message);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readPort(text: string | undefined): number {
  const port = text ? Number(text) : 4310;
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : stop(`PORT="${text}" is not a port: give a whole number from 0 to 65535.`);
}

function openLog() {
  try {
    mkdirSync(dirname(data), { recursive: true });
    return sqliteLog({ path: data });
  } catch (error) {
    return stop(`The data file ${data} cannot be opened: ${messageOf(error)}`);
  }
}

/** Kept beside the data, so that a visitor's board is theirs after a restart. */
function visitSecret(): Uint8Array {
  const file = join(dirname(data), "visits.secret");
  try {
    writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      return stop(`The file ${file} cannot be written: ${messageOf(error)}`);
  }
  return readFileSync(file);
}

/** What a run needs that outlives the process, beside the board's data. */
function openKept() {
  const files = dirname(data);
  try {
    const streams = sqliteStreams({ path: join(files, "runs.sqlite") });
    opened.push(streams);
    const checkpoints = new CheckpointFile(join(files, "checkpoints.sqlite"));
    opened.push(checkpoints);
    return { streams, checkpoints, runs: streamRuns(streams) };
  } catch (error) {
    return stop(`The files of runs in ${files} cannot be opened: ${messageOf(error)}`);
  }
}

function openDebate(model: Awaited<ReturnType<typeof chooseDebateModel>>): DebateApp {
  try {
    return createDebateApp({ dataPath: debateData, model, site: built("debate") });
  } catch (error) {
    return stop(`The data file ${debateData} cannot be opened: ${messageOf(error)}`);
  }
}

function readProviders(): ReturnType<typeof createProviders> {
  const { OPSTATE_PROVIDER: own, OPSTATE_OLLAMA: ollama } = process.env;
  try {
    return createProviders({ own: own || undefined, ollama: ollama || undefined });
  } catch {
    return stop("OPSTATE_PROVIDER and OPSTATE_OLLAMA are addresses, such as http://localhost:8000/v1.");
  }
}

function bind(
  port: number,
  fetch: (request: Request, connection: Connection) => Promise<Response>,
): Promise<HttpServer> {
  return listen(fetch, { port }).catch((error: unknown) =>
    stop(
      error instanceof Error && "code" in error && error.code === "EADDRINUSE"
        ? `Port ${port} is taken by another program. Stop it, or take another port: PORT=${port === 65_535 ? port - 1 : port + 1} npx -y pnpm@12.21.0 demo`
        : `The demo cannot listen on port ${port}: ${messageOf(error)}`,
    ),
  );
}

async function closeData(log: { close(): Promise<void> }, kept: ReturnType<typeof openKept>): Promise<void> {
  await kept.streams.close();
  kept.checkpoints.close();
  await log.close();
}

/** What is closed when the start fails, last first. */
const opened: { close(): unknown }[] = [];

async function start(): Promise<void> {
  const model = await chooseModel(process.env).catch((error: unknown) => stop(messageOf(error)));
  const debateModel = await chooseDebateModel(process.env).catch((error: unknown) => stop(messageOf(error)));
  const providers = readProviders();
  // The port before the data: a second demo must not touch what the first one has open.
  let host: Part | undefined;
  const starting = () => new Response("The demo is starting.", { status: 503, headers: { "retry-after": "1" } });
  const server = await bind(
    readPort(process.env["PORT"]),
    async (request, connection) => host?.fetch(request, connection) ?? starting(),
  );
  opened.push(server);
  const log = openLog();
  opened.push(log);
  const kept = openKept();
  const debate = openDebate(debateModel);
  opened.push(debate);
  const kanban = await createApp({ log, model, site: built("demo"), visitSecret: visitSecret(), kept, providers });
  // The demo's own page frames both boards.
  const ofBoard = { "frame-ancestors": "'self'", "connect-src": ["'self'", ...providers.origins].join(" ") };
  host = createHost({
    kanban,
    notFound: fileAt(built("demo"), "404.html"),
    parts: {
      react: page(built("kanban-react"), ofBoard),
      svelte: page(built("kanban-svelte"), ofBoard),
      both: page(join(built("demo"), "both"), { "frame-src": "'self'" }),
      debate: { fetch: compressed((request) => debate.fetch(request)) },
      agent: page(built("ag-ui-inspector"), { "connect-src": "'self' http: https:" }),
    },
  });
  console.log(introduction(server.url, model, data));

  drainOnSignals(
    {
      async drain(options) {
        // The requests of all parts, from now on; those of the board end with its streams and runs.
        const answered = server.drain(options);
        const board = await kanban.drain(options);
        // A debate that is cut goes on where it was when a page requests it.
        await debate.close();
        const { cut } = await answered;
        return { cut: board.cut + cut };
      },
    },
    { deadline: 5_000, onDrained: () => closeData(log, kept) },
  );
}

try {
  await start();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  // Not `process.exit`, where Node 24 can wait without end for a thread that compiles.
  process.exitCode = 1;
  for (const part of opened.toReversed()) await part.close();
}
