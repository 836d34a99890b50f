// A session of one client of the protocol of 2025-11-25, in which the server sends of itself:
// updates of resources, and questions to a person while a call waits.
//
//   POST initialize ─> the SDK's server and transport, for as long as the session lasts
//   POST, each one  ─ caller (who, rights) ─> handlers ─> answer, questions before it
//   GET             ─ what is of no request: updates of subscribed resources
//
// Invariants:
// - A call has the rights of its own request. One that waited for an answer has them checked again.
// - It ends with the credentials of its newest request, and with a right that a subscription needs.

import {
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Actor } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import { CallProblem } from "../call/arguments.ts";
import type { McpCaller } from "../call/caller.ts";
import { type CallerOf, explained } from "../mcp-server.ts";
import type { OwnResource } from "../own-features.ts";
import { MAX_WATCHED, watchResources } from "../resources/watch.ts";
import { SentEvents } from "./sent-events.ts";

export interface ClientSessionOptions {
  readonly actor: Actor;
  readonly createServer: (callerOf: CallerOf) => Server;
  readonly own: readonly OwnResource[];
  readonly onEnd: () => void;
}

/** Milliseconds without a request or an open stream, after which it ends. */
const IDLE = 3_600_000;
/** Milliseconds after which a client is to resume a stream that was lost. */
const RETRY = 1_000;

export class ClientSession {
  readonly id = randomId();
  readonly actor: Actor;
  readonly #own: readonly OwnResource[];
  readonly #onEnd: () => void;
  readonly #events = new SentEvents();
  readonly #server: Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #connected: Promise<void>;
  /** By the request that the handlers see. */
  readonly #callers = new WeakMap<Request, McpCaller>();
  readonly #watched = new Map<string, Promise<() => void>>();
  #releaseCredentials = () => {};
  /** Responses that are under way. */
  #open = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor({ actor, createServer, own, onEnd }: ClientSessionOptions) {
    this.actor = actor;
    this.#own = own;
    this.#onEnd = onEnd;
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      eventStore: this.#events,
      retryInterval: RETRY,
    });
    const callerOf: CallerOf = ({ http, mcpReq }) => {
      const caller = http?.req && this.#callers.get(http.req);
      if (caller === undefined) throw new Error("The request has no sender.");
      return mcpReq.inputResponses === undefined ? caller : caller.again();
    };
    this.#server = createServer(callerOf);
    this.#server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, request) => {
      const caller = await callerOf(request);
      await explained(caller, () => this.#subscribe(uri, caller));
      return {};
    });
    this.#server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
      this.#unsubscribe(uri);
      return {};
    });
    // A client ends it by DELETE.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no EventTarget
    this.#server.onclose = () => void this.end();
    this.#connected = this.#server.connect(this.#transport);
  }

  async fetch(request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    const release = caller.lasts(() => void this.end());
    this.#releaseCredentials();
    this.#releaseCredentials = release;
    const begun = this.#begin();
    try {
      await this.#connected;
      const known = this.#asKnown(request);
      this.#callers.set(known, caller);
      return untilSent(await this.#transport.handleRequest(known, { parsedBody: body }), begun);
    } catch (error) {
      begun.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idle);
    this.#releaseCredentials();
    for (const uri of this.#watched.keys()) this.#unsubscribe(uri);
    this.#onEnd();
    await this.#server.close();
  }

  /** In the session's version, and after the updates that the client may have missed. */
  #asKnown(request: Request): Request {
    const { url, method, signal } = request;
    const headers = new Headers(request.headers);
    const version = this.#server.getNegotiatedProtocolVersion();
    const named = headers.get("mcp-protocol-version");
    if (version !== undefined && (named === null || SUPPORTED_PROTOCOL_VERSIONS.includes(named)))
      headers.set("mcp-protocol-version", version);
    const beforeUpdates = this.#events.beforeUpdates();
    if (method === "GET" && beforeUpdates !== undefined && !headers.has("last-event-id"))
      headers.set("last-event-id", beforeUpdates);
    return new Request(url, { method, headers, signal });
  }

  async #subscribe(uri: string, caller: McpCaller): Promise<void> {
    if (this.#watched.size >= MAX_WATCHED && !this.#watched.has(uri))
      throw new CallProblem(`A session may subscribe to ${MAX_WATCHED} resources at most.`);
    const watching =
      this.#watched.get(uri) ??
      watchResources([uri], caller, {
        own: this.#own,
        onChange: () => void this.#server.sendResourceUpdated({ uri }).catch(() => {}),
        onEnd: () => void this.end(),
      });
    this.#watched.set(uri, watching);
    watching.catch(() => this.#watched.get(uri) === watching && this.#watched.delete(uri));
    await watching;
    if (this.#isOver) this.#unsubscribe(uri);
  }

  #unsubscribe(uri: string): void {
    const watching = this.#watched.get(uri);
    this.#watched.delete(uri);
    this.#events.forget(uri);
    watching?.then(
      (release) => release(),
      () => {},
    );
  }

  #begin(): Begun {
    this.#open += 1;
    clearTimeout(this.#idle);
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      if (this.#open === 0 && !this.#isOver) this.#idle = setTimeout(() => void this.end(), IDLE).unref();
    };
    return { end };
  }
}

interface Begun {
  /** May be called again. */
  readonly end: () => void;
}

/** The same response, which ends what was begun when its body is sent or not wanted any more. */
function untilSent(response: Response, { end }: Begun): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
