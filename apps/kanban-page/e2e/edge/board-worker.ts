// The demo's board as a Worker: the same definition, identities, rights and agent. It has no visits
// and no board of ten thousand cards, which the demo's own program makes.

import { createEdge, type EdgeBindings } from "@opstate/cloudflare";
import { board } from "@opstate/kanban-domain";
import { authorizeWith } from "../../../kanban-server/src/access.ts";
import { createKanbanAgent, kanbanRun } from "../../../kanban-server/src/agent.ts";
import { OfflineModel } from "../../../kanban-server/src/offline-model/offline-model.ts";

interface Env extends EdgeBindings {
  /** Milliseconds before each chunk of the offline model. */
  readonly CHUNK_DELAY: string;
  /** Of what writes the first board. */
  readonly SEED_CREDENTIALS: string;
}

const authorizePerson = authorizeWith({ open: () => undefined });

let run: ReturnType<typeof kanbanRun> | undefined;

/** The agent is compiled once. */
function runOf({ CHUNK_DELAY }: Env): ReturnType<typeof kanbanRun> {
  run ??= kanbanRun(createKanbanAgent({ model: new OfflineModel({ delayMs: Number(CHUNK_DELAY) }) }));
  return run;
}

const edge = createEdge<Env>((env) => ({
  definitions: [board],
  authorize: (request) =>
    request.headers.get("authorization") === env.SEED_CREDENTIALS
      ? { actor: { kind: "system", id: "demo" }, allows: (_, right) => right === "write" }
      : authorizePerson(request),
  agents: { kanban: { definition: board.name, run: runOf(env) } },
}));

export const OPSTATE_THREADS = edge.Threads;
export const OPSTATE_READERS = edge.Readers;
export const OPSTATE_INDEX = edge.Index;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.body === null) return edge.fetch(request, env);
    // workerd resets the connection of a body that nobody reads, by which its answer may be lost.
    const { method } = request;
    return edge.fetch(new Request(request, { method, body: await request.arrayBuffer() }), env);
  },
};
