// The demo's own server as a child process, on a port and a SQLite file of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "playwright/test";
import { freePort } from "../../../../tools/free-port.ts";

const main = fileURLToPath(new URL("../../../demo/src/main.ts", import.meta.url));

export interface DemoServer {
  readonly url: string;
  /** The board's page: the one in React or the one in Svelte, as the project says. */
  readonly page: string;
  /** kill -9: nothing gets a chance to be tidied up. */
  kill(): Promise<void>;
  /** Starts again on the same port and file. */
  start(): Promise<void>;
  /** What it wrote since its start. */
  output(): string;
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
}

/**
 * Gives each test a running demo; `chunkDelay` slows the offline model down, in ms for each chunk,
 * so that a person can act meanwhile.
 */
export const test = base.extend<{ server: DemoServer } & Options>({
  chunkDelay: [2, { option: true }],
  app: ["react", { option: true }],
  env: [{}, { option: true }],
  server: async ({ chunkDelay, app, env }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "opstate-e2e-"));
    const server = demoServer({ port: await freePort(), folder, chunkDelay, app, env });
    await server.start();
    await use(server);
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  },
});

export { expect };

function demoServer({
  port,
  folder,
  chunkDelay,
  app,
  env: more,
}: Options & { port: number; folder: string }): DemoServer {
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let output = "";
  return {
    url,
    page: `${url}/${app}/`,
    async start() {
      output = "";
      const env = {
        ...process.env,
        PORT: String(port),
        OPSTATE_DATA: join(folder, "demo.sqlite"),
        OPSTATE_OFFLINE_DELAY: String(chunkDelay),
        OPSTATE_MODEL: "",
        ...more,
      };
      child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
      child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
      await expect(async () => {
        expect(child?.exitCode, output).toBeNull();
        expect((await fetch(`${url}/api/info`)).ok).toBe(true);
      }).toPass({ intervals: [50], timeout: 60_000 });
    },
    output: () => output,
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
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
