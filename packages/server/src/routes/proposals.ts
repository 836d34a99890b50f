// Proposals. An actor with the right to write proposes; another one with the right to approve
// decides. Proposers may decline their own proposals, but not approve them.

import { defined, type Proposal, type Thread } from "@opstate/core";
import { isGranted, requireRight } from "../http/access.ts";
import { jsonList } from "../http/json-list.ts";
import { Problem } from "../http/problem.ts";
import { verdictResponse, verdictViewFor } from "../http/verdict.ts";
import { type App, jsonResponse, type Services, threadIdWith, threadToRead } from "./environment.ts";
import { limitQuery, linkNext, PAGE_SIZE } from "./pages.ts";
import { integerQuery, isVersion, readOwnObject } from "./read-request.ts";
import { BASIS, basisOf, readEnvelope } from "./submission.ts";

const REASON_LIMIT = 2_000;
/** Proposals that are tried before the first of them is sent. */
const AT_ONCE = 20;

export function proposalRoutes(app: App, { threads, quotas, operationLimits }: Services): void {
  app.get("/threads/:id/proposals", async (context) => {
    const thread = await threadToRead(context, threads);
    const limit = limitQuery(context, 500, 1_000);
    const { signal } = context.req.raw;
    const open = proposalsAfter(thread, integerQuery(context, "after", 0));
    const { json, last } = await jsonList(open, { signal, limit, most: PAGE_SIZE });
    if (last !== undefined) linkNext(context, limit, last.version);
    quotas.spendOnList(context.var.access.actor, json.length);
    return jsonResponse(context, json);
  });

  app.get("/threads/:id/proposals/:proposal", async (context) => {
    const thread = await threadToRead(context, threads);
    const at = context.req.query("proposedAt");
    const proposedAt = at === undefined ? undefined : integerQuery(context, "proposedAt", 0);
    return context.json((await thread.proposal(context.req.param("proposal"), defined({ proposedAt }))) ?? null);
  });

  app.post("/threads/:id/proposals", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    const view = await verdictViewFor(access, threadId);
    const { thread } = await threads.get(threadId);
    const body = await readOwnObject(context.req.raw, operationLimits, context.var.access.actor);
    const envelope = readEnvelope(body, ["operation", "expiresAt", ...BASIS]);
    const { operation, expiresAt } = body;
    if (operation === undefined)
      throw new Problem(
        "invalid_body",
        'The body must be { "operation": ..., "id"?, "expiresAt"?, "basedOn"?, "things"? }.',
      );
    if (expiresAt !== undefined && typeof expiresAt !== "string")
      throw new Problem("invalid_body", "`expiresAt` must be a time in ISO 8601, such as 2030-01-31T12:00:00Z.");
    const options = { ...envelope, ...basisOf(body, ""), ...defined({ expiresAt }), actor: access.actor };
    await quotas.admitSubmissions(context.var.asking, threadId, 1);
    return verdictResponse(await thread.propose(operation, options), view);
  });

  app.post("/threads/:id/proposals/:proposal/approve", async (context) => {
    const threadId = await threadIdWith("approve", context);
    const { access } = context.var;
    await requireRight(access, threadId, "read");
    const { thread } = await threads.get(threadId);
    const body = await readOwnObject(context.req.raw, operationLimits, context.var.access.actor);
    const envelope = readEnvelope(body, ["proposedAt", "anyway"]);
    const { anyway } = body;
    if (anyway !== undefined && typeof anyway !== "boolean")
      throw new Problem(
        "invalid_body",
        "`anyway` must be true or false: whether to approve although what the proposal changes was changed since.",
      );
    const options = {
      ...envelope,
      ...defined({ proposedAt: readProposedAt(body), anyway }),
      actor: access.actor,
      allows: () => true,
    };
    return verdictResponse(await thread.approve(context.req.param("proposal"), options));
  });

  app.post("/threads/:id/proposals/:proposal/decline", async (context) => {
    const threadId = await threadIdWith("read", context);
    const { access } = context.var;
    const mayApprove = await isGranted(access, threadId, "approve");
    // Proposers may decline their own proposals without the right to approve.
    if (!mayApprove) await requireRight(access, threadId, "write");
    const { thread } = await threads.get(threadId);
    const body = await readOwnObject(context.req.raw, operationLimits, context.var.access.actor);
    const envelope = readEnvelope(body, ["proposedAt", "reason"]);
    const { reason } = body;
    if (reason !== undefined && (typeof reason !== "string" || reason.length > REASON_LIMIT))
      throw new Problem("invalid_body", `\`reason\` must be a text of at most ${REASON_LIMIT} characters.`);
    const options = {
      ...envelope,
      ...defined({ proposedAt: readProposedAt(body), reason }),
      actor: access.actor,
      allows: () => mayApprove,
    };
    return verdictResponse(await thread.decline(context.req.param("proposal"), options));
  });
}

/** Each is tried on the present state: no more of them than are sent, or about so. */
async function* proposalsAfter(thread: Thread, start: number): AsyncGenerator<Proposal, void, undefined> {
  for (let after = start; ;) {
    const part = await thread.proposals({ after, limit: AT_ONCE });
    yield* part;
    const last = part.at(-1);
    if (last === undefined || part.length < AT_ONCE) return;
    after = last.version;
  }
}

function readProposedAt({ proposedAt }: Readonly<Record<string, unknown>>): number | undefined {
  if (proposedAt === undefined || isVersion(proposedAt)) return proposedAt;
  throw new Problem("invalid_body", "`proposedAt` must be the version of the proposal's commit.");
}
