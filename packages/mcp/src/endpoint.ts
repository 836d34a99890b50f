// An MCP endpoint over threads: a handler of requests whose sender is known.
//
//   request ─ caller (who, rights) ─┬─ tools, resources, prompts ─ the SDK's server of the request
//                                   ├─ subscriptions/listen ─ follow ─ commits ─> resources/updated
//                                   └─ of 2025 ─ its session, when it has one
//
// Invariants:
// - Every request has a sender of its own: nothing of one is seen by another.
// - A subscription ends when its sender loses a right on one of its threads.
//
// (Long because the options are here with their words.)

import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpRequestContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { AnyDefinition } from "@opstate/core";
import { CallProblem } from "./call/arguments.ts";
import { viewResources, viewTools, type ViewOptions } from "./app/views.ts";
import type { McpCaller } from "./call/caller.ts";
import { type ApprovedBy, Elicitation } from "./call/elicitation.ts";
import { type CallerOf, createMcpServer } from "./mcp-server.ts";
import { checkNames, type OwnFeatures } from "./own-features.ts";
import { prompts } from "./prompts.ts";
import { watchResources } from "./resources/watch.ts";
import { Sessions } from "./call/sessions.ts";
import { ClientSessions } from "./session/client-sessions.ts";
import { CHANGE_TOOLS } from "./tools/change-tools.ts";
import { operationTools } from "./tools/operation-tools.ts";
import { PAST_TOOLS } from "./tools/past-tools.ts";
import type { McpTool } from "./tools/tool.ts";
import { ToolList } from "./tools/tool-list.ts";

export interface McpEndpointOptions {
  /** The server's name for clients. Default "opstate". */
  readonly name?: string;
  /** The application's version for clients. Default "0.1.0". */
  readonly version?: string;
  /** What the model should know, beside how threads work. */
  readonly instructions?: string;
  /**
   * Host names beside this machine's own under which it answers, such as "board.example.com": a web
   * page must not reach it by a name of its own (DNS rebinding).
   */
  readonly hosts?: readonly string[];
  /** The public address, such as "https://board.example.com/mcp", where requests do not show it. */
  readonly url?: string;
  /** Where clients get tokens: issuers of OAuth, for the metadata that a 401 names. */
  readonly authorizationServers?: readonly string[];
  /** The application's own tools, prompts and resources, beside those of its threads. */
  readonly own?: OwnFeatures;
  /** Views of threads, for hosts that show MCP Apps. Default: none. */
  readonly views?: ViewOptions;
  /**
   * Hosts that are trusted to show a question to a person and to bring back their answer. For the
   * actor of such a host it gives the person, by whom approvals are recorded then; undefined for
   * every other actor, whose proposals stay open, for a page. It needs a client that can elicit.
   * Default: no host is trusted.
   */
  readonly approvedBy?: ApprovedBy;
  /**
   * Sessions for clients of the protocols of 2025, which need them to subscribe and to elicit. A
   * session is known to its process alone: with several processes, requests with the same
   * `mcp-session-id` must reach the same one. False: every process answers every request, and these
   * clients have all but subscriptions and elicitation. Default true.
   */
  readonly sessions?: boolean;
}

/** For `createServer({ mcp })` of `@opstate/server`. */
export interface McpEndpoint {
  readonly hosts: readonly string[];
  readonly url: string | undefined;
  readonly authorizationServers: readonly string[];
  check(definitions: readonly AnyDefinition[]): void;
  fetch(request: Request, caller: McpCaller, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Serves the threads of a server to MCP clients, at `/mcp`: operations as tools, states as
 * resources. It speaks the protocols of 2026-07-28 and of 2025.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog } from "@opstate/core";
 * import { mcpEndpoint } from "@opstate/mcp";
 * import { createServer } from "@opstate/server";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       description: "Add a number",
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const server = createServer({
 *   definitions: [counter],
 *   log: memoryLog(),
 *   authorize: (request) =>
 *     request.headers.get("authorization") === "Bearer secret"
 *       ? { actor: { kind: "agent", id: "claude" }, allows: (_, right) => right === "read" || right === "write" }
 *       : null,
 *   mcp: mcpEndpoint(),
 * });
 * (await server.fetch(new Request("http://localhost/mcp", { method: "POST" }))).status; // 401
 * await server.close();
 * ```
 */
export function mcpEndpoint(options: McpEndpointOptions = {}): McpEndpoint {
  return new Endpoint(options);
}

class Endpoint implements McpEndpoint {
  readonly hosts: readonly string[];
  readonly url: string | undefined;
  readonly authorizationServers: readonly string[];
  readonly #options: McpEndpointOptions;
  readonly #sessions: Sessions;
  readonly #tools: ToolList;
  readonly #clients: ClientSessions | undefined;
  /** Ends each open subscription. */
  readonly #open = new Set<() => Promise<void>>();

  constructor(options: McpEndpointOptions) {
    this.#options = options;
    this.#sessions = new Sessions(new Elicitation(options.approvedBy));
    this.#tools = new ToolList((definitions) => this.#viewTools(definitions));
    if (options.sessions !== false)
      this.#clients = new ClientSessions({
        createServer: (caller, callerOf) => this.#createServer(caller, callerOf, true),
        own: options.own?.resources ?? [],
      });
    this.hosts = options.hosts ?? [];
    this.url = options.url;
    this.authorizationServers = options.authorizationServers ?? [];
  }

  check(definitions: readonly AnyDefinition[]): void {
    const { own = {} } = this.#options;
    const tools = [
      ...definitions.flatMap((definition) => operationTools(definition)),
      ...PAST_TOOLS,
      ...CHANGE_TOOLS,
      ...this.#viewTools(definitions),
    ];
    checkNames(
      "tool",
      own.tools,
      tools.map(({ listed }) => listed.name),
    );
    checkNames("prompt", own.prompts, prompts.keys());
  }

  async fetch(request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    const uris = subscribedUris(body);
    if (uris === undefined)
      return (
        (await this.#clients?.fetch(request, caller, body)) ??
        this.#handler(caller).fetch(request, { parsedBody: body })
      );
    try {
      return await this.#listen(request, caller, body, uris);
    } catch (error) {
      const { message } = error instanceof CallProblem ? error : caller.explain(error);
      return Response.json({ jsonrpc: "2.0", id: idOf(body), error: { code: -32_602, message } });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...[...this.#open].map((end) => end()), this.#clients?.close()]);
  }

  #viewTools(definitions: readonly AnyDefinition[]): readonly McpTool[] {
    const { views } = this.#options;
    return views === undefined ? [] : viewTools(definitions, views, this.url);
  }

  #createServer(caller: McpCaller, callerOf: CallerOf, subscribes: boolean) {
    const { name = "opstate", version = "0.1.0", instructions, own = {}, views } = this.#options;
    const shown = views === undefined ? [] : viewResources(caller.definitions, views);
    return createMcpServer({
      callerOf,
      sessions: this.#sessions,
      tools: this.#tools,
      identity: { name, version, instructions },
      own: { ...own, resources: [...(own.resources ?? []), ...shown] },
      subscribes,
    });
  }

  #handler(caller: McpCaller, bus?: ServerEventBus) {
    const create = ({ era }: McpRequestContext) => this.#createServer(caller, () => caller, era === "modern");
    return createMcpHandler(create, bus === undefined ? {} : { bus });
  }

  async #listen(request: Request, caller: McpCaller, body: unknown, uris: readonly unknown[]): Promise<Response> {
    const bus = new InMemoryServerEventBus();
    const unwatch = await watchResources(uris, caller, {
      own: this.#options.own?.resources ?? [],
      onChange: (uri) => bus.publish({ kind: "resource_updated", uri }),
      onEnd: () => void end(),
    });
    const release = () => {
      this.#open.delete(end);
      unwatch();
    };
    const handler = this.#handler(caller, {
      publish: (event) => bus.publish(event),
      subscribe(listener) {
        const unsubscribe = bus.subscribe(listener);
        return () => {
          unsubscribe();
          release();
        };
      },
    });
    const end = async () => {
      await handler.close();
      release();
    };
    this.#open.add(end);
    const response = await handler.fetch(request, { parsedBody: body });
    // The SDK refused it, or has ended it already.
    if (bus.listenerCount === 0) release();
    return response;
  }
}

/** The resources that a request subscribes to; undefined when it is another request. */
function subscribedUris(body: unknown): readonly unknown[] | undefined {
  if (memberOf(body, "method") !== "subscriptions/listen") return undefined;
  const uris = memberOf(memberOf(memberOf(body, "params"), "notifications"), "resourceSubscriptions");
  return Array.isArray(uris) ? uris : [];
}

function idOf(body: unknown): unknown {
  return memberOf(body, "id") ?? null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
