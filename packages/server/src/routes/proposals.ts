// Proposals: who may write proposes, who may approve decides; nobody decides on his own but to take
// it back.

import { grants, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { shownTo, verdictResponse } from "../http/verdict.ts";
import { isVersion, readEnvelope } from "./submission.ts";
import { type App, readObject, type Services, threadIdWith } from "./environment.ts";

const REASON_LIMIT = 2_000;

export function proposalRoutes(app: App, { threads, operationLimits }: Services): void {
  app.get("/threads/:id/proposals", async (context) => {
    const { thread } = await threads.get(await threadIdWith("read", context));
    return context.json(await thread.proposals());
  });

  app.post("/threads/:id/proposals", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    const shown = await shownTo(access, threadId);
    const { thread } = await threads.get(threadId);
    const body = await readObject(context.req.raw, operationLimits);
    const envelope = readEnvelope(body, ["operation", "expiresAt"]);
    const { operation, expiresAt } = body;
    if (operation === undefined)
      throw new Problem("invalid_body", 'The body must be { "operation": ..., "id"?, "expiresAt"? }.');
    if (expiresAt !== undefined && typeof expiresAt !== "string")
      throw new Problem("invalid_body", "`expiresAt` must be a time in ISO 8601, such as 2030-01-31T12:00:00Z.");
    const options = { ...envelope, ...(expiresAt !== undefined && { expiresAt }), actor: access.actor };
    return verdictResponse(await thread.propose(operation, options), shown);
  });

  app.post("/threads/:id/proposals/:proposal/approve", async (context) => {
    const threadId = await threadIdWith("approve", context);
    const { access } = context.var;
    await requireRight(access, threadId, "read");
    const { thread } = await threads.get(threadId);
    const body = await readObject(context.req.raw, operationLimits);
    const envelope = readEnvelope(body, ["proposedAt", "anyway"]);
    const { anyway } = body;
    if (anyway !== undefined && typeof anyway !== "boolean")
      throw new Problem(
        "invalid_body",
        "`anyway` must be true or false: whether to carry it out although what it changes was changed.",
      );
    const options = {
      ...envelope,
      ...readProposedAt(body),
      ...(anyway !== undefined && { anyway }),
      actor: access.actor,
      allows: () => true,
    };
    return verdictResponse(await thread.approve(context.req.param("proposal"), options));
  });

  app.post("/threads/:id/proposals/:proposal/decline", async (context) => {
    const threadId = await threadIdWith("read", context);
    const { access } = context.var;
    const may = await grants(access, threadId, "approve");
    // A proposer takes his own back.
    if (!may) await requireRight(access, threadId, "write");
    const { thread } = await threads.get(threadId);
    const body = await readObject(context.req.raw, operationLimits);
    const envelope = readEnvelope(body, ["proposedAt", "reason"]);
    const { reason } = body;
    if (reason !== undefined && (typeof reason !== "string" || reason.length > REASON_LIMIT))
      throw new Problem("invalid_body", `\`reason\` must be a text of at most ${REASON_LIMIT} characters.`);
    const options = {
      ...envelope,
      ...readProposedAt(body),
      ...(reason !== undefined && { reason }),
      actor: access.actor,
      allows: () => may,
    };
    return verdictResponse(await thread.decline(context.req.param("proposal"), options));
  });
}

function readProposedAt({ proposedAt }: Readonly<Record<string, unknown>>): { readonly proposedAt?: number } {
  if (proposedAt === undefined) return {};
  if (!isVersion(proposedAt))
    throw new Problem("invalid_body", "`proposedAt` must be the version of the proposal's commit.");
  return { proposedAt };
}
