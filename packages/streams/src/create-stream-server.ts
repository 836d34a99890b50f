// The server of the Durable Streams protocol, on any store of streams.
//
// Invariants:
// - No route runs before the request was authenticated, and no body is read before the right to
//   send it was checked.
// - Every error becomes a problem document. Only Problems say to the client what happened.
// - A server needs `authorize`. With `insecure: true` it needs none, and answers on loopback only.

import { OpstateError } from "@opstate/core";
import { isLoopback } from "@opstate/core/host-guard";
import { authenticate, type AuthorizeStreams, openAccess, requireRight } from "./http/access.ts";
import { appendRoute } from "./http/append.ts";
import { withCommonHeaders } from "./http/common-headers.ts";
import { createRoute } from "./http/create.ts";
import type { Exchange, StreamServices } from "./http/exchange.ts";
import { checkLoopbackHost, checkOrigin } from "./http/host-guard.ts";
import { LiveReaders, type RevokedStreams } from "./http/live-readers.ts";
import { Problem, problemResponse, toProblem } from "./http/problem.ts";
import { deleteRoute, headRoute, readRoute } from "./http/read.ts";
import { streamIdOf } from "./http/stream-id.ts";
import { listen, type StreamListening, type StreamListenOptions } from "./listen.ts";
import type { StreamStore } from "./store/store.ts";
import { timedStore } from "./store/timed-store.ts";

/** How much is accepted. Numbers from 1; Infinity: no limit. */
export interface StreamServerLimits {
  /** Bytes of the body of one PUT or POST. Default 1 MiB. */
  readonly body?: number;
  /** Bytes that one stream takes. Default 64 MiB. */
  readonly streamBytes?: number;
  /** Streams that one actor may have at once. Default 10,000. */
  readonly streams?: number;
  /** Messages in one body of JSON. Default 10,000. */
  readonly messages?: number;
  /** Producers whose state one stream keeps. Default 1,000. */
  readonly producers?: number;
  /** Requests of one actor that may follow streams at once. Default 1,000. */
  readonly readers?: number;
  /** Bytes of one answer, and of one event. Default 1 MiB. */
  readonly page?: number;
}

export interface StreamServerOptions {
  readonly store: StreamStore;
  /** Finds out who sends a request and what they may do. Required, unless `insecure` is true. */
  readonly authorize?: AuthorizeStreams;
  /** Serves every request on this machine's loopback, with every right. For a first try. */
  readonly insecure?: boolean;
  /** The path that all streams are below. Default "/". */
  readonly basePath?: string;
  /** Other web origins whose pages may use this server, such as "https://app.example.com". */
  readonly origins?: readonly string[];
  readonly limits?: StreamServerLimits;
  /** Seconds that a long-poll waits for a message. Default 30. */
  readonly longPollSeconds?: number;
  /** Seconds after which an event stream ends, and its reader comes back. Default 60. */
  readonly sseSeconds?: number;
  /** A reader who follows is checked again at least once in so many seconds. Default 60. */
  readonly recheckSeconds?: number;
  /**
   * Milliseconds: a call to the store that takes longer fails with 503. What it was to append may
   * have been stored: a producer sends it again with its number. Default 10,000.
   */
  readonly storeTimeout?: number;
  /**
   * Who may keep what was read, for a minute: "private", the reader; "public", caches on the way as
   * well, which give it to every reader. Default "private".
   */
  readonly caching?: "private" | "public";
  /** Gets every error that a client sees only as 500 or 503. Default: console.error. */
  readonly onError?: (error: unknown) => void;
}

export interface StreamServer {
  /** Answers one request. Mount it in any host of fetch handlers. */
  fetch(request: Request): Promise<Response>;
  /** Listens on a port of this machine. Rejects with an error when the port is in use. */
  listen(options?: StreamListenOptions): Promise<StreamListening>;
  /**
   * Rights were revoked: those who follow are checked by `authorize` again now. So change what it
   * says first. Resolves when all were checked. Other processes find out at their next look
   * (`recheckSeconds`).
   */
  revoke(whom?: RevokedStreams): Promise<void>;
  /** Ends what follows, and stops listening. The caller closes the store. */
  close(): Promise<void>;
}

const ROUTES: Readonly<Record<string, (exchange: Exchange) => Promise<Response>>> = {
  PUT: createRoute,
  POST: appendRoute,
  GET: readRoute,
  HEAD: headRoute,
  DELETE: deleteRoute,
};

/**
 * A server of the Durable Streams protocol. Throws an OpstateError "insecure_server" when there is
 * no `authorize`, and a RangeError for an option that is none.
 *
 * @example
 * ```ts
 * import { createStreamServer } from "@opstate/streams";
 * import { sqliteStreams } from "@opstate/streams/sqlite";
 *
 * const server = createStreamServer({
 *   store: sqliteStreams({ path: "data/streams.sqlite" }),
 *   authorize: async (request) => {
 *     const user = await sessionOf(request);
 *     if (!user) return null;
 *     return { actor: { kind: "user", id: user.id }, allows: (streamId) => streamId.startsWith(`${user.id}/`) };
 *   },
 * });
 * await server.listen({ port: 4437 });
 * ```
 */
export function createStreamServer(options: StreamServerOptions): StreamServer {
  const { insecure = false, basePath = "/", origins = [], caching = "private" } = options;
  const { longPollSeconds = 30, sseSeconds = 60, recheckSeconds = 60, storeTimeout = 10_000 } = options;
  const { onError = console.error } = options;
  const authorize = options.authorize ?? (insecure ? () => openAccess : undefined);
  if (!authorize) {
    throw new OpstateError(
      "insecure_server",
      "createStreamServer needs `authorize`, which finds out who sends a request and what they may do. For a first try on this machine, pass `insecure: true`.",
    );
  }
  const isOpen = options.authorize === undefined;
  const limits = {
    body: 2 ** 20,
    streamBytes: 64 * 2 ** 20,
    streams: 10_000,
    messages: 10_000,
    producers: 1_000,
    readers: 1_000,
    page: 2 ** 20,
    ...options.limits,
  };
  for (const [name, limit] of Object.entries(limits))
    if (!(limit >= 1)) throw new RangeError(`\`limits.${name}\` must be a number from 1, or Infinity, not ${limit}.`);
  checkSeconds({ longPollSeconds, sseSeconds, recheckSeconds });
  if (!(storeTimeout >= 1))
    throw new RangeError(`\`storeTimeout\` must be milliseconds from 1, or Infinity, not ${storeTimeout}.`);
  if (!/^\/(?:.*[^/])?$/.test(basePath))
    throw new RangeError(`\`basePath\` begins with a slash and does not end with one, not "${basePath}".`);

  const readers = new LiveReaders(limits.readers);
  const closing = new AbortController();
  const listeners = new Set<{ close(): Promise<void> }>();
  const services: StreamServices = {
    store: timedStore(options.store, storeTimeout),
    prefix: basePath === "/" ? "/" : `${basePath}/`,
    limits,
    times: {
      longPoll: longPollSeconds * 1_000,
      sse: sseSeconds * 1_000,
      recheck: recheckSeconds * 1_000,
    },
    caching,
    readers,
    onError,
  };

  async function exchangeOf(request: Request): Promise<Exchange> {
    if (closing.signal.aborted) throw new Problem("closing", "The server is closing.");
    if (isOpen) checkLoopbackHost(request);
    checkOrigin(request, origins);
    const access = await authenticate(authorize as AuthorizeStreams, request);
    const url = new URL(request.url);
    const streamId = streamIdOf(url.pathname, services.prefix);
    return {
      request,
      url,
      streamId,
      access,
      services,
      async readAgain() {
        const now = await authenticate(authorize as AuthorizeStreams, request);
        await requireRight(now, streamId, "read");
        return now;
      },
    };
  }

  async function answer(request: Request): Promise<Response> {
    try {
      const route = ROUTES[request.method];
      if (!route) throw new Problem("method_not_allowed", `A stream has no method ${request.method.slice(0, 20)}.`);
      return await route(await exchangeOf(request));
    } catch (error) {
      return problemResponse(toProblem(error, onError));
    }
  }

  return {
    async fetch(request) {
      const response = request.method === "OPTIONS" ? new Response(null, { status: 204 }) : await answer(request);
      return withCommonHeaders(response, request, origins);
    },

    async listen(where = {}) {
      const { hostname = "127.0.0.1" } = where;
      if (isOpen && !isLoopback(hostname)) {
        throw new OpstateError(
          "insecure_server",
          `An insecure server listens on this machine only, not on "${hostname}". Pass \`authorize\` to serve others.`,
        );
      }
      const { close, ...listening } = await listen(this.fetch, where);
      listeners.add({ close });
      return listening;
    },

    revoke: (whom = {}) => readers.ask(whom),

    async close() {
      closing.abort();
      readers.close();
      await Promise.all([...listeners].map((listener) => listener.close()));
    },
  };
}

function checkSeconds(times: Readonly<Record<string, number>>): void {
  for (const [name, seconds] of Object.entries(times))
    if (!(seconds > 0 && seconds <= 86_400))
      throw new RangeError(`\`${name}\` must be a number above 0, at most 86400, not ${seconds}.`);
}
