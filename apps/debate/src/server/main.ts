// Starts the debate alone: `node apps/debate/src/server/main.ts`. PORT, OPSTATE_DEBATE_DATA,
// OPSTATE_MODEL and OPSTATE_OFFLINE_DELAY change it.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type HttpServer, listen } from "@opstate/server";
import { createDebateApp, type DebateApp } from "./app.ts";
import { chooseModel, type ChosenModel } from "./model.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const dataPath = resolve(root, process.env["OPSTATE_DEBATE_DATA"] || ".data/debate.sqlite");
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a person can set right: said in a sentence, without a stack. */
class StartError extends Error {}

function stop(message: string): never {
  throw new StartError(message);
}

function readPort(text: string | undefined): number {
  const port = text ? Number(text) : 4320;
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : stop(`PORT="${text}" is not a port: give a whole number from 0 to 65535.`);
}

function open(model: ChosenModel): DebateApp {
  try {
    return createDebateApp({ dataPath, model, site: resolve(root, "apps/debate/dist") });
  } catch (error) {
    return stop(`The data file ${dataPath} cannot be opened: ${messageOf(error)}`);
  }
}

let app: DebateApp | undefined;
let listening: HttpServer | undefined;

async function start(): Promise<void> {
  const model = await chooseModel(process.env).catch((error: unknown) => stop(messageOf(error)));
  // The port before the data: a second server must not touch what the first one has open.
  const starting = () => new Response("The debate is starting.", { status: 503, headers: { "retry-after": "1" } });
  listening = await listen(async (request) => app?.fetch(request) ?? starting(), {
    port: readPort(process.env["PORT"]),
  }).catch((error: unknown) => stop(messageOf(error)));
  app = open(model);
  console.log(`opstate debate: ${listening.url}
Model: ${model.offline ? "offline (rules, no network). For a language model: OPSTATE_MODEL=openai:gpt-4.1-mini, anthropic:... or ollama:..." : model.name}
Ctrl-C stops it.`);
}

let isStopping = false;
async function shutDown(): Promise<void> {
  // A second Ctrl-C does not wait.
  if (isStopping) process.exit(130);
  isStopping = true;
  await app?.close();
  await listening?.close();
  process.exit(0);
}
process.on("SIGINT", () => void shutDown());
process.on("SIGTERM", () => void shutDown());

try {
  await start();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  // Not `process.exit`, where Node 24 can wait without end for a thread that compiles.
  process.exitCode = 1;
  await listening?.close();
}
