// An MCP endpoint over threads: a handler of requests whose sender is known.
//
//   request ─ caller (who, rights) ─┬─ tools, resources, prompts ─ the SDK's server of the request
//                                   └─ subscriptions/listen ─ follow ─ commits ─> resources/updated
//
// Invariants:
// - Every request is a sender of its own: nothing of one is seen by another.
// - A subscription ends when its sender loses a right on one of its threads.
//
// (Long because the options are here with their words.)

import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpRequestContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { AnyDefinition, Thread } from "@opstate/core";
import { CallProblem } from "./call/arguments.ts";
import { viewResources, viewTools, type ViewOptions } from "./app/views.ts";
import type { McpCaller } from "./call/caller.ts";
import { type ApprovedBy, Elicitation } from "./call/elicitation.ts";
import { createMcpServer } from "./mcp-server.ts";
import { checkNames, type OwnFeatures } from "./own/own-features.ts";
import { prompts } from "./prompts.ts";
import { isChangedBy } from "./resources/subscription.ts";
import { type Address, readAddress } from "./resources/uris.ts";
import { Sessions } from "./call/sessions.ts";
import { changeTools } from "./tools/change-tools.ts";
import { operationTools } from "./tools/operation-tools.ts";
import { pastTools } from "./tools/past-tools.ts";
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
   * every other actor, whose proposals wait for a page. It needs a client of 2026-07-28 that can
   * elicit. Default: no host is trusted.
   */
  readonly approvedBy?: ApprovedBy;
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

const MAX_SUBSCRIBED = 200;

/**
 * Serves the threads of a server to MCP clients, at `/mcp`: operations as tools, states as
 * resources. It speaks the protocols of 2026-07-28 and, without subscriptions, of 2025.
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
  /** Ends each open subscription. */
  readonly #open = new Set<() => Promise<void>>();

  constructor(options: McpEndpointOptions) {
    this.#options = options;
    this.#sessions = new Sessions(new Elicitation(options.approvedBy));
    this.#tools = new ToolList((definitions) => this.#viewTools(definitions));
    this.hosts = options.hosts ?? [];
    this.url = options.url;
    this.authorizationServers = options.authorizationServers ?? [];
  }

  check(definitions: readonly AnyDefinition[]): void {
    const { own = {} } = this.#options;
    const tools = [
      ...definitions.flatMap((definition) => operationTools(definition)),
      ...pastTools,
      ...changeTools,
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
    if (uris === undefined) return this.#handler(caller).fetch(request, { parsedBody: body });
    try {
      return await this.#listen(request, caller, body, addressesOf(uris));
    } catch (error) {
      const { message } = error instanceof CallProblem ? error : caller.explain(error);
      return Response.json({ jsonrpc: "2.0", id: idOf(body), error: { code: -32_602, message } });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((end) => end()));
  }

  #viewTools(definitions: readonly AnyDefinition[]): readonly McpTool[] {
    const { views } = this.#options;
    return views === undefined ? [] : viewTools(definitions, views, this.url);
  }

  #handler(caller: McpCaller, bus?: ServerEventBus) {
    const { name = "opstate", version = "0.1.0", instructions, own = {}, views } = this.#options;
    const shown = views === undefined ? [] : viewResources(caller.definitions, views);
    const create = ({ era }: McpRequestContext) =>
      createMcpServer({
        caller,
        sessions: this.#sessions,
        tools: this.#tools,
        identity: { name, version, instructions },
        own: { ...own, resources: [...(own.resources ?? []), ...shown] },
        subscribes: era === "modern",
      });
    return createMcpHandler(create, bus === undefined ? {} : { bus });
  }

  async #listen(request: Request, caller: McpCaller, body: unknown, addresses: readonly Address[]): Promise<Response> {
    const bus = new InMemoryServerEventBus();
    const followed = await caller.follow(
      addresses.map(({ threadId }) => threadId),
      () => void end(),
    );
    const unsubscribes = followed.threads.map((thread) => publishCommits(thread, addresses, bus));
    const release = () => {
      this.#open.delete(end);
      followed.release();
      for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
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

/** Returns the function that unsubscribes. */
function publishCommits(thread: Thread, addresses: readonly Address[], bus: ServerEventBus): () => void {
  const own = addresses.filter(({ threadId }) => threadId === thread.threadId);
  return thread.onCommit((commit) => {
    for (const address of own)
      if (isChangedBy(address, commit)) bus.publish({ kind: "resource_updated", uri: address.uri });
  });
}

/** The resources that a request subscribes to; undefined when it is another request. */
function subscribedUris(body: unknown): readonly unknown[] | undefined {
  if (memberOf(body, "method") !== "subscriptions/listen") return undefined;
  const uris = memberOf(memberOf(memberOf(body, "params"), "notifications"), "resourceSubscriptions");
  return Array.isArray(uris) ? uris : [];
}

function addressesOf(uris: readonly unknown[]): readonly Address[] {
  if (uris.length > MAX_SUBSCRIBED)
    throw new CallProblem(`A subscription may have ${MAX_SUBSCRIBED} resources at most; this one has ${uris.length}.`);
  return uris.map((uri) => {
    const address = typeof uri === "string" ? readAddress(uri) : undefined;
    if (address === undefined) throw new CallProblem(`There is no resource ${JSON.stringify(uri)}.`);
    return address;
  });
}

function idOf(body: unknown): unknown {
  return memberOf(body, "id") ?? null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
