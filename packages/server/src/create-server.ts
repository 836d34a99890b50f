// The server: threads, operations, events and agents over HTTP.
//
// Invariants:
// - No route runs before the request was authenticated.
// - Every error becomes a problem document. Only Problems say to the client what happened.
// - A server needs `authorize`. With `insecure: true` it needs none, and answers on loopback only.
//
// (Long because most of it is the documented options.)

import { type Actor, type AnyDefinition, defined, type Log, OpstateError, type Thread } from "@opstate/core";
import { fullDefinition } from "@opstate/core/definition";
import { isLoopback } from "@opstate/core/host-guard";
import { fullLog, type LogAdapter, timedLog } from "@opstate/core/log";
import { checkReceipts, type ReceiptOptions, type SlowOperation, type ThreadObserver } from "@opstate/core/thread";
import { RunQueue } from "@opstate/core/run-queue";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { ServedAgent } from "./ag-ui/agent.ts";
import { agentRoutes } from "./ag-ui/route.ts";
import { runRoutes } from "./ag-ui/run-routes.ts";
import { type Authorize, openAccess } from "./http/access.ts";
import { EventStreams } from "./http/event-stream.ts";
import { Heartbeats } from "./http/heartbeats.ts";
import { Problem, problemResponse } from "./http/problem.ts";
import { Rechecks } from "./http/rechecks.ts";
import { everyAnswer } from "./observe/every-answer.ts";
import { Observation } from "./observe/observation.ts";
import type { Observer } from "./observe/observer.ts";
import { JointStreams } from "./joint/joint-streams.ts";
import { Deadline } from "./lifecycle/deadline.ts";
import { type Drained, type DrainOptions, drainTimes } from "./lifecycle/drain-options.ts";
import { healthRoutes } from "./lifecycle/health-routes.ts";
import { OpenWork } from "./lifecycle/open-work.ts";
import { Readiness } from "./lifecycle/readiness.ts";
import { epochLog } from "./owners/epoch-log.ts";
import { Forwarder } from "./owners/forwarder.ts";
import { checkNode, type NodeOptions } from "./owners/node-options.ts";
import { OwnedThreads } from "./owners/owned-threads.ts";
import { Owners } from "./owners/owners.ts";
import { Verifier } from "./owners/signature.ts";
import { type QuotaOptions, Quotas } from "./quotas/quotas.ts";
import { type Audit, safely } from "./rights/audit.ts";
import { checkRevoked, Revocations } from "./rights/revocations.ts";
import type { McpEndpoint } from "./mcp/endpoint.ts";
import { protectedResource } from "./mcp/protected-resource.ts";
import { mcpRoute } from "./mcp/route.ts";
import { Connection, type HttpServer, listen, type Listening, type ListenOptions } from "./listen.ts";
import { type KeepOptions, keepLimits } from "./runs/run-options.ts";
import type { RunStore } from "./runs/run-store.ts";
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
import { Threads } from "./threads/threads.ts";

/** Upper limits for the bodies of requests, in bytes. */
export interface ServerLimits {
  /** The body of a POST with operations. Default 256 KB. */
  readonly operations?: number;
  /**
   * The input of a run, in which clients send all messages and their copy of the state. Default 8
   * MB.
   */
  readonly run?: number;
}

export interface ServerOptions {
  /** The definitions that threads may have. Their names must differ. */
  readonly definitions: readonly AnyDefinition[] | Readonly<Record<string, AnyDefinition>>;
  readonly log: Log | LogAdapter;
  /**
   * Makes this server one of several that share a Postgres log: each thread has one of them as its
   * owner, who writes it, and the others forward to it. Without it every server writes every
   * thread, which is as safe, and slower where several write the same one.
   */
  readonly node?: NodeOptions;
  /** Finds out who sends a request and what they may do. Required, unless `insecure` is true. */
  readonly authorize?: Authorize;
  /**
   * Serves every request on this machine's loopback, as one user with every right. For a first
   * try.
   */
  readonly insecure?: boolean;
  /**
   * A stream or a run that is open asks `authorize` again at least once in so many seconds, from 1
   * to 86,400. Default 60. It also asks when `expiresAt` comes, and at `revoke`.
   */
  readonly recheckSeconds?: number;
  /** Agents by the name in `POST /ag-ui/:agent`. */
  readonly agents?: Readonly<Record<string, ServedAgent>>;
  /**
   * Serves the threads to MCP clients at `/mcp`: `mcpEndpoint()` of `@opstate/mcp`. `authorize` is
   * asked with every request there, too.
   */
  readonly mcp?: McpEndpoint;
  /**
   * The prefix of all routes, such as "/opstate". A host that strips its prefix needs none.
   */
  readonly basePath?: string;
  /**
   * Other web origins whose pages may use this server, such as "https://app.example.com". For a
   * session in a cookie such a page sends `credentials: "include"`.
   */
  readonly origins?: readonly string[];
  readonly limits?: ServerLimits;
  /**
   * A thread with no reader, run or request for this many minutes (at most twice as many) is
   * closed. The next request opens it again. Default 5; Infinity keeps every thread open.
   */
  readonly idleMinutes?: number;
  /**
   * Compacts the history of every thread by itself: at least the newest `keep` commits stay.
   * Default: all commits stay.
   */
  readonly compact?: { readonly keep: number };
  /**
   * For how long every thread knows the ids of submissions: `{ keep: milliseconds }`. One that is
   * older, by its `madeAt`, is refused with `conflict`, reason `too_old`, and never run. All
   * servers of a log say the same. Default: for ever.
   */
  readonly receipts?: ReceiptOptions;
  /**
   * Milliseconds, from 1: a call to the log that takes longer is given up, and who waits for it
   * gets 503 with Retry-After. A submission may have been stored nevertheless: sent again with its
   * id, it has one effect. Default 10,000; Infinity: as long as the log itself takes.
   */
  readonly logTimeout?: number;
  /**
   * Sends JSON answers in gzip or brotli to clients that take it; streams stay as they are. Default
   * false: leave it to the proxy, if there is one.
   */
  readonly compress?: boolean;
  /**
   * Runs of agents. `timeoutMinutes`: a run that has not ended by then is ended with RUN_ERROR
   * ("run_timeout"); default 30. `queue`: so many runs of one thread may be there at once, one that
   * runs and others that wait; further ones get 429 with Retry-After; default 32. `detached`: so
   * many of one actor may go on without a reader; default 16. `keep`: what is kept of runs, for
   * readers that come later. `store`: where it is kept; default in memory.
   */
  readonly runs?: {
    readonly timeoutMinutes?: number;
    readonly queue?: number;
    readonly detached?: number;
    readonly keep?: KeepOptions;
    readonly store?: RunStore;
  };
  /**
   * How much one actor may use, of this process and of each thread; more gets 429 with Retry-After.
   * The default stops programs that run wild, and no person.
   */
  readonly quotas?: QuotaOptions;
  /** Called when an operation took 50 ms or more, so that everybody else waited for it. */
  readonly onSlow?: (slow: SlowOperation) => void;
  /**
   * Gets every error that a client sees only as 500, as `log_unavailable` or as "The agent
   * failed.". Default: console.error.
   */
  readonly onError?: (error: unknown) => void;
  /**
   * Watches the server: requests, submissions, streams, runs, stalls. Default: nothing is
   * measured.
   */
  readonly observe?: Observer | readonly Observer[];
  /**
   * Is called with everyone who was let in or refused, for an audit log: who, when, which right on
   * which thread, the request's id, and nothing of what is in it. It is not waited for. What it
   * throws goes to `onError`.
   */
  readonly audit?: Audit;
}

export interface Server {
  /**
   * Answers one request. Mount it in Hono, Next, Express or any other host of fetch handlers. With
   * the connection from this package's `listen`, events cost less; then nothing else may change the
   * response.
   */
  fetch(request: Request, connection?: Connection): Promise<Response>;
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
   * Rights were revoked: what the actor has open on the thread and its branches (streams, runs)
   * asks `authorize` again now, in every process that shares the log. Without an actor everybody's,
   * without a thread on all threads. So change what `authorize` says first. Resolves when the log
   * has it; when it rejects with the log's error, other processes find out at their next look
   * (`recheckSeconds`). Rejects with an OpstateError: `invalid_id`, `closed`.
   */
  revoke(whom?: { readonly actor?: Actor; readonly threadId?: string }): Promise<void>;
  /** Listens on a port of this machine. Rejects with an error when the port is in use. */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * Takes leave without cutting anything, then closes. From the call on `/readyz` says 503; streams
   * end, each with its own time to come back; new streams and runs get 503. Requests are answered,
   * new ones for `notice` milliseconds; runs that have begun go on until `deadline`. What is not
   * done then is cut, and counted. The caller closes the log. Throws a RangeError for times that
   * are none.
   */
  drain(options?: DrainOptions): Promise<Drained>;
  /**
   * Ends streams and runs, finishes queued writes and stops listening, without notice. The caller
   * closes the log.
   */
  close(): Promise<void>;
}

/** What MCP clients in browsers send. */
const MCP_HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"];

/** Milliseconds in which runs that are cut at the end of a drain send their end to readers. */
const FAREWELL_TIME = 1_000;

/** Levels of a body around an update: of the request, of a batch, of a replacement. */
const BODY_LEVELS = 8;

/**
 * A server for shared state: `GET/PUT/DELETE /threads/:id`, `/threads/:id/operations`, `/history`,
 * `/schema`, `/undo`, `/proposals`, `/branches`, `/events`, `/runs`; for many threads at once `POST
 * /events`, `/operations` and `/presence`; `POST /ag-ui/:agent`; with `mcp`, `/mcp`. The page is
 * docs/protocol.md. Throws an OpstateError:
 * "insecure_server" when there is no `authorize`, "invalid_definition" when two definitions have
 * one name or an agent's has none, "page_build" when a definition cannot be compiled for a server.
 *
 * @example
 * ```ts
 * import { createServer } from "@opstate/server";
 * import { sqliteLog } from "@opstate/server/sqlite";
 *
 * const server = createServer({
 *   definitions: [board],
 *   log: sqliteLog({ path: "data/boards.sqlite" }),
 *   authorize: async (request) => {
 *     const user = await sessionOf(request);
 *     if (!user) return null;
 *     const actor = { kind: "user", id: user.id };
 *     return { actor, allows: (threadId, right) => user.mayUse(threadId, right) };
 *   },
 * });
 * await server.listen({ port: 4310 });
 * ```
 */
export function createServer(options: ServerOptions): Server {
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
  const observation = Observation.of(options.observe);
  const onError = observedErrors(options.onError ?? console.error, observation);
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
  const records = new Runs({ limits: keepLimits(keep), onError, ...defined({ store }) });
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
    observation?.emitWithRequest(event);
  };
  const idleTime = idleMinutes * 60_000;
  const node = options.node && checkNode(options.node, options.log);
  const owners = node && new Owners({ ...node, onError });
  const owned =
    node && owners && new OwnedThreads({ ...node, owners, logTimeout, forwarder: new Forwarder({ ...node, owners }) });
  const written = fullLog(options.log);
  const opening = {
    log: owners ? epochLog(written, (incarnation) => owners.epochOf(incarnation)) : written,
    logTimeout,
    ...defined({ compact, receipts, onSlow, observe }),
  };
  const own = owned && ((thread: Thread) => owned.own(thread));
  const threads = new Threads({ definitions, log, opening, onError, idleTime, own });
  const heartbeats = new Heartbeats();
  const streams = new EventStreams(
    heartbeats,
    observation && {
      onOpened: (about) => observation.emit({ type: "stream_opened", ...about }),
      onClosed: (about, reason, duration) => observation.emit({ type: "stream_closed", ...about, reason, duration }),
    },
  );
  const joint = new JointStreams();
  const revocations = new Revocations({ log, onRevoked: (revoked) => rechecks.ask(revoked), onError });
  const rechecks = new Rechecks(recheckSeconds * 1_000, {
    onFirst: () => revocations.watch(),
    onLast: () => revocations.unwatch(),
  });
  const queue = new RunQueue();
  const runs = new OpenWork();
  const services = {
    threads,
    streams,
    joint,
    quotas,
    rechecks,
    queue,
    runs,
    records,
    runBounds: { timeout: timeoutMinutes * 60_000, queue: runsAtOnce, detached },
    onError,
    observation,
    draining: draining.signal,
    closing: closing.signal,
    operationLimits: { bytes: limits.operations ?? 256 * 1024, depth },
    runLimits: { bytes: limits.run ?? 8 * 1024 * 1024, depth },
  };

  const app = new Hono<Environment>().basePath(options.basePath ?? "/");
  everyAnswer(app, observation, compress);
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
        exposeHeaders: ["retry-after", "link", "x-request-id", "opstate-version"],
        maxAge: 600,
      }),
    );
  healthRoutes(app, { readiness: new Readiness({ log }), draining: draining.signal, onError });
  if (node && owners) {
    const verifier = new Verifier({ secrets: node.secrets, node: owners.id, now: () => owners.now() });
    forwardedRoutes(app, { threads, owners, verifier, closing: closing.signal, onError });
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

  const listening = new Set<HttpServer>();

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
    const closed = [...listening].map((server) => server.close());
    await queue.idle();
    await records.close();
    await threads.close();
    await Promise.all(closed);
    // What it owned is another's at once; where the log cannot be reached, when its lease is over.
    await owners?.leave().catch(onError);
    observation?.close();
  }

  async function thread(threadId: string, definition?: AnyDefinition): Promise<Thread> {
    if (closing.signal.aborted) throw new OpstateError("closed", "The server is closed.");
    return definition === undefined ? threads.open(threadId) : threads.openAs(threadId, fullDefinition(definition));
  }

  async function revoke(whom: Parameters<Server["revoke"]>[0] = {}): Promise<void> {
    if (closing.signal.aborted) throw new OpstateError("closed", "The server is closed.");
    const revoked = checkRevoked(whom);
    rechecks.ask(revoked);
    await revocations.publish(revoked);
  }

  return {
    revoke,
    // The overload with a definition gives a thread of that definition.
    thread: thread as Server["thread"],
    async fetch(request, connection) {
      // Hosts pass objects of their own as the second argument.
      return answer(request, connection instanceof Connection ? connection.outgoing : undefined);
    },
    async listen(where = {}) {
      if (open && !isLoopback(where.hostname ?? "127.0.0.1")) {
        throw new OpstateError(
          "insecure_server",
          `A server without \`authorize\` can listen on loopback only, not on "${where.hostname}".`,
        );
      }
      const server = await listen(async (request, { outgoing }) => answer(request, outgoing), where);
      listening.add(server);
      // Its threads are given to it from now on. While the log is away, a request tries again.
      await owners?.join().catch(onError);
      const { port, hostname, url } = server;
      return { port, hostname, url };
    },
    async drain(options = {}) {
      const times = drainTimes(options);
      observation?.emit({ type: "drain_started" });
      const deadline = new Deadline(times.deadline);
      draining.abort();
      streams.endLasting();
      const handedOver = owners?.drain().catch(onError);
      // Its own deadline comes after this one, so that the readers of runs that are cut get to know
      // it.
      const drained = [...listening].map((server) =>
        server.drain({ ...times, deadline: times.deadline + FAREWELL_TIME }),
      );
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
      observation?.emit({ type: "drain_ended", cut: all });
      return { cut: all };
    },
    close,
  };
}

/** Observers get what the application's own handler gets. */
function observedErrors(
  onError: (error: unknown) => void,
  observation: Observation | undefined,
): (error: unknown) => void {
  if (observation === undefined) return onError;
  return (error) => {
    observation.emitWithRequest({ type: "error", error });
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
