// "Run it in production": the server as printed, in a process of its own on a real Postgres,
// through its whole life; the commands as printed, in a shell.
// The image and the compose file are read, not
// built: there is no engine here.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openThread, type AnyDefinition } from "@opstate/core";
import { sqliteLog } from "@opstate/server/sqlite";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startPostgres } from "../../../packages/server/test/support/postgres.ts";
import { guideFiles, writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";

const root = join(import.meta.dirname, "../../..");
const folder = writeGuide("run-in-production");
const files = guideFiles("run-in-production");
const page = readFileSync(join(root, "docs/run-in-production.md"), "utf8");
const { board }: { board: AnyDefinition } = await import(join(folder, "board.ts"));

const postgres = startPostgres();
const names = [1, 2].map((number) => `opstate_production_${process.pid}_${number}`);
const admin = new Pool(postgres?.config);

function addressOf(database: string): string {
  const { connectionString, host = "", user = "" } = postgres?.config ?? {};
  const url = new URL(connectionString ?? `postgresql://${user}@localhost/?host=${encodeURIComponent(host)}`);
  url.pathname = database;
  return url.href;
}

const [DATABASE_URL = "", OTHER_DATABASE_URL = ""] = names.map(addressOf);

beforeAll(async () => {
  if (postgres) for (const name of names) await admin.query(`CREATE DATABASE ${name}`);
});
afterAll(async () => {
  if (postgres) for (const name of names) await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
  await postgres?.stop();
});

/** The commands of a block of the page, as a reader types them. */
function shell(containing: string): string {
  const block = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);
  const commands = block.find((text) => text.includes(containing)) ?? "";
  const program = `"${process.execPath}" --conditions=@opstate/source "${join(root, "packages/opstate/src/main.ts")}"`;
  return execFileSync("sh", ["-ec", `exec 2>&1\n${commands.replaceAll("npx opstate", program)}`], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL, OTHER_DATABASE_URL },
    encoding: "utf8",
  });
}

describe.skipIf(!postgres)("the server", () => {
  const headers = { authorization: "Bearer token-of-ada", "content-type": "application/json" };
  let program: Program;
  let url = "";
  beforeAll(async () => {
    program = startProgram(folder, "server.ts", { DATABASE_URL, PORT: "0", NOTICE_MS: "500" });
    [, url = ""] = await program.printed(/Listening on (\S+)/);
  });
  afterAll(() => program.stop());

  it("lives, is ready, and lets in those that it knows", async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/threads`)).status).toBe(401);
    const made = await fetch(`${url}/threads/launch`, { method: "PUT", headers, body: '{"definition":"board"}' });
    expect(made.status).toBe(201);
  });

  it("writes lines of a log, with the request's id and nothing of its content", async () => {
    const body = JSON.stringify({ type: "addCard", title: "a private title" });
    const request = { method: "POST", headers: { ...headers, "x-request-id": "from-the-proxy" }, body };
    const answer = await fetch(`${url}/threads/launch/operations`, request);
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([200, "from-the-proxy"]);
    const [line = ""] = await program.printed(/^\{.*"requestId":"from-the-proxy".*\}$/m);
    expect(JSON.parse(line)).toMatchObject({ level: "info", route: "/threads/:id/operations", status: 200 });
    expect(program.output()).not.toContain("a private title");
  });

  it("shuts down at SIGTERM: what is in flight is answered, and it ends with 0", async () => {
    const sent = Array.from({ length: 20 }, (_, index) =>
      fetch(`${url}/threads/launch/operations`, {
        method: "POST",
        headers,
        body: JSON.stringify({ type: "addCard", title: `In flight ${index}` }),
      }).then(({ status }) => status),
    );
    await sent[0];
    program.stop().catch(() => undefined);
    expect(new Set(await Promise.all(sent))).toEqual(new Set([200]));
    expect(await program.ended).toBe(0);
  });

  it("its log is exported and restored by the printed commands", () => {
    const said = shell("log export");
    expect(said).toContain("exported 1 thread, 21 commits");
    expect(said).toContain("restored 1 thread, 21 commits");
  });
});

it("a SQLite log is backed up and checked by the printed commands", async () => {
  mkdirSync(join(folder, "data"), { recursive: true });
  const log = sqliteLog({ path: join(folder, "data/boards.sqlite") });
  const thread = await openThread({ definition: board, log, threadId: "launch" });
  await thread.dispatch({ type: "addCard", title: "One" }, { actor: { kind: "user", id: "ada" } });
  expect(shell("log backup")).toContain("1 thread, 1 commit: nothing is wrong");
  await thread.close();
  await log.close();
});

describe("the image", () => {
  const lines = (files["Dockerfile"] ?? "").split("\n").filter((line) => line !== "");

  it("has known instructions, starts the server without a shell, and not as root", () => {
    for (const line of lines) expect(line).toMatch(/^(FROM|WORKDIR|COPY|RUN|ENV|USER|EXPOSE|HEALTHCHECK|CMD) /);
    const command = lines.find((line) => line.startsWith("CMD "))?.slice("CMD ".length) ?? "";
    expect(JSON.parse(command)).toEqual(["node", "server.ts"]);
    expect(lines).toContain("USER node");
  });

  it("checks its health with a command that runs", () => {
    const health = lines.find((line) => line.startsWith("HEALTHCHECK CMD "))?.slice("HEALTHCHECK CMD ".length) ?? "";
    const [program, ...rest]: string[] = JSON.parse(health);
    expect(program).toBe("node");
    // No server listens there: the command itself is right, and says no.
    const unused = rest.map((part) => part.replace("4310", "9"));
    expect(() => execFileSync(process.execPath, unused, { stdio: "pipe" })).toThrow(
      expect.objectContaining({ status: 1 }),
    );
  });
});

it("the compose file gives the server its database, and time to shut down", () => {
  const { services, volumes }: { services: Record<string, Record<string, unknown>>; volumes: object } = parse(
    files["compose.yaml"] ?? "",
  );
  expect(Object.keys(services)).toEqual(["app", "database"]);
  const { environment, depends_on: needs, stop_grace_period: grace } = services["app"] ?? {};
  const address = new URL((environment as { DATABASE_URL: string }).DATABASE_URL);
  const database = services["database"]?.["environment"] as Record<string, string>;
  expect([address.username, address.password, address.hostname, address.pathname]).toEqual([
    database["POSTGRES_USER"],
    database["POSTGRES_PASSWORD"],
    "database",
    `/${database["POSTGRES_DB"]}`,
  ]);
  expect(needs).toEqual({ database: { condition: "service_healthy" } });
  // More than the deadline that the server has.
  expect(Number.parseInt(String(grace), 10) * 1_000).toBeGreaterThan(25_000);
  expect(Object.keys(volumes)).toEqual(["database"]);
});
