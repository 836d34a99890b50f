// A client that writes, and reads what it wrote, at any node. What is not answered is sent again
// with its id, at another node.

import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../core/test/simulation/random.ts";
import type { Recorder } from "./recorder.ts";
import { type Answer, ask, type At, type Round } from "./round-request.ts";

interface Link {
  readonly id: string;
  readonly unless: number;
  readonly expected: number | undefined;
}

/** `pause`: milliseconds, at most, between two writes. */
export interface WriterOptions {
  readonly name: string;
  readonly round: Round;
  readonly thread: string;
  readonly random: Random;
  readonly pause: number;
}

export class RoundWriter {
  readonly #options: WriterOptions;
  readonly #recorder: Recorder;
  /** Sent, and not answered yet. */
  readonly #open: Link[] = [];
  #count = 0;
  #newest = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#recorder = options.round.recorder;
  }

  async write(stop: AbortSignal): Promise<void> {
    const { random, pause } = this.#options;
    while (!stop.aborted) {
      const link = this.#next(random.oneIn(4) ? random.below(3) : 3, random.oneIn(8) ? this.#newest : undefined);
      // Now and then by two nodes at once.
      const sent = random.oneIn(10) ? [this.#send(link), this.#send(link)] : [this.#send(link)];
      const isAnswered = (await Promise.all(sent)).includes(true);
      if (!isAnswered) this.#open.push(link);
      const again = this.#open[0];
      if (again !== undefined && random.oneIn(2) && (await this.#send(again))) this.#open.shift();
      if (random.oneIn(3)) await this.#read(random.oneIn(2) ? this.#newest : undefined);
      await delay(random.below(pause + 1));
    }
  }

  /** Sends again what has no answer, then one more. Every node runs by now. */
  async finish(signal: AbortSignal): Promise<void> {
    const { random } = this.#options;
    for (const link of [...this.#open.splice(0), this.#next(3)]) {
      while (!(await this.#send(link))) {
        if (signal.aborted) throw new Error(`${link.id} gets no answer although every node runs.`);
        await delay(50 + random.below(100));
      }
    }
  }

  #next(unless: number, expected?: number): Link {
    this.#count += 1;
    return { id: `${this.#options.name}-${this.#count}`, unless, expected };
  }

  #at(): At {
    const { name, thread, round, random } = this.#options;
    const node = round.nodes[random.below(round.nodes.length)];
    if (node === undefined) throw new Error("a node");
    return { client: name, thread, node };
  }

  /** Whether there was an answer. */
  async #send({ id, unless, expected }: Link): Promise<boolean> {
    const call = this.#recorder.number();
    const at = this.#at();
    const about = { call, client: at.client, node: at.node.name, thread: at.thread };
    this.#recorder.add({ kind: "write", ...about, id, unless, ...(expected !== undefined && { expected }) });
    const operation = { type: "link", name: id, unless };
    const body = { id, operation, ...(expected !== undefined && { expectedVersion: expected }) };
    const answer = await ask(this.#options.round, at, "POST", "/operations", body);
    const verdict = verdictIn(answer);
    if (verdict === undefined) this.#recorder.add({ kind: "unknown", call, why: answer.why });
    else {
      this.#recorder.add({ kind: "verdict", call, ...verdict });
      this.#newest = Math.max(this.#newest, verdict.version);
    }
    return verdict !== undefined;
  }

  async #read(minVersion: number | undefined): Promise<void> {
    await readThread(this.#options.round, this.#at(), minVersion);
  }
}

function verdictIn({ body }: Answer) {
  const { accepted, version, rejection } = (body ?? {}) as {
    accepted?: unknown;
    version?: unknown;
    rejection?: { code?: unknown };
  };
  if (typeof accepted !== "boolean" || typeof version !== "number") return undefined;
  return { accepted, version, final: accepted || rejection?.code !== "conflict" };
}

/** Reads a thread, for the record. */
export async function readThread(round: Round, at: At, minVersion: number | undefined): Promise<void> {
  const call = round.recorder.number();
  const about = { call, client: at.client, node: at.node.name, thread: at.thread };
  round.recorder.add({ kind: "read", ...about, ...(minVersion !== undefined && { minVersion }) });
  const answer = await ask(round, at, "GET", minVersion === undefined ? "" : `?minVersion=${minVersion}`);
  const { version, state } = (answer.body ?? {}) as { version?: number; state?: never };
  if (answer.status === 200 && version !== undefined && state !== undefined)
    round.recorder.add({ kind: "state", call, version, state });
  else round.recorder.add({ kind: "unknown", call, why: answer.why });
}
