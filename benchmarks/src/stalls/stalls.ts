// One request, and how long everybody else waits for it: clients beside it write to the same thread
// and to another one. CPU time of the server's longest turn is what the request itself takes
// away; the rest is what else the machine did.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Table } from "../harness/results.ts";
import type { Readers } from "./readers-process.ts";
import { type Heavy, heavy, OTHER, SAME, type Sent } from "./requests.ts";
import { send } from "./send.ts";
import type { Measured } from "./stall-server.ts";

export const STALLS = "The longest that others wait for one request";
export const MEMORY = "Memory that one request takes";
export const OTHERS_WAIT = "other threads";
export const SAME_WAITS = "the same thread";
export const MEMORY_HEAD = "beyond the server's own";
const TURN = "CPU time of one turn";

interface Stall {
  readonly [SAME_WAITS]: number;
  readonly [OTHERS_WAIT]: number;
  readonly [TURN]: number;
  readonly "the request itself": number;
  readonly memory: number;
}

/** `only`: those rows whose name has this in it. */
export async function stallTables(only = ""): Promise<readonly Table[]> {
  const columns: Record<string, Record<string, number>> = {
    [OTHERS_WAIT]: {},
    [SAME_WAITS]: {},
    [TURN]: {},
    "the request itself": {},
  };
  const memory: Record<string, number> = {};
  for (const [name, one] of Object.entries(heavy)) {
    if (!name.includes(only)) continue;
    const stall = await stallOf(name, one);
    for (const [head, column] of Object.entries(columns)) column[name] = stall[head as keyof Stall];
    memory[name] = stall.memory;
  }
  return [
    { title: STALLS, unit: "ms", columns },
    { title: MEMORY, unit: "bytes", columns: { [MEMORY_HEAD]: memory } },
  ];
}

async function stallOf(name: string, one: Heavy): Promise<Stall> {
  const directory = mkdtempSync(join(tmpdir(), "opstate-stalls-"));
  const path = join(directory, "log.sqlite");
  const filling = fork(new URL("fill-process.ts", import.meta.url), [path, name]);
  const [code] = await once(filling, "exit");
  if (code !== 0) throw new Error(`The file for "${name}" could not be filled.`);
  const child = fork(new URL("stall-server.ts", import.meta.url), [path]);
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  try {
    const [url] = (await once(child, "message")) as [string];
    const measure = async (): Promise<Measured> => {
      child.send("measure");
      const [measured] = (await once(child, "message")) as [Measured];
      return measured;
    };
    const listed = await send(agent, url, { method: "GET", path: `/threads/${SAME}/branches` });
    const branches = JSON.parse(listed) as readonly { threadId: string }[];
    // Made before anything is timed: this process is the others, too.
    const sent = one.request(branches);
    const neighbours = [SAME, OTHER].map(
      (threadId) => new Neighbour(agent, url, threadId, one.lockedFor !== undefined),
    );
    // Warm, and the thread is open.
    await delay(1_500);
    const before = await measure();
    for (const neighbour of neighbours) neighbour.take();
    const start = performance.now();
    await heavyRequest(agent, url, path, one, sent);
    const took = performance.now() - start;
    // What waited for it is answered, too.
    await Promise.all(neighbours.map((neighbour) => neighbour.next()));
    const after = await measure();
    const [same = 0, other = 0] = neighbours.map((neighbour) => neighbour.take());
    for (const neighbour of neighbours) await neighbour.stop();
    const memory = Math.max(0, after.memory - before.memory);
    const stall = { [SAME_WAITS]: same, [OTHERS_WAIT]: other, [TURN]: after.turn, "the request itself": took, memory };
    console.log(name, stall);
    return stall;
  } finally {
    agent.destroy();
    child.disconnect();
    await once(child, "exit");
    rmSync(directory, { recursive: true });
  }
}

async function heavyRequest(
  agent: Agent,
  url: string,
  path: string,
  { lockedFor, readers, leavesAfter = Infinity }: Heavy,
  sent: Sent,
): Promise<void> {
  if (readers !== undefined) {
    const { count, behind } = readers;
    const { version } = JSON.parse(await send(agent, url, { method: "GET", path: `/threads/${SAME}` })) as {
      version: number;
    };
    const child = fork(new URL("readers-process.ts", import.meta.url));
    await once(child, "message");
    const all: Readers = { url, sent, headers: { "last-event-id": `${version - behind}` }, count, bytes: 20_000 };
    child.send(all);
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error("Not all readers were answered.");
    return;
  }
  const holder =
    lockedFor === undefined
      ? undefined
      : fork(new URL("../../../packages/server/test/support/processes/lock-holder.ts", import.meta.url), [path]);
  if (holder !== undefined) await once(holder, "message");
  if (holder !== undefined) setTimeout(() => holder.send("release"), lockedFor).unref();
  await send(agent, url, sent, { bytes: leavesAfter });
}

/** Writes one operation after another, and remembers the longest that it waited for one. */
class Neighbour {
  readonly #one: () => Promise<unknown>;
  readonly #running: Promise<void>;
  #longest = 0;
  #current = Promise.resolve();
  #isOver = false;

  /** `reads`: it reads instead, where no one can write. */
  constructor(agent: Agent, url: string, threadId: string, reads: boolean) {
    const path = `/threads/${threadId}`;
    const body = JSON.stringify({ type: "increment" });
    const sent = reads ? { method: "GET", path } : { method: "POST", path: `${path}/operations`, body };
    this.#one = () => send(agent, url, sent);
    this.#running = this.#run();
  }

  /** The longest since the last call. */
  take(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  /** Resolves when what is under way is answered. */
  next(): Promise<void> {
    return this.#current;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      this.#current = this.#timed();
      await this.#current;
      await delay(5);
    }
  }

  async #timed(): Promise<void> {
    const start = performance.now();
    // The server may close a connection that was idle just when it is used again.
    await this.#one().catch(() => this.#one());
    this.#longest = Math.max(this.#longest, performance.now() - start);
  }
}
