// POST /ag-ui/:agent for an unmodified AG-UI client.

import { grants, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { type App, checkStanding, type Services, streamTarget } from "../routes/environment.ts";
import type { ServedAgent } from "./agent.ts";
import { asksForProtobuf, toProtobuf } from "./protobuf.ts";
import { readRunInput } from "./run-input.ts";
import { type RunServices, serveRun } from "./run-stream.ts";

/** The stream has the whole state in it. */
const RIGHTS = ["write", "read"] as const;

export function agentRoutes(
  app: App,
  agents: ReadonlyMap<string, ServedAgent>,
  services: Services & RunServices,
): void {
  app.post("/ag-ui/:agent", async (context) => {
    const { actor } = context.var.access;
    const name = context.req.param("agent");
    const agent = agents.get(name);
    if (!agent)
      throw new Problem(
        "unknown_agent",
        `There is no agent "${name}"; known are ${[...agents.keys()].join(", ") || "none"}.`,
      );
    const input = await readRunInput(context.req.raw, services.runLimits, {
      threadId: context.req.query("threadId"),
      async permit(threadId) {
        for (const right of RIGHTS) await requireRight(context.var.access, threadId, right);
      },
    });
    const mayApprove = await grants(context.var.access, input.threadId, "approve");
    const served = await services.threads.getOrCreate(input.threadId, agent.definition);
    if (services.closing.aborted) throw new Problem("closing", "The server is closing.");
    const check = checkStanding(context, served, RIGHTS, services.threads);
    const run = { agent: agent.run, input, thread: served.thread, hold: served.hold, actor, mayApprove, check };
    const target = streamTarget(context);
    if (!asksForProtobuf(context.req.raw)) return serveRun(run, target, services);
    // Not straight to the socket: the text is translated on its way.
    return toProtobuf(serveRun(run, { ...target, outgoing: undefined }, services), services.onError);
  });
}
