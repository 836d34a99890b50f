// The sessions of clients of 2025, in this process alone: after a restart, and on another node, a
// session is unknown (404), and the client opens another as the protocol says.
//
// Invariants:
// - A session answers the actor alone that opened it; for all others there is none of that id.
// - Their number is bounded, for each actor and in all: the one that was unused for longest goes.

import { isInitializeRequest, isLegacyRequest, type Server } from "@modelcontextprotocol/server";
import { sameActor } from "@opstate/core/thread";
import type { McpCaller } from "../call/caller.ts";
import type { CallerOf } from "../mcp-server.ts";
import type { OwnResource } from "../own-features.ts";
import { ClientSession } from "./client-session.ts";

const MAX_OF_ACTOR = 100;
const MAX_IN_ALL = 1_000;
const HEADER = "mcp-session-id";

export interface ClientSessionsOptions {
  readonly createServer: (caller: McpCaller, callerOf: CallerOf) => Server;
  readonly own: readonly OwnResource[];
}

export class ClientSessions {
  readonly #options: ClientSessionsOptions;
  /** The one that was used last is last. */
  readonly #sessions = new Map<string, ClientSession>();

  constructor(options: ClientSessionsOptions) {
    this.#options = options;
  }

  /** Undefined for a request that is of no session and opens none. */
  async fetch(request: Request, caller: McpCaller, body: unknown): Promise<Response | undefined> {
    if (!(await isLegacyRequest(request, body))) return undefined;
    const id = request.headers.get(HEADER);
    if (id === null) return isInitializeRequest(body) ? this.#open(request, caller, body) : undefined;
    const session = this.#sessions.get(id);
    if (session === undefined || !sameActor(session.actor, caller.actor)) return notFound();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.fetch(request, caller, body);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end()));
  }

  async #open(request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    const { createServer, own } = this.#options;
    const { actor } = caller;
    const session = new ClientSession({
      actor,
      createServer: (callerOf) => createServer(caller, callerOf),
      own,
      onEnd: () => this.#sessions.delete(session.id),
    });
    try {
      const response = await session.fetch(request, caller, body);
      if (response.headers.has(HEADER)) this.#keep(session);
      else void session.end();
      return response;
    } catch (error) {
      void session.end();
      throw error;
    }
  }

  #keep(session: ClientSession): void {
    const all = [...this.#sessions.values()];
    const [oldest, ...ofActor] = all.filter(({ actor }) => sameActor(actor, session.actor));
    if (ofActor.length + 1 >= MAX_OF_ACTOR) void oldest?.end();
    else if (all.length >= MAX_IN_ALL) void all[0]?.end();
    this.#sessions.set(session.id, session);
  }
}

function notFound(): Response {
  const error = { code: -32_001, message: "Session not found. Open another one with `initialize`." };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
