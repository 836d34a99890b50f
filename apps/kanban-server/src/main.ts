// Starts the demo: `node apps/kanban-server/src/main.ts`. PORT, OPSTATE_DATA, OPSTATE_MODEL and OPSTATE_OFFLINE_DELAY change it.

import { mkdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Connection, type HttpServer, listen } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { webhookToken } from "./access.ts";
import { type App, createApp, demoThread } from "./app.ts";
import { chooseModel, type ChosenModel } from "./model.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const site = resolve(root, "apps/kanban-react/dist");
const data = resolve(root, process.env["OPSTATE_DATA"] || ".data/opstate.sqlite");

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : fromHere;
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

function bind(port: number, fetch: (request: Request, connection: Connection) => Promise<Response>): Promise<HttpServer> {
  return listen(fetch, { port }).catch((error: unknown) =>
    stop(
      error instanceof Error && "code" in error && error.code === "EADDRINUSE"
        ? `Port ${port} is taken by another program. Stop it, or take another port: PORT=${port === 65_535 ? port - 1 : port + 1} npx -y pnpm@12.21.0 demo`
        : `The demo cannot listen on port ${port}: ${messageOf(error)}`,
    ),
  );
}

function introduce(url: string, { name, offline }: ChosenModel): void {
  console.log(`
opstate demo: a board that you and an agent edit at the same time.

  Open   ${url}
  Model  ${offline ? "offline (rules, no network). For a language model: OPSTATE_MODEL=openai:gpt-4.1-mini, anthropic:... or ollama:..." : name}
  Data   ${shortPath(data)}

Try in the chat:
  move T-42 to In Progress
  remove T-15 and move T-15 to Done
  move T-1 to In Progress, then T-2 to Review, then summarise
  build a board for launching a website

Add a card from another terminal, and watch the page:
  curl -X POST ${url}/threads/${demoThread}/operations -H 'content-type: application/json' -H 'authorization: Bearer ${webhookToken}' \\
    -d '{"type":"addCard","columnId":"backlog","title":"Sent by a webhook","priority":1}'

Ctrl-C stops it.
`);
}

const model = await chooseModel(process.env).catch((error: unknown) => stop(messageOf(error)));
// The port before the data: a second demo must not touch what the first one has open.
let app: App | undefined;
const starting = () => new Response("The demo is starting.", { status: 503, headers: { "retry-after": "1" } });
const listening = await bind(readPort(process.env["PORT"]), async (request, connection) => app?.fetch(request, connection) ?? starting());
const log = openLog();
app = await createApp({ log, model, site });
introduce(listening.url, model);

let isStopping = false;
async function shutDown(): Promise<void> {
  // A second Ctrl-C does not wait.
  if (isStopping) process.exit(130);
  isStopping = true;
  const closed = listening.close();
  await app?.close();
  await closed;
  await log.close();
  process.exit(0);
}
process.on("SIGINT", () => void shutDown());
process.on("SIGTERM", () => void shutDown());
