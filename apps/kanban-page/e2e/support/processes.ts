// Where the demos of the tests run.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "playwright/test";
import type { Answer, Order } from "./demos.ts";

export interface Running {
  readonly url: string;
  /** kill -9: nothing gets a chance to be tidied up. */
  kill(): Promise<void>;
  /** Starts again on the same port and file; `more`: of its environment. */
  start(more?: Environment): Promise<void>;
  /** What the process wrote since the start. */
  output(): string;
  end(): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const main = fileURLToPath(new URL("../../../demo/src/main.ts", import.meta.url));
const demos = fileURLToPath(new URL("demos.ts", import.meta.url));

/** A demo as users start it, at the `PORT` given. */
export async function ownProcess(env: Environment): Promise<Running> {
  const url = `http://127.0.0.1:${env["PORT"]}`;
  let child: ChildProcess | undefined;
  let written = () => "";
  const running: Running = {
    url,
    async start(more = {}) {
      const started = spawn(process.execPath, [main], { env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
      child = started;
      written = outputOf(started);
      await expect(async () => {
        expect(started.exitCode, written()).toBeNull();
        expect((await fetch(`${url}/api/info`)).ok).toBe(true);
      }).toPass({ intervals: [50], timeout: 60_000 });
    },
    output: () => written(),
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    end: () => running.kill(),
  };
  await running.start();
  return running;
}

/** What runs a server for each test of a worker of the test runner. */
export interface Servers {
  run(environment: Environment): Promise<Running>;
  end(): void;
}

/** A process that loads the demo's modules once, and runs a demo for each test. */
export class SharedProcess implements Servers {
  #last = 0;
  readonly #child = fork(demos, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  readonly #written = outputOf(this.#child);

  async run(environment: Environment): Promise<Running> {
    const id = ++this.#last;
    const before = this.#written().length;
    const started = await this.#answer(
      { start: id, environment },
      (answer) => ("started" in answer && answer.started === id) || ("failed" in answer && answer.failed === id),
    );
    if (!("url" in started)) throw new Error("error" in started ? started.error : "The demo did not start.");
    const needsItsOwn = () =>
      Promise.reject(new Error("This demo shares its process. In a test that kills it: test.use({ kills: true })."));
    return {
      url: started.url,
      output: () => this.#written().slice(before),
      kill: needsItsOwn,
      start: needsItsOwn,
      end: async () => {
        await this.#answer({ stop: id }, (answer) => "stopped" in answer && answer.stopped === id);
      },
    };
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }

  /** Gives an order, and waits for the answer to it. */
  #answer(order: Order, isAnswer: (answer: Answer) => boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`The process of the demos ended:\n${this.#written()}`));
      const onAnswer = (answer: Answer) => {
        if (!isAnswer(answer)) return;
        this.#child.off("exit", onExit).off("message", onAnswer);
        resolve(answer);
      };
      this.#child.on("exit", onExit).on("message", onAnswer);
      this.#child.send(order);
    });
  }
}

function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = "";
  for (const stream of [stdout, stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return () => output;
}
