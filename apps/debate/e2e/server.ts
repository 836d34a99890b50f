// The debate's own server as a child process, on a port and a SQLite file of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "playwright/test";
import type { Debate } from "../src/server/debates.ts";
import { freePort } from "../../../tools/free-port.ts";

const main = fileURLToPath(new URL("../src/server/main.ts", import.meta.url));

export interface DebateServer {
  readonly url: string;
  /** kill -9: nothing gets a chance to be tidied up. */
  kill(): Promise<void>;
  /** Starts again on the same port and file. */
  start(): Promise<void>;
  get(id: string): Promise<Debate>;
}

/**
 * Gives each test a running server; `chunkDelay` slows the offline model down, in ms for each word.
 */
export const test = base.extend<{ server: DebateServer; chunkDelay: number }>({
  chunkDelay: [1, { option: true }],
  server: async ({ chunkDelay }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "opstate-debate-"));
    const server = debateServer(await freePort(), join(folder, "debate.sqlite"), chunkDelay);
    await server.start();
    await use(server);
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  },
});

export { expect };

export function debateServer(port: number, data: string, chunkDelay: number): DebateServer {
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  return {
    url,
    async start() {
      let output = "";
      const env = {
        ...process.env,
        PORT: String(port),
        OPSTATE_DEBATE_DATA: data,
        OPSTATE_OFFLINE_DELAY: String(chunkDelay),
        OPSTATE_MODEL: "",
      };
      const started = spawn(process.execPath, [main], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      started.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      started.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
      await expect(async () => {
        expect(started.exitCode, output).toBeNull();
        expect((await fetch(`${url}/api/info`)).ok).toBe(true);
      }).toPass({ intervals: [50], timeout: 60_000 });
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    async get(id) {
      const response = await fetch(`${url}/api/debate/${id}`);
      return response.json();
    },
  };
}
