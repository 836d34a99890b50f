// A server process of the rounds behind a relay: its clients and the other nodes come through it.
//
//   clients, nodes ── relay ──> process ──> Postgres, one or several

import { setTimeout as delay } from "node:timers/promises";
import type { Pool, PoolConfig } from "pg";
import { badNetwork, type BadNetwork } from "../support/proxy.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import type { NodeGiven } from "./node-program.ts";

export interface NodeDatabase {
  readonly config: PoolConfig;
  /** Of this process. */
  readonly pool: Pool;
}

export interface RoundNodeOptions {
  readonly name: string;
  readonly databases: readonly NodeDatabase[];
  readonly schema: string;
  readonly secret: string;
  /** Milliseconds. */
  readonly lease: number;
}

const CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1";

export class RoundNode {
  readonly name: string;
  readonly #network: BadNetwork;
  readonly #process: ServerProcess;
  readonly #pools: readonly Pool[];
  /** By which the databases know its connections. */
  readonly #application: string;

  static async start(options: RoundNodeOptions): Promise<RoundNode> {
    const node = new RoundNode(options, await badNetwork(""));
    await node.start();
    return node;
  }

  private constructor({ name, databases, schema, secret, lease }: RoundNodeOptions, network: BadNetwork) {
    this.name = name;
    this.#network = network;
    this.#pools = databases.map(({ pool }) => pool);
    this.#application = `${schema} ${name}`;
    const given: NodeGiven = { address: network.url, secret, lease };
    const stores = databases.map(({ config }, index) => ({
      kind: "postgres" as const,
      config: { ...config, application_name: this.#application },
      schema: `${schema}_${index}`,
    }));
    const [only] = stores;
    this.#process = new ServerProcess(only !== undefined && stores.length === 1 ? only : { kind: "spread", stores }, {
      runs: [`${import.meta.dirname}/node-program.ts`, JSON.stringify(given)],
    });
  }

  /** Where clients reach it, and other nodes. */
  get url(): string {
    return this.#network.url;
  }

  async start(): Promise<void> {
    await this.#process.start();
    this.#network.target = this.#process.url;
  }

  /** kill -9, and a start after `down` milliseconds. */
  async killed(down: number): Promise<void> {
    await this.#process.kill();
    await delay(down);
    await this.start();
  }

  /** It stops where it is, for so many milliseconds. */
  async paused(milliseconds: number): Promise<void> {
    this.#process.signal("SIGSTOP");
    await delay(milliseconds);
    this.#process.signal("SIGCONT");
  }

  /** It leaves the others, ends, and starts again. */
  async drained(): Promise<void> {
    await this.#process.end("SIGTERM");
    await this.start();
  }

  /** Every connection to it is cut, and new ones are refused for so many milliseconds. */
  async cut(down: number): Promise<void> {
    this.#network.target = "";
    this.#network.cut();
    await delay(down);
    this.#network.target = this.#process.url;
  }

  /** Its connections to the databases are cut, for so many milliseconds again and again. */
  async cutFromDatabase(down: number): Promise<void> {
    const end = performance.now() + down;
    do {
      const cuts = this.#pools.map((pool) => pool.query(CUT, [this.#application]));
      // A database may be away itself.
      await Promise.allSettled(cuts);
      await delay(20);
    } while (performance.now() < end);
  }

  async close(): Promise<void> {
    await this.#process.kill();
    this.#network.close();
  }
}
