// A node in a process of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Store } from "../store.ts";

export interface NodeProcess {
  readonly url: string;
  signal(name: NodeJS.Signals): void;
  /** Resolves to its exit code, or undefined when it was killed. */
  ended(): Promise<number | undefined>;
}

export async function startNode(store: Store, secret: string, lease: number): Promise<NodeProcess> {
  const given = { store, secret, lease, port: await freePort() };
  const program = join(import.meta.dirname, "node-server.ts");
  const child = spawn(process.execPath, ["--conditions=@opstate/source", program, JSON.stringify(given)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exit = once(child, "exit") as Promise<[number | null]>;
  onTestFinished(async () => {
    if (isRunning(child)) child.kill("SIGKILL");
    await exit;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(typeof message === "string" ? message : ""));
    child.once("exit", (code) => reject(new Error(`The node ended with ${code}.`)));
  });
  return {
    url,
    signal: (name) => void child.kill(name),
    ended: async () => (await exit)[0] ?? undefined,
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
