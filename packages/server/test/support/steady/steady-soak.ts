// A server under a steady load: so many operations a second over so many threads, readers of each
// that come and go, and beside them threads, branches, proposals, runs and undos that begin and
// end. What is a fault: an answer that is none, an acknowledged operation that is lost or twice, a
// reader that misses one or ends elsewhere, an error of the server.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { randomOf } from "../../../../core/test/simulation/random.ts";
import { tally } from "../limits/tally.ts";
import { Sender } from "./sender.ts";
import { slowest } from "./slowest.ts";
import { SteadyLoad } from "./steady-load.ts";
import type { Ends, ReadersReport, ReadersTask } from "./steady-readers.ts";
import type { Reading } from "./steady-server.ts";

export interface SteadyOptions {
  readonly path: string;
  readonly seed: number;
  readonly seconds: number;
  readonly threads: number;
  /** Of each thread. */
  readonly readers: number;
  /** Operations a second, of all threads together. */
  readonly rate: number;
  /** Milliseconds between two reports. */
  readonly every: number;
  onReport?(minute: SteadyMinute): void;
}

/** What was seen since the report before. */
export interface SteadyMinute {
  /** Bytes of the server, at most. */
  readonly memory: number;
  /** Bytes of its heap, at least: nearer to what stays. */
  readonly heap: number;
  /** Share of one processor that the server took. */
  readonly cpu: number;
  /** Operations. */
  readonly answered: number;
  /** Milliseconds until they were, of 99 of 100. */
  readonly wait: number;
  /** Commits at readers. */
  readonly delivered: number;
  /** Milliseconds from a commit to a reader, of 99 of 100. */
  readonly delay: number;
  readonly readers: number;
  readonly connections: number;
  readonly churned: number;
  readonly faults: number;
}

export interface SteadyReport {
  readonly minutes: readonly SteadyMinute[];
  readonly faults: readonly string[];
}

/** Milliseconds that a reader stays, at most. */
const STAY = 120_000;

export class SteadySoak {
  readonly #options: SteadyOptions;
  readonly #threads: readonly [string, ...string[]];
  readonly #faults: string[] = [];
  readonly #minutes: SteadyMinute[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #readings: Reading[] = [];

  constructor(options: SteadyOptions) {
    this.#options = options;
    this.#threads = ["steady-0", ...Array.from({ length: options.threads - 1 }, (_, n) => `steady-${n + 1}`)];
  }

  async run(): Promise<SteadyReport> {
    const { path, seconds, seed, readers, rate } = this.#options;
    const server = this.#spawn("steady-server.ts", path);
    const following = this.#spawn("steady-readers.ts");
    const [url] = (await once(server, "message")) as [string];
    const sender = new Sender(url);
    try {
      server.on("message", (reading: Reading) => this.#readings.push(reading));
      for (const thread of this.#threads)
        await sender.send(thread, "PUT", `/threads/${thread}`, { definition: tally.name });
      const task: ReadersTask = { url, seed, threads: this.#threads, readers, stay: STAY };
      following.send(task);
      const end = AbortSignal.timeout(seconds * 1_000);
      const load = new SteadyLoad(sender, this.#threads, randomOf(seed));
      const reports = this.#report(load, following, end);
      await load.run(rate, end);
      await reports;
      following.send({ ends: await this.#ends(sender) });
      const [{ faults }] = (await once(following, "message")) as [ReadersReport];
      await load.lookForLost();
      this.#faults.push(...faults, ...load.faults.splice(0));
      return { minutes: this.#minutes, faults: this.#faults };
    } finally {
      sender.close();
      for (const child of this.#children) child.disconnect();
      await Promise.all(this.#children.map(async (child) => child.exitCode ?? once(child, "exit")));
    }
  }

  #spawn(name: string, ...args: string[]): ChildProcess {
    const program = join(import.meta.dirname, name);
    const child = spawn(process.execPath, ["--conditions=@opstate/source", program, ...args], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("exit", (code) => code !== 0 && this.#faults.push(`${name} ended with ${code}`));
    this.#children.push(child);
    return child;
  }

  async #report(load: SteadyLoad, following: ChildProcess, end: AbortSignal): Promise<void> {
    const { every, onReport } = this.#options;
    let cpu = 0;
    for (let last = performance.now(); !end.aborted;) {
      await delay(every);
      following.send("report");
      const [seen] = (await once(following, "message")) as [ReadersReport];
      const readings = this.#readings.splice(0);
      const errors = readings.flatMap((reading) => reading.errors.map((error) => `onError: ${error}`));
      this.#faults.push(...seen.faults, ...errors, ...load.faults.splice(0));
      const now = performance.now();
      const used = readings.at(-1)?.cpu ?? cpu;
      const { waits, churned } = load.take();
      const minute: SteadyMinute = {
        memory: Math.max(...readings.map(({ memory }) => memory)),
        heap: Math.min(...readings.map(({ heap }) => heap)),
        cpu: (used - cpu) / (now - last),
        answered: waits.length,
        wait: slowest(waits),
        delivered: seen.commits,
        delay: seen.delay,
        readers: seen.connected,
        connections: seen.connections,
        churned,
        faults: this.#faults.length,
      };
      [cpu, last] = [used, now];
      this.#minutes.push(minute);
      onReport?.(minute);
    }
  }

  async #ends(sender: Sender): Promise<Ends> {
    const ends: Record<string, Ends[string]> = {};
    for (const thread of this.#threads) {
      const { body } = await sender.send("looking", "GET", `/threads/${thread}`);
      ends[thread] = body as Ends[string];
    }
    return ends;
  }
}
