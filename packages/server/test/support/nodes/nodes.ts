// Several servers on one Postgres, in this process: each behind a front of its own, through which
// the others reach it. A front can be looked through, changed and closed.

import { randomUUID } from "node:crypto";
import { Pool, type PoolConfig } from "pg";
import { expect, onTestFinished } from "vitest";
import { createServer, listen, type Server, type ServerEvent, type ServerOptions } from "../../../src/index.ts";
import { type PostgresLog, postgresLog } from "../../../src/postgres/index.ts";
import { board, note } from "../board.ts";
import { authorize } from "../server.ts";

export const SECRET = "a secret of at least thirty-two characters";

/** A request on its way to a node, with its body. */
export interface Passing {
  readonly request: Request;
  readonly body: string;
}

export interface TestNode {
  readonly url: string;
  readonly server: Server;
  readonly log: PostgresLog;
  readonly events: ServerEvent[];
  readonly errors: unknown[];
  /** Requests of other nodes that came here, as they were sent. */
  readonly forwarded: Passing[];
  /** Posts of other nodes that say who is there. */
  readonly told: Passing[];
  /** Answers what was forwarded in the place of the server, when it gives something. */
  front: ((passing: Passing) => Promise<Response | undefined>) | undefined;
  /** The same, of posts that say who is there. */
  presenceFront: ((passing: Passing) => Promise<Response | undefined>) | undefined;
  /** Sends what another node sent once more, maybe changed. */
  again(
    passing: Passing,
    changed?: { path?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Response>;
}

export interface Cluster {
  readonly schema: string;
  readonly pool: Pool;
  start(options?: Partial<ServerOptions> & { secrets?: readonly string[]; lease?: number }): Promise<TestNode>;
  /** Node, epoch and address of who owns the thread. */
  owner(threadId: string): Promise<{ readonly address: string; readonly epoch: number } | undefined>;
  /** Gives the thread to a node, as its lease would. */
  give(threadId: string, to: TestNode): Promise<void>;
}

/** The same request, to be answered by a server in this process. */
export function posted({ request: { url, headers }, body }: Passing): Request {
  return new Request(url, { method: "POST", headers: new Headers(headers), body });
}

export function cluster(config: PoolConfig | undefined): Cluster {
  const schema = `nodes_${randomUUID().slice(0, 8)}`;
  const pool = new Pool({ ...config, max: 20 });
  onTestFinished(() => pool.end());
  const started: TestNode[] = [];

  async function start({ secrets = [SECRET], lease = 60_000, ...options }: Parameters<Cluster["start"]>[0] = {}) {
    const log = postgresLog({ pool, schema });
    onTestFinished(() => log.close());
    const [events, errors]: [ServerEvent[], unknown[]] = [[], []];
    const [forwarded, told]: [Passing[], Passing[]] = [[], []];
    const front = await listen(async (request, connection) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith("/nodes/")) return server.fetch(request, connection);
      const body = await request.text();
      const passing = { request, body };
      const isPresence = pathname === "/nodes/presence";
      (isPresence ? told : forwarded).push(passing);
      const instead = isPresence ? node.presenceFront : node.front;
      return (await instead?.(passing)) ?? server.fetch(posted(passing));
    });
    onTestFinished(() => front.close());
    const server = createServer({
      definitions: [board, note],
      log,
      authorize,
      onError: (error) => errors.push(error),
      observe: { onEvent: (event) => events.push(event) },
      ...options,
      node: { address: front.url, secrets, lease },
    });
    onTestFinished(() => server.close());
    const node: TestNode = {
      url: front.url,
      server,
      log,
      events,
      errors,
      forwarded,
      told,
      front: undefined,
      presenceFront: undefined,
      again: ({ request, body }, changed = {}) => {
        const { pathname } = new URL(request.url);
        const headers = new Headers(request.headers);
        for (const [name, value] of Object.entries(changed.headers ?? {})) headers.set(name, value);
        return server.fetch(
          new Request(new URL(changed.path ?? pathname, front.url), {
            method: "POST",
            headers,
            body: changed.body ?? body,
          }),
        );
      },
    };
    // It is there soon after it was asked anything.
    await (await fetch(`${front.url}/readyz`)).text();
    const row = () => pool.query(`SELECT FROM "${schema}".nodes WHERE address = $1`, [front.url]);
    await expect.poll(async () => (await row()).rowCount, { timeout: 60_000 }).toBe(1);
    started.push(node);
    return node;
  }

  async function threadOf(threadId: string) {
    const info = await started[0]?.log.info(threadId);
    return { threadId, incarnation: info?.incarnation ?? "" };
  }

  return {
    schema,
    pool,
    start,
    owner: async (threadId) => started[0]?.log.ownership.ownerOf(await threadOf(threadId)),
    async give(threadId, to) {
      const { rows } = await pool.query(`SELECT node FROM "${schema}".nodes WHERE address = $1`, [to.url]);
      const thread = await threadOf(threadId);
      const from = await to.log.ownership.ownerOf(thread);
      await to.log.ownership.assign(thread, rows[0].node, from?.node);
    },
  };
}
