// A server in a process of its own that can be killed, and started again on the same port.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Store } from "../store.ts";

export interface ServerProcessOptions {
  /** A command that runs the server in its own process id, such as a tracer. */
  readonly under?: readonly string[];
  /** A module that is loaded before the server. */
  readonly preload?: string;
  /** Instead of `crash-server.ts`: a program, and what it gets between the store and the port. */
  readonly runs?: readonly [file: string, ...given: readonly string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export class ServerProcess {
  readonly #command: readonly [string, ...string[]];
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #url = "";

  constructor(
    store: Store,
    {
      under = [],
      preload,
      runs = [join(import.meta.dirname, "../crash/crash-server.ts")],
      env = {},
    }: ServerProcessOptions = {},
  ) {
    this.#env = env;
    const [file, ...given] = runs;
    const node = [
      process.execPath,
      "--conditions=@opstate/source",
      ...(preload === undefined ? [] : [`--import=${preload}`]),
    ];
    const [program = process.execPath, ...rest] = [...under, ...node, file, JSON.stringify(store), ...given];
    this.#command = [program, ...rest];
  }

  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    const port = this.#url === "" ? "0" : new URL(this.#url).port;
    const [program, ...rest] = this.#command;
    const env: NodeJS.ProcessEnv = { ...process.env, ...this.#env };
    const child = spawn(program, [...rest, port], { stdio: ["ignore", "inherit", "inherit", "ipc"], env });
    this.#child = child;
    this.#url = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("message", (message) => resolve(typeof message === "string" ? message : ""));
      child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** kill -9. Resolves when the process has ended. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Resolves when the process has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}
