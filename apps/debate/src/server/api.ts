// The routes of the debate: start one, answer it, read it.

import { randomId } from "@opstate/core/thread";
import { Hono } from "hono";
import { Decision, ResumeRequest, StartRequest } from "../debate/requests.ts";
import { readBody } from "./body.ts";
import type { Debates, Run } from "./debates.ts";
import type { ChosenModel } from "./model.ts";
import { invalidBody, Problem, problemResponse } from "./problem.ts";
import { runEvents } from "./run-events.ts";
import { eventResponse } from "./sse.ts";

export interface ApiOptions {
  readonly debates: Debates;
  readonly model: ChosenModel;
  readonly onError: (error: unknown) => void;
}

export function debateApi({ debates, model, onError }: ApiOptions): Hono {
  const api = new Hono();
  const stream = (run: Run) => eventResponse(runEvents(debates, run, onError), run, { "debate-id": run.id });

  api.get("/info", (context) => context.json({ model: { name: model.name, offline: model.offline } }));

  api.post("/debate", async ({ req }) => {
    const { id = randomId(), topic, maxRounds } = await readBody(req.raw, StartRequest);
    return stream(await debates.start(id, { topic, maxRounds }));
  });

  api.get("/debate/:id", async ({ req, json }) =>
    json(await debates.get(req.param("id")), 200, { "cache-control": "no-store" }),
  );

  api.post("/debate/:id/resume", async ({ req }) => {
    const { interruptId, ...answer } = await readBody(req.raw, ResumeRequest);
    return stream(await debates.resume(req.param("id"), decisionIn(answer), interruptId));
  });

  api.notFound(({ req }) =>
    problemResponse(new Problem("not_found", `There is no route ${req.method} ${req.path.slice(0, 100)}.`)),
  );
  api.onError((error) => {
    if (error instanceof Problem) return problemResponse(error);
    onError(error);
    return problemResponse(new Problem("failure", "Something in the server failed. The request can be sent again."));
  });
  return api;
}

function decisionIn(answer: { readonly decision?: string | undefined; readonly word?: unknown }): Decision | undefined {
  if (answer.decision === undefined && answer.word === undefined) return undefined;
  const parsed = Decision.safeParse(answer);
  if (!parsed.success) throw invalidBody(parsed.error);
  return parsed.data;
}
