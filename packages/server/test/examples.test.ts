// Runs the examples of the README and of the sources: on a free port, in a temporary folder, and
// with a board, a log and sessions as an application has them. Requests of a page to its own origin
// go to the server that listened last.

import { mkdtempSync, rmSync } from "node:fs";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineState, memoryLog } from "@opstate/core";
import { afterAll, beforeAll, vi } from "vitest";
import { z } from "zod";
import { testExamples } from "../../../tools/examples.ts";
import { type Authorize, createServer } from "../src/index.ts";
import { startPostgres } from "./support/postgres.ts";

const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.object({ cardId: z.string(), title: z.string() })) }),
  initial: { cards: [] },
  operations: {
    addCard: {
      description: "Add a card",
      input: z.object({ title: z.string() }),
      apply(draft, { title }, { id }) {
        draft.cards.push({ cardId: id("T-"), title });
      },
    },
  },
});

const postgres = startPostgres();
const folder = mkdtempSync(join(tmpdir(), "opstate-examples-"));
const cwd = process.cwd();
const listening = new Set<Server>();
const { listen } = Server.prototype;
const fetchAny = globalThis.fetch;
let origin = "";

/** The page's own server, with the thread of the examples. */
async function fetchHere(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  if (typeof input !== "string" || !input.startsWith("/")) return fetchAny(input, init);
  const headers = { "content-type": "application/json" };
  await fetchAny(`${origin}/threads/launch`, { method: "PUT", headers, body: JSON.stringify({ definition: "board" }) });
  return fetchAny(origin + input, init);
}

beforeAll(async () => {
  process.chdir(folder);
  vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...given: unknown[]) {
    listening.add(this);
    this.once("listening", () => {
      const address = this.address();
      if (typeof address === "object") origin = `http://127.0.0.1:${address?.port}`;
    });
    const [where, ...more] = given;
    const hasPort = typeof where === "object" && where !== null && "port" in where;
    return Reflect.apply(listen, this, [
      hasPort ? { ...where, port: 0 } : typeof where === "number" ? 0 : where,
      ...more,
    ]);
  });
  const authorize: Authorize = () => ({ actor: { kind: "user", id: "ada" }, allows: () => true });
  const globals = {
    board,
    authorize,
    log: memoryLog(),
    sessionOf: async () => ({ id: "ada", mayUse: () => true }),
    confirm: () => true,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    fetch: fetchHere,
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  if (postgres) {
    const { host = "", user = "", database = "", connectionString } = postgres.config;
    vi.stubEnv(
      "DATABASE_URL",
      connectionString ?? `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`,
    );
  } else vi.doMock("@opstate/server/postgres", () => ({ postgresLog: () => memoryLog() }));
  await createServer({ definitions: [board], log: memoryLog(), insecure: true }).listen();
});

afterAll(async () => {
  for (const server of listening) {
    server.close();
    if ("closeAllConnections" in server && typeof server.closeAllConnections === "function")
      server.closeAllConnections();
  }
  process.chdir(cwd);
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

testExamples(fileURLToPath(new URL("..", import.meta.url)));
