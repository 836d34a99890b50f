// A server as a fetch handler: threads, operations, events and agents, in any runtime that has
// `fetch` and Node's small modules. What listens on a port is `createServer`.
//
// Invariants:
// - No route runs before the request was authenticated.
// - Every error becomes a problem document. Only Problems say to the client what happened.
// - A server needs `authorize`. With `insecure: true` it needs none, and answers on loopback only.
//
// (Long because one function wires all parts.)

import { type Actor, type AnyDefinition, defined, OpstateError, type Thread } from "@opstate/core";
import { fullDefinition } from "@opstate/core/definition";
import { fullLog, timedLog } from "@opstate/core/log";
import { checkReceipts, type ThreadObserver } from "@opstate/core/thread";
import { RunQueue } from "@opstate/core/run-queue";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { agentRoutes } from "./ag-ui/route.ts";
import { runRoutes } from "./ag-ui/run-routes.ts";
import { openAccess } from "./http/access.ts";
import { EventStreams } from "./http/event-stream.ts";
import { Heartbeats } from "./http/heartbeats.ts";
import { Problem, problemResponse } from "./http/problem.ts";
import { Rechecks } from "./http/rechecks.ts";
import { everyAnswer } from "./observe/every-answer.ts";
import { Observers } from "./observe/observers.ts";
import { JointStreams } from "./joint/joint-streams.ts";
import { Deadline } from "./lifecycle/deadline.ts";
import { type Drained, type DrainOptions, drainTimes } from "./lifecycle/drain-options.ts";
import { healthRoutes } from "./lifecycle/health-routes.ts";
import { OpenWork } from "./lifecycle/open-work.ts";
import { Readiness } from "./lifecycle/readiness.ts";
import { epochLog } from "./owners/epoch-log.ts";
import { Forwarder } from "./owners/forwarder.ts";
import { checkNode } from "./owners/node-options.ts";
import { OwnedThreads } from "./owners/owned-threads.ts";
import { OtherNodes } from "./owners/other-nodes.ts";
import { Owners } from "./owners/owners.ts";
import { EarlierRuns } from "./owners/earlier-runs.ts";
import { SharedPresence } from "./owners/shared-presence.ts";
import { Verifier } from "./owners/signature.ts";
import { Quotas } from "./quotas/quotas.ts";
import { safely } from "./rights/audit.ts";
import { checkRevoked, Revocations } from "./rights/revocations.ts";
import { protectedResource } from "./mcp/protected-resource.ts";
import { mcpRoute } from "./mcp/route.ts";
import { keepLimits } from "./runs/run-options.ts";
import { Runs } from "./runs/runs.ts";
import { branchRoutes } from "./routes/branches.ts";
import { atTheDoor } from "./routes/door.ts";
import type { Environment } from "./routes/environment.ts";
import { eventRoutes } from "./routes/events.ts";
import { jointEventRoutes } from "./routes/joint-events.ts";
import { jointOperationRoutes } from "./routes/joint-operations.ts";
import { operationRoutes } from "./routes/operations.ts";
import { toProblem } from "./routes/problem-of-error.ts";
import { presenceRoutes } from "./routes/presence.ts";
import { forwardedRoutes } from "./routes/forwarded.ts";
import { proposalRoutes } from "./routes/proposals.ts";
import { schemaRoutes } from "./routes/schema.ts";
import { threadRoutes } from "./routes/threads.ts";
import { undoRoutes } from "./routes/undo.ts";
import type { ServerOptions } from "./server-options.ts";
import type { ServedThread } from "./threads/served-thread.ts";
import { Threads } from "./threads/threads.ts";

/** A server without a port: a host calls `fetch`. */
export interface FetchServer {
  /** Answers one request. */
  fetch(request: Request): Promise<Response>;
  /**
   * A thread of this server, in process: for an agent, a job or a test beside it. Its commits reach
   * every page at once. It is the caller's to close; until then the server keeps it open. With a
   * definition, one of `definitions`, it is typed, and created when there is none. Rejects with an
   * OpstateError: `unknown_thread` when there is none, `definition_mismatch` when it is of another
   * definition, `closed` after `close`.
   */
  thread(threadId: string): Promise<Thread>;
  thread<D extends AnyDefinition>(threadId: string, definition: D): Promise<Thread<D>>;
  /**
   * Rights were revoked. The streams and runs that the actor has open on the thread and on its
   * branches are checked by `authorize` again now, in every process that shares the log. Without an
   * actor those of all actors, without a thread those on all threads. Change what `authorize` says
   * first. Resolves when the log has it. When it rejects with the log's error, other processes find
   * out at their next check (`recheckSeconds`). Rejects with an OpstateError: `invalid_id`,
   * `closed`.
   */
  revoke(whom?: { readonly actor?: Actor; readonly threadId?: string }): Promise<void>;
  /**
   * Ends the work under way, then closes. From the call on `/readyz` says 503; streams end, each
   * with its own time to come back; new streams and runs get 503. Requests are answered, new ones
   * for `notice` milliseconds; runs that have begun go on until `deadline`. What is not done then
   * is cut, and counted. The caller closes the log. Throws a RangeError for times that are none.
   */
  drain(options?: DrainOptions): Promise<Drained>;
  /**
   * Ends streams and runs, finishes queued writes and stops listening, without notice. The caller
   * closes the log.
   */
  close(): Promise<void>;
}

/** The ports that a server listens on, to be drained and closed with it. */
export type Listeners = Iterable<{
  drain(options: DrainOptions): Promise<Drained>;
  close(): Promise<void>;
}>;

export interface Assembled extends Omit<FetchServer, "fetch"> {
  /** It has no `authorize`: only this machine may use it. */
  readonly isOpen: boolean;
  /** `outgoing`: Node's own response, where this package listens itself. */
  answer(request: Request, outgoing?: ServerResponse): Promise<Response>;
  /** From now on it may own threads. */
  join(): Promise<void>;
}

/**
 * The same server as `createServer` makes, for a host that is no Node process: it answers requests
 * and does not listen. Throws the same errors.
 *
 * @example
 * ```ts
 * import { createFetchServer } from "@opstate/server/fetch";
 *
 * const server = createFetchServer({ definitions: [board], log, authorize });
 * const answer = await server.fetch(new Request("https://boards.example/threads/launch"));
 * ```
 */
export function createFetchServer(options: ServerOptions): FetchServer {
  const { answer, thread, revoke, drain, close } = assemble(options, []);
  return { fetch: (request) => answer(request), thread, revoke, drain, close };
}

/** What MCP clients in browsers send. */
const MCP_HEADERS = ["mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"];

/** Milliseconds in which runs that are cut at the end of a drain send their end to readers. */
const FAREWELL_TIME = 1_000;

/** Milliseconds from a look at who is there to the last write about who is not. */
const ADOPTION_TIME = 1_000;

/** Levels of a body around an update: of the request, of a batch, of a replacement. */
const BODY_LEVELS = 8;

/** The parts of a server, wired. */
export function assemble(options: ServerOptions, listening: Listeners): Assembled {
  const {
    insecure = false,
    origins = [],
    limits = {},
    idleMinutes = 5,
    compact,
    receipts,
    compress = false,
    onSlow,
    mcp,
  } = options;
  const { recheckSeconds = 60, logTimeout = 10_000 } = options;
  const { timeoutMinutes = 30, queue: runsAtOnce = 32, detached = 16, keep, store } = options.runs ?? {};
  const log = timedLog(options.log, () => logTimeout);
  const observers = Observers.of(options.observe);
  const onError = observedErrors(options.onError ?? console.error, observers);
  const authorize = options.authorize ?? (insecure ? () => openAccess : undefined);
  if (!authorize) {
    throw new OpstateError(
      "insecure_server",
      "createServer needs `authorize`, which finds out who sends a request and what they may do. For a first try on this machine, pass `insecure: true`.",
    );
  }
  const open = options.authorize === undefined;
  if (!(idleMinutes > 0))
    throw new RangeError(`\`idleMinutes\` must be a number above 0, or Infinity, not ${idleMinutes}.`);
  if (!(logTimeout >= 1))
    throw new RangeError(`\`logTimeout\` must be milliseconds from 1, or Infinity, not ${logTimeout}.`);
  checkReceipts(receipts);
  if (!(recheckSeconds >= 1 && recheckSeconds <= 86_400))
    throw new RangeError(`\`recheckSeconds\` must be a number from 1 to 86400, not ${recheckSeconds}.`);
  if (!(timeoutMinutes > 0))
    throw new RangeError(`\`runs.timeoutMinutes\` must be a number above 0, or Infinity, not ${timeoutMinutes}.`);
  if (!(runsAtOnce >= 1)) throw new RangeError(`\`runs.queue\` must be a number from 1 on, not ${runsAtOnce}.`);
  if (!(detached >= 0)) throw new RangeError(`\`runs.detached\` must be a number from 0 on, not ${detached}.`);
  // A bundle for pages and for servers may have compiled them for pages.
  const definitions = byName(Object.values(options.definitions).map(fullDefinition));
  mcp?.check([...definitions.values()]);
  const agents = new Map(Object.entries(options.agents ?? {}));
  for (const [name, { definition }] of agents) {
    if (definitions.has(definition)) continue;
    throw new OpstateError(
      "invalid_definition",
      `Agent "${name}" needs the definition "${definition}", which is not in \`definitions\`: ${[...definitions.keys()].join(", ")}.`,
    );
  }

  // The definitions say how deep an update may be. What they would take is read.
  const depths = [...definitions.values()].map(({ model: { limits } }) =>
    Math.max(limits.state.depth, limits.operation.depth),
  );
  const depth = BODY_LEVELS + Math.max(0, ...depths);

  const draining = new AbortController();
  const closing = new AbortController();
  const requests = new OpenWork();
  const quotas = new Quotas(options.quotas ?? {}, onError);
  const observe: ThreadObserver = (event) => {
    quotas.spend(event.actor, event.judged);
    observers?.emitWithRequest(event);
  };
  const idleTime = idleMinutes * 60_000;
  const node = options.node && checkNode(options.node, options.log);
  const owners =
    node &&
    new Owners({
      ...node,
      onError,
      onLapsed: () => void stopAdopted().catch(onError),
      onLooked: () => presence?.look(),
    });
  const presence = node && owners && new SharedPresence({ ...node, owners, closing: closing.signal });
  const owned =
    node && owners && new OwnedThreads({ ...node, owners, logTimeout, forwarder: new Forwarder({ ...node, owners }) });
  const records = new Runs({ limits: keepLimits(keep), onError, ...defined({ store, nodes: owners }) });
  const written = fullLog(options.log);
  const opening = {
    log: owners ? epochLog(written, (incarnation) => owners.epochOf(incarnation)) : written,
    logTimeout,
    ...defined({ compact, receipts, onSlow, observe }),
  };
  const own = owned && ((thread: Thread) => owned.own(thread));
  const onServed = presence && (({ thread, presence: here }: ServedThread) => presence.serve(thread, here));
  const threads = new Threads({ definitions, log, opening, onError, onServed, idleTime, own });
  const heartbeats = new Heartbeats();
  const streams = new EventStreams(
    heartbeats,
    observers && {
      onOpened: (about) => observers.emit({ type: "stream_opened", ...about }),
      onClosed: (about, reason, duration) => observers.emit({ type: "stream_closed", ...about, reason, duration }),
    },
  );
  const joint = new JointStreams(owners?.id);
  const revocations = new Revocations({ log, onRevoked: (revoked) => rechecks.ask(revoked), onError });
  const rechecks = new Rechecks(recheckSeconds * 1_000, {
    onFirst: () => revocations.watch(),
    onLast: () => revocations.unwatch(),
  });
  const queue = new RunQueue();
  const runs = new OpenWork();
  const otherNodes =
    node && owners && new OtherNodes({ ...node, owners, logTimeout, open: runs, closing: closing.signal });
  const services = {
    threads,
    streams,
    joint,
    quotas,
    rechecks,
    queue,
    runs,
    records,
    otherNodes,
    earlierRuns: node && owners && new EarlierRuns({ ...node, owners, onError }),
    runBounds: { timeout: timeoutMinutes * 60_000, queue: runsAtOnce, detached },
    onError,
    observers,
    draining: draining.signal,
    closing: closing.signal,
    async beforeErasure(threadId: string) {
      if (store === undefined) return;
      // Of a server that is gone nobody may have asked since.
      await owners?.live();
      // A thread that cannot be opened is deleted all the same.
      const served = await threads.get(threadId).catch(() => undefined);
      if (served !== undefined) await records.of(served);
    },
    operationLimits: { bytes: limits.operations ?? 256 * 1024, depth },
    runLimits: { bytes: limits.run ?? 8 * 1024 * 1024, depth },
  };

  const app = new Hono<Environment>().basePath(options.basePath ?? "/");
  everyAnswer(app, observers, compress);
  if (origins.length > 0)
    app.use(
      cors({
        origin: [...origins],
        credentials: true,
        allowHeaders: [
          "authorization",
          "content-type",
          "last-event-id",
          "x-request-id",
          "traceparent",
          "tracestate",
          ...MCP_HEADERS,
        ],
        exposeHeaders: ["retry-after", "link", "x-request-id", "opstate-version", "mcp-session-id"],
        maxAge: 600,
      }),
    );
  healthRoutes(app, { readiness: new Readiness({ log }), draining: draining.signal, onError });
  if (node && owners && presence) {
    const verifier = new Verifier({ secrets: node.secrets, node: owners.id, now: () => owners.now() });
    forwardedRoutes(app, { threads, owners, presence, records, verifier, closing: closing.signal, onError });
  }
  if (mcp) protectedResource(app, mcp);
  atTheDoor(app, {
    authorize,
    origins,
    isOpen: open,
    threads,
    rechecks,
    quotas,
    closing: closing.signal,
    audit: safely(options.audit, onError),
  });
  threadRoutes(app, services);
  schemaRoutes(app, services);
  operationRoutes(app, services);
  undoRoutes(app, services);
  proposalRoutes(app, services);
  branchRoutes(app, services);
  eventRoutes(app, services);
  jointEventRoutes(app, services);
  jointOperationRoutes(app, services);
  presenceRoutes(app, services);
  agentRoutes(app, agents, services);
  runRoutes(app, services);
  if (mcp) mcpRoute(app, mcp, [...definitions.values()], services);
  const refuse = (context: Context<Environment>, problem: Problem) => {
    context.set("problem", problem.code);
    return problemResponse(problem, context.var.requestId);
  };
  app.notFound((context) => refuse(context, new Problem("not_found", "There is no route for this method and path.")));
  app.onError((error, context) => refuse(context, toProblem(error, onError)));

  function answer(request: Request, outgoing?: ServerResponse): Promise<Response> {
    // Behind a host of its own it does not listen: it is there once it has a request.
    owners?.join().catch(onError);
    return requests.during(async () => app.fetch(request, outgoing === undefined ? {} : { outgoing }));
  }

  async function close(): Promise<void> {
    draining.abort();
    closing.abort();
    streams.endAll();
    await mcp?.close();
    const closed = Array.from(listening, (server) => server.close());
    await queue.idle();
    await records.close();
    await threads.close();
    await Promise.all(closed);
    // What it owned is another's at once; where the log cannot be reached, when its lease is over.
    await owners?.leave().catch(onError);
    observers?.close();
  }

  /** Who read the store while this server was not there may write into it a moment later. */
  async function stopAdopted(): Promise<void> {
    await records.stopAdopted();
    await delay(ADOPTION_TIME);
    await records.stopAdopted();
  }

  async function thread(threadId: string, definition?: AnyDefinition): Promise<Thread> {
    if (closing.signal.aborted) throw new OpstateError("closed", "The server is closed.");
    return definition === undefined ? threads.open(threadId) : threads.openAs(threadId, fullDefinition(definition));
  }

  async function revoke(whom: Parameters<FetchServer["revoke"]>[0] = {}): Promise<void> {
    if (closing.signal.aborted) throw new OpstateError("closed", "The server is closed.");
    const revoked = checkRevoked(whom);
    rechecks.ask(revoked);
    await revocations.publish(revoked);
  }

  return {
    isOpen: open,
    answer,
    // Its threads are given to it from now on. While the log is away, a request tries again.
    join: async () => owners?.join().catch(onError),
    revoke,
    // The overload with a definition gives a thread of that definition.
    thread: thread as FetchServer["thread"],
    async drain(options = {}) {
      const times = drainTimes(options);
      observers?.emit({ type: "drain_started" });
      const deadline = new Deadline(times.deadline);
      draining.abort();
      streams.endLasting();
      const handedOver = owners?.drain().catch(onError);
      const drained = Array.from(listening, async (server) => {
        // The other servers ask for the runs that are under way here.
        if (owners) await deadline.wait(runs.idle());
        // Its own deadline comes after this one, so that the readers of runs that are cut get to
        // know it.
        return server.drain({ ...times, deadline: Math.max(deadline.left, times.notice) + FAREWELL_TIME });
      });
      await deadline.wait(
        Promise.all([
          handedOver,
          ...drained,
          delay(times.notice).then(() => Promise.all([requests.idle(), runs.idle()])),
        ]),
      );
      deadline.clear();
      const cut = deadline.isOver ? requests.count + runs.count : 0;
      const closed = close();
      const unanswered = await Promise.all(drained);
      await closed;
      const all = cut + unanswered.reduce((sum, { cut: some }) => sum + some, 0);
      observers?.emit({ type: "drain_ended", cut: all });
      return { cut: all };
    },
    close,
  };
}

/** Observers get what the application's own handler gets. */
function observedErrors(onError: (error: unknown) => void, observers: Observers | undefined): (error: unknown) => void {
  if (observers === undefined) return onError;
  return (error) => {
    observers.emitWithRequest({ type: "error", error });
    onError(error);
  };
}

function byName(definitions: readonly AnyDefinition[]): ReadonlyMap<string, AnyDefinition> {
  const named = new Map<string, AnyDefinition>();
  for (const definition of definitions) {
    if (named.has(definition.name)) {
      throw new OpstateError(
        "invalid_definition",
        `Two definitions in \`definitions\` have the name "${definition.name}". A thread finds its definition by name, so each needs its own.`,
      );
    }
    named.set(definition.name, definition);
  }
  return named;
}
