// What other nodes send to this one:
//
//   POST /nodes/threads/:id   calls, for the owner of the thread
//   POST /nodes/requests      a client's request, about runs and streams that are here
//   POST /nodes/presence      who is there, at the sender
//   POST /nodes/runs          whether runs of a thread that it owned are still under way here
//
// Invariants:
// - They stand before the door: the sender is a node, known by its signature and by nothing else.
// - The actors and rights of calls are those that the sending node decided and signed.
// - Calls go to this process's own authority, or nowhere: they are not forwarded again.
// - When this node does not own the thread in the signed epoch, nothing is done.
// - A request goes through this node's own door. It is not passed on again.

import { OpstateError } from "@opstate/core";
import { Problem } from "../http/problem.ts";
import { readBytes } from "../http/json-body.ts";
import { type CallResult, errorOf, parseCalls } from "../owners/calls.ts";
import { type EarlierRunsQuestion, earlierRunsQuestion, UNDER_WAY } from "../owners/earlier-runs.ts";
import { PASSED } from "../owners/other-nodes.ts";
import { markAnswer, unpackRequest } from "../owners/passed-request.ts";
import { perform } from "../owners/owned-threads.ts";
import type { Owners } from "../owners/owners.ts";
import { type SharedPresence, TOLD } from "../owners/shared-presence.ts";
import { digestOf, type SignatureFault, type Verifier } from "../owners/signature.ts";
import { checkThreadId } from "../threads/thread-id.ts";
import type { Threads } from "../threads/threads.ts";
import type { App } from "./environment.ts";

/** Bytes: a list of calls has 1 MB, and one call may be larger. */
const BODY_LIMIT = 64 * 1024 * 1024;

export interface ForwardedServices {
  readonly threads: Threads;
  readonly owners: Owners;
  readonly presence: SharedPresence;
  readonly records: { areUnderWay(question: EarlierRunsQuestion): Promise<boolean> };
  readonly verifier: Verifier;
  readonly closing: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export function forwardedRoutes(app: App, services: ForwardedServices): void {
  const { threads, owners, presence, records, verifier, closing, onError } = services;

  /** What a node sent. Rejects with a Problem when it is not signed for this one. */
  async function readSigned(request: Request) {
    const { pathname, search } = new URL(request.url);
    // The times of signatures are compared with the clock of the lease.
    await owners.join();
    const verified = verifier.verify({
      method: request.method,
      path: `${pathname}${search}`,
      headers: request.headers,
    });
    if (verified === "wrong_node") throw new Problem("wrong_node", WORDS[verified]);
    if (typeof verified === "string") throw new Problem("node_refused", WORDS[verified]);
    if (closing.aborted) throw new Problem("closing", "The server is closing.");
    const bytes = await readBytes(request, BODY_LIMIT);
    if (digestOf(bytes) !== verified.digest) throw new Problem("node_refused", WORDS.wrong_signature);
    return { bytes, verified };
  }

  app.post(PASSED, async (context) => {
    const { bytes, verified } = await readSigned(context.req.raw);
    const request = unpackRequest(bytes, context.req.raw.signal);
    if (request === undefined) throw new Problem("invalid_body", "The body must be a request of another node.");
    return markAnswer(await app.fetch(request, { passedOn: { epoch: verified.epoch } }));
  });

  app.post(TOLD, async (context) => {
    const { bytes, verified } = await readSigned(context.req.raw);
    if (presence.receive(verified.from, parse(bytes))) return context.body(null, 204);
    throw new Problem("invalid_body", "The body must be what another node tells of who is there.");
  });

  app.post(UNDER_WAY, async (context) => {
    const { bytes } = await readSigned(context.req.raw);
    const question = earlierRunsQuestion(parse(bytes));
    if (question === undefined) throw new Problem("invalid_body", "The body must be a thread and an epoch.");
    return context.json({ areUnderWay: await records.areUnderWay(question) });
  });

  app.post("/nodes/threads/:id", async (context) => {
    const { bytes, verified } = await readSigned(context.req.raw);
    const forwarded = parseCalls(parse(bytes));
    if (forwarded === undefined) throw new Problem("invalid_body", "The body must be calls of another node.");
    const threadId = checkThreadId(context.req.param("id"));
    const { incarnation, calls } = forwarded;
    if (!(await owners.owns({ threadId, incarnation }, verified.epoch)))
      throw new Problem("not_owner", `This server does not own the thread in epoch ${verified.epoch}.`);

    const { local } = await threads.get(threadId);
    if (local.incarnation !== incarnation) {
      const error = new OpstateError(
        "replaced",
        `Thread "${threadId}" was deleted. A thread that has its id now is another one.`,
      );
      return context.json(calls.map(() => errorOf(error)));
    }
    const results = calls.map(async (call): Promise<CallResult> => {
      try {
        return { result: await perform(local, call) };
      } catch (error) {
        const known = errorOf(error);
        if ("notOwner" in known) owners.forget({ threadId, incarnation }, owners.known({ threadId, incarnation }));
        if ("error" in known && known.error.code === "failure") onError(error);
        return known;
      }
    });
    return context.json(await Promise.all(results));
  });
}

const WORDS: Readonly<Record<SignatureFault, string>> = {
  not_signed: "The request is not signed by a server of this log.",
  wrong_signature: "The signature is not that of this request.",
  wrong_node: "The request is signed for another server.",
  too_old: "The signature is not of the last 30 seconds.",
  repeated: "The request was accepted before.",
};

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
