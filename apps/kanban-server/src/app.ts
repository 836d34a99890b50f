// The demo's app: the opstate server with the board and its agent, `/api/info`, visits, and
// the page.
//
// Invariant: it answers only to this machine's own host names, so no page on the web can reach it
// by a name that points to this machine (DNS rebinding).

import { randomBytes } from "node:crypto";
import { type Log, openThread } from "@opstate/core";
import { type Board, board, sampleBoard } from "@opstate/kanban-domain";
import { mcpEndpoint } from "@opstate/mcp";
import {
  type Connection,
  createServer,
  type Drained,
  type DrainOptions,
  nonLoopbackHost,
  type RunStore,
} from "@opstate/server";
import { Hono } from "hono";
import { authorizeWith, DEMO_THREAD } from "./access.ts";
import { createKanbanAgent, kanbanRun } from "./agent.ts";
import { bigBoard, BIG_THREAD } from "./big-board.ts";
import type { CheckpointFile } from "./checkpoint-file.ts";
import { LatestCheckpoints } from "./latest-checkpoints.ts";
import type { ChosenModel } from "./model.ts";
import { createProviders, type Providers } from "./providers.ts";
import { createSite } from "./site.ts";
import { visitRoutes } from "./visits/visit-routes.ts";
import { Visits, type VisitsOptions } from "./visits/visits.ts";

export interface AppOptions {
  readonly log: Log;
  readonly model: ChosenModel;
  /** The folder of the built page. */
  readonly site: string;
  /** Signs the tokens of visits. Default: a new one, so that visits end with the process. */
  readonly visitSecret?: Uint8Array;
  /** What outlives the process of runs and conversations. Default: nothing. */
  readonly kept?: { readonly runs: RunStore; readonly checkpoints: CheckpointFile };
  /** Of models that a page may use with a person's own key. Default: those that are known. */
  readonly providers?: Providers;
  /** For tests: the clock and the limits of visits. */
  readonly visits?: Pick<VisitsOptions, "now" | "limit" | "quota">;
}

export interface App {
  /** `connection` comes from `listen` of @opstate/server. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Takes leave without cutting anything, then closes. The caller closes the log. */
  drain(options?: DrainOptions): Promise<Drained>;
  /** Ends runs and streams. The caller closes the log. */
  close(): Promise<void>;
}

interface Environment {
  Bindings: { connection: Connection | undefined };
}

export async function createApp(options: AppOptions): Promise<App> {
  const { log, model, site, visitSecret: secret = randomBytes(32), kept } = options;
  const { providers = createProviders() } = options;
  const visits = new Visits({ log, secret, ...options.visits });
  await seed(log, DEMO_THREAD, () => sampleBoard);
  let big: Promise<void> | undefined;
  const agent = createKanbanAgent(model, new LatestCheckpoints(undefined, kept?.checkpoints));
  const server = createServer({
    definitions: [board],
    log,
    authorize: authorizeWith(visits),
    mcp: mcpEndpoint({
      name: "opstate-demo",
      // No host is trusted with approvals: a person decides on the page.
      views: { page: (threadId) => (threadId === DEMO_THREAD ? "/react/" : `/react/?thread=${threadId}`) },
    }),
    agents: { kanban: { definition: board.name, run: kanbanRun(agent), continuable: kept !== undefined } },
    ...(kept && { runs: { store: kept.runs } }),
  });

  const app = new Hono<Environment>();
  app.use(async (context, next) => {
    const host = nonLoopbackHost(context.req.raw);
    if (host === undefined) return next();
    return context.text(`The demo answers on this machine only, not as "${host.slice(0, 100)}".`, 403);
  });
  visitRoutes(app, visits);
  // The big board is created by the first request that names it.
  const createBig = (): Promise<void> =>
    (big ??= seed(log, BIG_THREAD, bigBoard).catch((error: unknown) => {
      big = undefined;
      throw error;
    }));
  app.use(`/threads/${BIG_THREAD}/*`, async (_, next) => {
    await createBig();
    return next();
  });
  app.on("POST", ["/events", "/events/*"], async ({ req }, next) => {
    const followed = await req.raw.clone().text();
    if (followed.includes(JSON.stringify(BIG_THREAD))) await createBig();
    return next();
  });
  app.get("/api/info", (context) =>
    context.json({ model: { name: model.name, offline: model.offline }, threadId: DEMO_THREAD }),
  );
  app.get("/api/providers", async (context) => context.json(await providers.list()));
  for (const path of [
    "/threads",
    "/threads/*",
    "/events",
    "/events/*",
    "/operations",
    "/presence",
    "/healthz",
    "/readyz",
    "/ag-ui/*",
    "/mcp",
    "/.well-known/oauth-protected-resource/mcp",
    "/api/*",
  ])
    app.all(path, ({ req, env }) => server.fetch(req.raw, env.connection));
  const page = createSite(site, providers.origins);
  app.all("*", ({ req }) => page(req.raw));

  return {
    fetch: async (request, connection) => app.fetch(request, { connection }),
    drain(drainOptions) {
      visits.close();
      return server.drain(drainOptions);
    },
    close() {
      visits.close();
      return server.close();
    },
  };
}

/** Gives an empty thread its first board. */
async function seed(log: Log, threadId: string, make: () => Board): Promise<void> {
  const thread = await openThread({ definition: board, log, threadId });
  if (thread.version === 0)
    await thread.dispatch(
      { type: "$replace", value: make() },
      { actor: { kind: "system", id: "demo" }, id: `sample-${threadId}` },
    );
  await thread.close();
}
