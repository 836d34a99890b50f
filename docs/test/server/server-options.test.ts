// "The options of a server": the page names the members of the types, no more and no less, and its
// code runs.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryLog } from "@opstate/core";
import {
  type Audit,
  createServer,
  type Demand,
  type DrainOptions,
  type ListenOptions,
  type NodeOptions,
  type Quota,
  type QuotaOptions,
  type ServerLimits,
  type ServerOptions,
  type SignalOptions,
} from "@opstate/server";
import type { PostgresLogOptions } from "@opstate/server/postgres";
import type { SqliteLogOptions } from "@opstate/server/sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { writeGuide } from "../support/guide.ts";

/** The compiler refuses it when a member is missing here, or is none. */
function membersOf<Options>(members: { readonly [Name in keyof Required<Options>]: true }): readonly string[] {
  return Object.keys(members).toSorted();
}

const TYPES = {
  ServerOptions: membersOf<ServerOptions>({
    definitions: true,
    log: true,
    node: true,
    authorize: true,
    insecure: true,
    recheckSeconds: true,
    agents: true,
    mcp: true,
    basePath: true,
    origins: true,
    limits: true,
    idleMinutes: true,
    compact: true,
    receipts: true,
    logTimeout: true,
    compress: true,
    runs: true,
    quotas: true,
    onSlow: true,
    onError: true,
    observe: true,
    audit: true,
  }),
  NodeOptions: membersOf<NodeOptions>({ address: true, secrets: true, lease: true }),
  ServerLimits: membersOf<ServerLimits>({ operations: true, run: true }),
  QuotaOptions: membersOf<QuotaOptions>({ cost: true, submissions: true, decide: true }),
  Quota: membersOf<Quota>({ perSecond: true, burst: true }),
  ListenOptions: membersOf<ListenOptions>({ port: true, hostname: true }),
  DrainOptions: membersOf<DrainOptions>({ notice: true, deadline: true }),
  SignalOptions: membersOf<Omit<SignalOptions, keyof DrainOptions>>({ signals: true, onDrained: true, process: true }),
  SqliteLogOptions: membersOf<SqliteLogOptions>({
    path: true,
    refusalsPerActor: true,
    lockTimeout: true,
    pollInterval: true,
    worker: true,
  }),
  PostgresLogOptions: membersOf<PostgresLogOptions>({
    pool: true,
    schema: true,
    refusalsPerActor: true,
    pollInterval: true,
    doorbell: true,
    callTimeout: true,
  }),
};

const page = readFileSync(join(import.meta.dirname, "../../server-options.md"), "utf8");

describe("the page", () => {
  it.each(Object.entries(TYPES))("names the members of %s", (type, members) => {
    const [, section = ""] = page.split(new RegExp(`^## .*: ${type}[)\`].*$`, "m"));
    const [table = ""] = section.split(/^## /m);
    const named = [...table.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual(members);
  });

  it("has a table for each type, and no other", () => {
    const named = [...page.matchAll(/^## .*: (\w+)[)`]/gm)].map(([, type = ""]) => type);
    expect(named.toSorted()).toEqual(Object.keys(TYPES).toSorted());
  });
});

describe("its code", () => {
  const folder = writeGuide("server-options");

  it("reads an environment, and says what is wrong in it", async () => {
    const { readSettings }: { readSettings(environment: object): object } = await import(join(folder, "settings.ts"));
    expect(readSettings({ DATABASE_URL: "postgres://localhost/boards", PORT: "8080" })).toEqual({
      DATABASE_URL: "postgres://localhost/boards",
      PORT: 8080,
      NOTICE_MS: 5_000,
      DEADLINE_MS: 25_000,
    });
    expect(() => readSettings({ PORT: "http" })).toThrow(/^The environment is wrong:[^]*DATABASE_URL/);
  });

  it("decides for each actor", async () => {
    const { decide }: { decide(demand: Partial<Demand>): number } = await import(join(folder, "decide.ts"));
    const of = (kind: string, id: string, cost: number) => decide({ actor: { kind, id }, wait: 3, cost });
    expect([of("system", "job", 1e6), of("user", "eve", 2_001), of("user", "eve", 5)]).toEqual([0, 10, 3]);
  });

  it("writes an audit log, a line for each event", async () => {
    const { auditTo }: { auditTo(path: string): Audit } = await import(join(folder, "audit.ts"));
    const directory = mkdtempSync(join(tmpdir(), "opstate-audit-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const path = join(directory, "audit.ndjson");
    const server = createServer({ definitions: [], log: memoryLog(), authorize: () => null, audit: auditTo(path) });
    onTestFinished(() => server.close());
    await server.fetch(new Request("http://x/threads/launch"));
    const lines = () => readFileSync(path, "utf8").trimEnd().split("\n");
    await vi.waitUntil(() => existsSync(path) && lines()[0] !== "", { timeout: 60_000 });
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { threadId: "launch", route: "/threads/:id", outcome: "refused", code: "unauthenticated" },
    ]);
  });
});
