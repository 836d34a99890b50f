// The demo put together: the opstate server with the board and its agent, what the page asks about
// the demo, and the page itself.
//
// Invariant: it answers to this machine's own names only, so that no page on the web reaches it
// through a name that points here.

import { type Log, openThread } from "@opstate/core";
import { type Board, board, sampleBoard } from "@opstate/kanban-domain";
import { type Connection, createServer, nonLoopbackHost } from "@opstate/server";
import { Hono } from "hono";
import { authorize } from "./access.ts";
import { createKanbanAgent, kanbanRun } from "./agent.ts";
import { bigBoard, BIG_THREAD } from "./big-board.ts";
import type { ChosenModel } from "./model.ts";
import { createSite } from "./site.ts";

export const DEMO_THREAD = "demo";

export interface AppOptions {
  readonly log: Log;
  readonly model: ChosenModel;
  /** The folder of the built page. */
  readonly site: string;
}

export interface App {
  /** `connection` is what `listen` of @opstate/server gives along. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Ends runs and streams. The log stays open: it is the caller's. */
  close(): Promise<void>;
}

export async function createApp({ log, model, site }: AppOptions): Promise<App> {
  await seed(log, DEMO_THREAD, () => sampleBoard);
  let big: Promise<void> | undefined;
  const server = createServer({
    definitions: [board],
    log,
    authorize,
    agents: { kanban: { definition: board.name, run: kanbanRun(createKanbanAgent(model)) } },
  });

  const app = new Hono<{ Bindings: { connection: Connection | undefined } }>();
  app.use(async (context, next) => {
    const host = nonLoopbackHost(context.req.raw);
    if (host === undefined) return next();
    return context.text(`The demo answers on this machine only, not as "${host.slice(0, 100)}".`, 403);
  });
  // Ten thousand cards are made when somebody wants to see them.
  app.use(`/threads/${BIG_THREAD}/*`, async (_, next) => {
    big ??= seed(log, BIG_THREAD, bigBoard).catch((error: unknown) => {
      big = undefined;
      throw error;
    });
    await big;
    return next();
  });
  app.get("/api/info", (context) =>
    context.json({ model: { name: model.name, offline: model.offline }, threadId: DEMO_THREAD }),
  );
  for (const path of ["/threads", "/threads/*", "/ag-ui/*", "/api/*"])
    app.all(path, ({ req, env }) => server.fetch(req.raw, env.connection));
  const page = createSite(site);
  app.all("*", ({ req }) => page(req.raw));

  return { fetch: async (request, connection) => app.fetch(request, { connection }), close: () => server.close() };
}

/** A thread that nobody has written to gets a board, so that the page has something to show. */
async function seed(log: Log, threadId: string, make: () => Board): Promise<void> {
  const thread = await openThread({ definition: board, log, threadId });
  if (thread.version === 0)
    await thread.dispatch(
      { type: "$replace", value: make() },
      { actor: { kind: "system", id: "demo" }, id: `sample-${threadId}` },
    );
  await thread.close();
}
