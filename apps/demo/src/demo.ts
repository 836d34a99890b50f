// The demos as one server: both boards, the debate, the inspector and the start page, over files
// that stand beside each other.

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Connection, type DrainOptions, type Drained, type HttpServer, listen, streamRuns } from "@opstate/server";
import { chooseModel as chooseDebateModel } from "@opstate/debate";
import { type ChosenModel, chooseModel, compressed, createApp, createProviders } from "@opstate/kanban-server";
import { openCheckpoints, openDebate, openLog, openStreams, visitSecret } from "./files.ts";
import { createHost, fileAt, page, type Part } from "./host.ts";
import { messageOf, stop } from "./start-error.ts";

/** PORT, OPSTATE_DATA, OPSTATE_MODEL and the others that `main.ts` names. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Demo {
  readonly url: string;
  readonly model: ChosenModel;
  /** The path of the board's SQLite file. */
  readonly data: string;
  /** Ends streams, runs and requests, all of which are answered until the deadline. */
  drain(options?: DrainOptions): Promise<Drained>;
  /** Closes the files, once nothing writes to them any more. */
  closeData(): Promise<void>;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const built = (app: string): string => resolve(root, "apps", app, "dist");

/** Throws a `StartError` that says what to set right; then nothing is left open. */
export async function startDemo(environment: Environment): Promise<Demo> {
  /** What is closed when the start fails, last first. */
  const opened: { close(): unknown }[] = [];
  try {
    return await start(environment, opened);
  } catch (error) {
    for (const part of opened.toReversed()) await part.close();
    throw error;
  }
}

async function start(environment: Environment, opened: { close(): unknown }[]): Promise<Demo> {
  const data = resolve(root, environment["OPSTATE_DATA"] || ".data/opstate.sqlite");
  const debateData = resolve(root, environment["OPSTATE_DEBATE_DATA"] || join(dirname(data), "debate.sqlite"));
  const model = await chooseModel(environment).catch((error: unknown) => stop(messageOf(error)));
  const debateModel = await chooseDebateModel(environment).catch((error: unknown) => stop(messageOf(error)));
  const providers = readProviders(environment);
  const open = <T extends { close(): unknown }>(part: T): T => {
    opened.push(part);
    return part;
  };

  // The port before the data: a second demo must not touch what the first one has open.
  let host: Part | undefined;
  const starting = () => new Response("The demo is starting.", { status: 503, headers: { "retry-after": "1" } });
  const server = open(
    await bind(
      readPort(environment["PORT"]),
      async (request, connection) => host?.fetch(request, connection) ?? starting(),
    ),
  );
  const log = open(openLog(data));
  const streams = open(openStreams(dirname(data)));
  const checkpoints = open(openCheckpoints(dirname(data)));
  const debate = open(openDebate({ dataPath: debateData, model: debateModel, site: built("debate") }));
  const kanban = await createApp({
    log,
    model,
    site: built("demo"),
    visitSecret: visitSecret(dirname(data)),
    kept: { runs: streamRuns(streams), checkpoints },
    providers,
  });
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

  return {
    url: server.url,
    model,
    data,
    async drain(options) {
      // The requests of all parts, from now on; those of the board end with its streams and runs.
      const answered = server.drain(options);
      const board = await kanban.drain(options);
      // A debate that is cut goes on where it was when a page requests it.
      await debate.close();
      const { cut } = await answered;
      return { cut: board.cut + cut };
    },
    async closeData() {
      await streams.close();
      checkpoints.close();
      await log.close();
    },
  };
}

function readPort(text: string | undefined): number {
  const port = text ? Number(text) : 4310;
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : stop(`PORT="${text}" is not a port: give a whole number from 0 to 65535.`);
}

function readProviders(environment: Environment): ReturnType<typeof createProviders> {
  const { OPSTATE_PROVIDER: own, OPSTATE_OLLAMA: ollama } = environment;
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
