// Rounds of several nodes on one Postgres, or on several: writers and readers work while nodes are
// killed, paused, cut off and drained, and a database is started again. What they saw is the
// round's history.
//
//   work and faults ── every fault is over ── what is open is answered ── readers have all ── logs

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import { randomOf } from "../../../core/test/simulation/random.ts";
import type { TestPostgres } from "../support/postgres.ts";
import { doFaults, type PlannedFault, planFaults } from "./faults.ts";
import type { Recorder } from "./recorder.ts";
import { RoundNode } from "./round-node.ts";
import { RoundReader } from "./round-reader.ts";
import { answered, type Round } from "./round-request.ts";
import { RoundWriter } from "./round-writer.ts";

export interface RoundOptions {
  /** Names its threads, and is the seed of what is done. */
  readonly seed: number;
  readonly writers: number;
  readonly readers: number;
  readonly threads: number;
  /** Milliseconds, at most, between two writes of a writer. */
  readonly writePause: number;
  /** The same of a reader's reads. */
  readonly readPause: number;
  /** Drawn from the seed when they are not given. */
  readonly faults?: readonly PlannedFault[];
  /** Milliseconds that readers are given to have all, before the recording ends. */
  readonly patience: number;
}

export interface NodesOptions {
  /** Threads are spread over them. */
  readonly databases: readonly TestPostgres[];
  readonly count: number;
  /** Milliseconds. */
  readonly lease: number;
}

/** Milliseconds until an answer is not waited for: what is lost ends its connection before. */
const ANSWER_LIMIT = 60_000;
/** Milliseconds in which all that is open has an answer, once every node runs. */
const FINISH_LIMIT = 1_800_000;
const PAGE_SIZE = 1_000;

export class RoundNodes {
  readonly #options: NodesOptions;
  readonly #nodes: readonly RoundNode[];
  readonly #pools: readonly Pool[];

  static async start(options: NodesOptions): Promise<RoundNodes> {
    const { count, lease } = options;
    const schema = `rounds_${randomUUID().slice(0, 8)}`;
    const secret = randomUUID();
    const names = Array.from({ length: count }, (_, index) => `n${index + 1}`);
    const databases = options.databases.map(({ config }) => {
      const pool = new Pool({ ...config, max: names.length });
      // The database is taken away on purpose.
      pool.on("error", () => {});
      return { config, pool };
    });
    const shared = { databases, schema, secret, lease };
    const nodes = await Promise.all(names.map((name) => RoundNode.start({ name, ...shared })));
    return new RoundNodes(
      options,
      nodes,
      databases.map(({ pool }) => pool),
    );
  }

  private constructor(options: NodesOptions, nodes: readonly RoundNode[], pools: readonly Pool[]) {
    this.#options = options;
    this.#nodes = nodes;
    this.#pools = pools;
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()));
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  /** Plays a round. The history that it records is for the checker. */
  async play(options: RoundOptions, recorder: Recorder): Promise<void> {
    const { lease, databases } = this.#options;
    const round: Round = { nodes: this.#nodes, recorder, timeout: ANSWER_LIMIT };
    const random = randomOf(options.seed);
    const faults = options.faults ?? planFaults(random, this.#nodes.length, lease, 3 + random.below(3));
    const threads = Array.from({ length: options.threads }, (_, index) => `round-${options.seed}-${index}`);
    await Promise.all(threads.map((thread) => this.#create(round, thread)));

    const of = (count: number, name: string, pause: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `${name}${index}`,
        round,
        thread: threads[index % threads.length] ?? "",
        random: randomOf(options.seed * 1_000 + random.below(1_000_000)),
        pause,
      }));
    const writers = of(options.writers, "w", options.writePause).map((one) => new RoundWriter(one));
    const readerOptions = of(options.readers, "r", options.readPause);
    const readers = readerOptions.map((one) => new RoundReader(one));
    const [stopWriting, stopReading, stopFollowing] = [
      new AbortController(),
      new AbortController(),
      new AbortController(),
    ];
    const writing = Promise.all(writers.map((writer) => writer.write(stopWriting.signal)));
    const reading = Promise.all(readers.map((reader) => reader.read(stopReading.signal)));
    const following = Promise.all(readers.map((reader) => reader.follow(stopFollowing.signal)));
    try {
      await doFaults(faults, {
        nodes: this.#nodes,
        restartDatabase: async (place) => databases[place % databases.length]?.restart?.(),
        onFault: (what) => recorder.add({ kind: "fault", what }),
        verdicts: async (count) => {
          const least = recorder.verdicts + count;
          while (recorder.verdicts < least) await delay(5);
        },
      });
      stopWriting.abort();
      await writing;
      const limit = AbortSignal.timeout(FINISH_LIMIT);
      await Promise.all(writers.map((writer) => writer.finish(limit)));
      stopReading.abort();
      const newest = new Map<string, number>();
      const readLogs = async (thread: string) => newest.set(thread, await this.#readLogs(round, thread, limit));
      await Promise.all(threads.map(readLogs));
      const isBehind = () =>
        readers.some(({ position }, index) => position < (newest.get(readerOptions[index]?.thread ?? "") ?? 0));
      const end = performance.now() + options.patience;
      while (isBehind() && performance.now() < end) await delay(20);
    } finally {
      for (const stop of [stopWriting, stopReading, stopFollowing]) stop.abort();
      await Promise.allSettled([writing, reading, following]);
    }
    recorder.add({ kind: "end" });
  }

  async #create(round: Round, thread: string): Promise<void> {
    const [node] = this.#nodes;
    if (node === undefined) throw new Error("a node");
    const limit = AbortSignal.timeout(FINISH_LIMIT);
    await answered(round, { client: "creator", node, thread }, limit, "PUT", "", { definition: "chain" });
  }

  /** Of every node. Returns the newest version. */
  async #readLogs(round: Round, thread: string, limit: AbortSignal): Promise<number> {
    let newest = 0;
    for (const node of this.#nodes) {
      let after = 0;
      for (let length = PAGE_SIZE; length === PAGE_SIZE;) {
        const path = `/history?after=${after}&limit=${PAGE_SIZE}`;
        const body = await answered(round, { client: "judge", node, thread }, limit, "GET", path);
        const rows = body as readonly { readonly commit: { readonly version: number; readonly id: string } }[];
        for (const { commit } of rows) {
          const { version, id } = commit;
          round.recorder.add({ kind: "log", node: node.name, thread, version, id });
          after = version;
        }
        length = rows.length;
      }
      newest = Math.max(newest, after);
    }
    return newest;
  }
}
