// The demo's own server, on a port and a SQLite file of its own: in the process that the tests of a
// worker share, or in a child process that can be killed. At the edge: a Worker in workerd.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "playwright/test";
import { freePort } from "../../../../tools/free-port.ts";
import { ownProcess, type Running, type Servers, SharedProcess } from "./processes.ts";

export interface DemoServer extends Running {
  /** The board's page: the one in React or the one in Svelte, as the project says. */
  readonly page: string;
  get(path: string): Promise<unknown>;
  /** Submits as a person; the verdict. */
  edit(operation: object, user: string): Promise<unknown>;
  /** Submits as the webhook does; the answer, whatever its status. */
  post(
    body: string | object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; type: string; body: unknown }>;
}

export interface Options {
  chunkDelay: number;
  /** Which of the two pages is tested. */
  app: "react" | "svelte";
  /** More of the server's environment. */
  env: Readonly<Record<string, string>>;
  /** Whether the test kills its server or starts it again, which needs a process of its own. */
  kills: boolean;
}

export interface WorkerOptions {
  /** What the server is: the demo's own program, or the board as a Worker in workerd. */
  host: "node" | "edge";
}

/**
 * Gives each test a running demo; `chunkDelay` slows the offline model down, in ms for each chunk,
 * so that a person can act meanwhile.
 */
export const test = base.extend<{ server: DemoServer } & Options, WorkerOptions & { servers: Servers }>({
  chunkDelay: [2, { option: true }],
  app: ["react", { option: true }],
  env: [{}, { option: true }],
  kills: [false, { option: true }],
  host: ["node", { option: true, scope: "worker" }],
  servers: [
    async ({ host }, use) => {
      const servers = host === "edge" ? await edgeServers() : new SharedProcess();
      await use(servers);
      servers.end();
    },
    { scope: "worker" },
  ],
  server: async ({ chunkDelay, app, env, kills, host, servers }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "opstate-e2e-"));
    const environment = {
      ...process.env,
      PORT: String(kills ? await freePort() : 0),
      OPSTATE_DATA: join(folder, "demo.sqlite"),
      OPSTATE_OFFLINE_DELAY: String(chunkDelay),
      OPSTATE_MODEL: "",
      ...env,
    };
    const running = kills && host === "node" ? await ownProcess(environment) : await servers.run(environment);
    await use(demoServer(running, app));
    await running.end();
    rmSync(folder, { recursive: true, force: true });
  },
});

export { expect };

/** Loaded where it is needed: it has a bundler. */
async function edgeServers(): Promise<Servers> {
  const { EdgeServers } = await import("../edge/edge-servers.ts");
  return new EdgeServers();
}

function demoServer(running: Running, app: Options["app"]): DemoServer {
  const { url } = running;
  return {
    ...running,
    page: `${url}/${app}/`,
    async get(path) {
      const response = await fetch(url + path, { headers: { "x-opstate-user": "e2e" } });
      return response.json();
    },
    async edit(operation, user) {
      const headers = { "content-type": "application/json", "x-opstate-user": user };
      const response = await fetch(`${url}/threads/demo/operations`, {
        method: "POST",
        headers,
        body: JSON.stringify(operation),
      });
      expect(response.status).toBe(200);
      return response.json();
    },
    async post(body, headers = {}) {
      const response = await fetch(`${url}/threads/demo/operations`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer demo-webhook", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        type: response.headers.get("content-type") ?? "",
        body: text === "" ? undefined : JSON.parse(text),
      };
    },
  };
}
