// POST /ag-ui/:agent for an unmodified AG-UI client. With `?detached=true`, which such a client
// does not send, the run goes on when its reader leaves.

import { isGranted, requireRight } from "../http/access.ts";
import type { StreamTarget } from "../http/event-stream.ts";
import { Problem } from "../http/problem.ts";
import { accessCheck, type App, lastingAccess, type Services, streamTarget } from "../routes/environment.ts";
import type { ServedAgent } from "./agent.ts";
import { acceptsProtobuf, toProtobuf } from "./protobuf.ts";
import { readRunInput } from "./run-input.ts";
import { runElsewhere } from "./run-elsewhere.ts";
import { type RunServices, serveRun } from "./run-stream.ts";

/** A run also needs `read`, since its stream has the whole state. */
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
        `There is no agent "${name}". This server has: ${[...agents.keys()].join(", ") || "none"}.`,
      );
    const { input, pageState } = await readRunInput(context.req.raw, services.runLimits, {
      threadId: context.req.query("threadId"),
      async permit(threadId) {
        for (const right of RIGHTS) await requireRight(context.var.access, threadId, right);
      },
    });
    const mayApprove = await isGranted(context.var.access, input.threadId, "approve");
    const { served } = await services.threads.getOrCreate(input.threadId, agent.definition);
    if (services.draining.aborted) throw new Problem("closing", "The server is closing.");
    const check = accessCheck(context, served, RIGHTS, services.threads);
    const { thread } = served;
    const { presence } = served;
    const isDetached = isDetachedRun(agent, context.req.query("detached"));
    const threadRuns = await services.records.of(served);
    const run = {
      name,
      agent: agent.run,
      input,
      pageState: agent.pageState === "ignore" ? undefined : pageState,
      thread,
      presence,
      threadRuns,
      isDetached,
      isShared: agent.runs === "thread",
      isContinuable: agent.continuable === true,
      continues: context.req.query("continues"),
      hold: () => served.hold(),
      actor,
      mayApprove,
      lasting: { ...lastingAccess(context), check },
    };
    const answer = (target: StreamTarget) =>
      whereOwned(
        () => runElsewhere(context, run, { ...input, state: pageState }, services),
        async () => {
          // A server that left since they were read has left its runs in the store.
          await threadRuns.loadOfOthers().catch(services.onError);
          return serveRun(run, target, services);
        },
      );
    const target = streamTarget(context);
    if (!acceptsProtobuf(context.req.raw)) return answer(target);
    // Not directly to the socket, since the text is translated first.
    const text = await answer({ ...target, outgoing: undefined });
    return text.ok ? toProtobuf(text, services.onError) : text;
  });
}

/** A thread may get another owner between the question who owns it and the start of the run. */
async function whereOwned(elsewhere: () => Promise<Response | undefined>, here: () => Promise<Response>) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await elsewhere();
    if (answer !== undefined) return answer;
    try {
      return await here();
    } catch (error) {
      const isLate = error instanceof Problem && error.code === "not_owner";
      if (!isLate || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 3;

/** Clients request it in the query, which no AG-UI client sends by accident. */
function isDetachedRun({ detached = "requested" }: ServedAgent, query: string | undefined): boolean {
  return detached === "always" || (detached === "requested" && query === "true");
}
