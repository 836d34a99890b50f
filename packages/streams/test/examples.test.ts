// Runs the examples of the README and of the sources: on free ports, in a temporary folder, with
// sessions as an application has them.

import { mkdtempSync, rmSync } from "node:fs";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, vi } from "vitest";
import { testExamples } from "../../../tools/examples.ts";
import { memoryStreams } from "../src/index.ts";
import { startPostgres } from "../../server/test/support/postgres.ts";

const postgres = startPostgres();
const folder = mkdtempSync(join(tmpdir(), "opstate-examples-"));
const cwd = process.cwd();
const listening = new Set<Server>();
const { listen } = Server.prototype;

beforeAll(() => {
  process.chdir(folder);
  vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...given: unknown[]) {
    listening.add(this);
    const [where, ...more] = given;
    const hasPort = typeof where === "object" && where !== null && "port" in where;
    return Reflect.apply(listen, this, [
      hasPort ? { ...where, port: 0 } : typeof where === "number" ? 0 : where,
      ...more,
    ]);
  });
  vi.stubGlobal("sessionOf", async () => ({ id: "ada" }));
  if (postgres) {
    const { host = "", user = "", database = "", connectionString } = postgres.config;
    vi.stubEnv(
      "DATABASE_URL",
      connectionString ?? `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`,
    );
  } else vi.doMock("@opstate/streams/postgres", () => ({ postgresStreams: () => memoryStreams() }));
});

afterAll(async () => {
  for (const server of listening) server.close();
  process.chdir(cwd);
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

testExamples(fileURLToPath(new URL("..", import.meta.url)));
