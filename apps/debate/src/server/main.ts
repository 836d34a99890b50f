// Starts the debate alone: `node apps/debate/src/server/main.ts`. PORT, OPSTATE_DEBATE_DATA,
// OPSTATE_MODEL and OPSTATE_OFFLINE_DELAY change it.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { listen } from "@opstate/server";
import { createDebateApp, type DebateApp } from "./app.ts";
import { chooseModel } from "./model.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const dataPath = resolve(root, process.env["OPSTATE_DEBATE_DATA"] || ".data/debate.sqlite");
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

function readPort(text: string | undefined): number {
  const port = text ? Number(text) : 4320;
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : stop(`PORT="${text}" is not a port: give a whole number from 0 to 65535.`);
}

function open(): DebateApp {
  try {
    return createDebateApp({ dataPath, model, site: resolve(root, "apps/debate/dist") });
  } catch (error) {
    return stop(`The data file ${dataPath} cannot be opened: ${messageOf(error)}`);
  }
}

const model = await chooseModel(process.env).catch((error: unknown) => stop(messageOf(error)));
// The port before the data: a second server must not touch what the first one has open.
let app: DebateApp | undefined;
const starting = () => new Response("The debate is starting.", { status: 503, headers: { "retry-after": "1" } });
const listening = await listen(async (request) => app?.fetch(request) ?? starting(), {
  port: readPort(process.env["PORT"]),
}).catch((error: unknown) => stop(messageOf(error)));
app = open();
console.log(`opstate debate: ${listening.url}
Model: ${model.offline ? "offline (rules, no network). For a language model: OPSTATE_MODEL=openai:gpt-4.1-mini, anthropic:... or ollama:..." : model.name}
Ctrl-C stops it.`);

let isStopping = false;
async function shutDown(): Promise<void> {
  // A second Ctrl-C does not wait.
  if (isStopping) process.exit(130);
  isStopping = true;
  await app?.close();
  await listening.close();
  process.exit(0);
}
process.on("SIGINT", () => void shutDown());
process.on("SIGTERM", () => void shutDown());
