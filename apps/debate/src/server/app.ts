// The debate's app: the graph with its checkpoints, the API, and the page.
//
// Invariant: it answers only to this machine's own host names, so no page on the web can reach it
// by a name that points to this machine (DNS rebinding).

import { defined } from "@opstate/core";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { nonLoopbackHost } from "@opstate/server";
import { Hono } from "hono";
import { createDebateGraph } from "../graph/graph.ts";
import type { Clock } from "../graph/speak.ts";
import { debateApi } from "./api.ts";
import { Debates } from "./debates.ts";
import { type ChosenModel, offlineModel } from "./model.ts";
import { Problem, problemResponse } from "./problem.ts";
import { serveSite } from "./site.ts";

export interface DebateAppOptions {
  /** The SQLite file of the checkpoints; ":memory:" keeps nothing. */
  readonly dataPath: string;
  /** Default: the offline model. */
  readonly model?: ChosenModel;
  /** The folder of the built page. */
  readonly site: string;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Called for every failure. Default: the console. */
  readonly onError?: (error: unknown) => void;
}

export interface DebateApp {
  /** Takes paths from "/" on. A host with a prefix removes it, as Hono's `mount` does. */
  fetch(request: Request): Promise<Response>;
  /** Ends the runs, which can be resumed, and closes the file. */
  close(): Promise<void>;
}

export function createDebateApp(options: DebateAppOptions): DebateApp {
  const { dataPath, model = offlineModel(), site, clock, onError = (error) => console.error(error) } = options;
  if (dataPath !== ":memory:") mkdirSync(dirname(dataPath), { recursive: true });
  const checkpointer = SqliteSaver.fromConnString(dataPath);
  const debates = new Debates(createDebateGraph({ model: model.model, checkpointer, ...defined({ clock }) }));

  const app = new Hono();
  app.use(async ({ req }, next) => {
    const host = nonLoopbackHost(req.raw);
    if (host === undefined) return next();
    return problemResponse(
      new Problem("wrong_host", `The debate answers on this machine only, not as "${host.slice(0, 100)}".`),
    );
  });
  app.route("/api", debateApi({ debates, model, onError }));
  app.get("*", ({ req }) => serveSite(site, req.path));

  return {
    fetch: async (request) => app.fetch(request),
    async close() {
      await debates.close();
      checkpointer.db.close();
    },
  };
}
