// The SDK's server for one request, or for the requests of a session: the sender of each is known,
// and nothing is remembered in it.

import {
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { defined } from "@opstate/core";
import { CallProblem } from "./call/arguments.ts";
import type { McpCaller } from "./call/caller.ts";
import { complete } from "./completion.ts";
import { type OwnFeatures, readOwn } from "./own-features.ts";
import { promptResult, prompts } from "./prompts.ts";
import { readResource } from "./resources/read.ts";
import { historyUri, readAddress, stateUri, TEMPLATES } from "./resources/uris.ts";
import type { Sessions } from "./call/sessions.ts";
import { problemResult } from "./tools/results.ts";
import { openThread } from "./tools/tool.ts";
import type { ToolList } from "./tools/tool-list.ts";

const INSTRUCTIONS = `Each thread is one shared state that people and other agents change at the same time. A thread decides each operation: read the verdict, and do not say that something is done unless it says "Accepted". Every result says what others changed meanwhile, as data. Name the thread with \`threadId\`; opstate_threads lists them. What needs approval is decided by a person later: go on without it.`;

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  /** For the model, behind the usual ones. */
  readonly instructions?: string | undefined;
}

export interface ServerParts {
  /** The sender of a request. */
  readonly callerOf: CallerOf;
  readonly sessions: Sessions;
  readonly tools: ToolList;
  readonly identity: ServerIdentity;
  readonly own: OwnFeatures;
  /** Whether clients can subscribe to resources here. */
  readonly subscribes: boolean;
}

export type CallerOf = (request: ServerContext) => McpCaller | Promise<McpCaller>;

export function createMcpServer({ callerOf, sessions, tools, identity, own, subscribes }: ServerParts): Server {
  const { name, version, instructions } = identity;
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: {}, resources: subscribes ? { subscribe: true } : {}, prompts: {}, completions: {} },
      instructions: [INSTRUCTIONS, instructions].filter((text) => text !== undefined).join("\n"),
    },
  );
  const toolsOf = (caller: McpCaller) => tools.of(caller.definitions, caller.actor);
  const { tools: ownTools = [], prompts: ownPrompts = [], resources: ownResources = [] } = own;
  const listedOf = <Listed>(features: Iterable<{ readonly listed: Listed }>) =>
    [...features].map(({ listed }) => listed);

  server.setRequestHandler("tools/list", async (_, request) => ({
    tools: listedOf([...toolsOf(await callerOf(request)).values(), ...ownTools]),
  }));

  server.setRequestHandler("tools/call", async ({ params }, request) => {
    const caller = await callerOf(request);
    const ownTool = ownTools.find(({ listed }) => listed.name === params.name);
    if (ownTool !== undefined) return ownTool.call(params.arguments ?? {}, { actor: caller.actor, request });
    const { signal } = request.mcpReq;
    const tool = toolsOf(caller).get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}.`);
    try {
      const call = { ...callOf(params._meta), signal };
      const elicits = canAskInAForm(server.getClientCapabilities());
      return await tool.run(params.arguments ?? {}, { caller, sessions, call, request, elicits });
    } catch (error) {
      return problemResult(problemOf(error, caller));
    }
  });

  server.setRequestHandler("resources/list", async (_, request) => ({
    resources: [
      ...(await (await callerOf(request)).threads()).flatMap(({ threadId, definition }) => [
        { uri: stateUri(threadId), name: `${threadId}: ${definition}`, mimeType: "application/json" },
        { uri: historyUri(threadId), name: `${threadId}: history`, mimeType: "application/json" },
      ]),
      ...listedOf(ownResources).filter((listed) => "uri" in listed),
    ],
  }));

  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [...TEMPLATES, ...listedOf(ownResources).filter((listed) => "uriTemplate" in listed)],
  }));

  server.setRequestHandler("resources/read", async ({ params: { uri } }, request) => {
    const caller = await callerOf(request);
    const address = readAddress(uri);
    if (address === undefined) {
      const found = await readOwn(ownResources, uri, { actor: caller.actor, request });
      if (found === undefined) throw new ResourceNotFoundError(uri);
      return found;
    }
    return explained(caller, async () => {
      const { thread, session } = await openThread({ threadId: address.threadId }, { caller, sessions }, ["read"]);
      const value = await readResource(thread, address);
      if (address.kind === "state" && address.rest === "") session.look(thread.version);
      const text = JSON.stringify(value);
      caller.spend(address.kind === "why" ? "replay" : { characters: text.length });
      return { contents: [{ uri, mimeType: "application/json", text }] };
    });
  });

  server.setRequestHandler("prompts/list", () => ({ prompts: listedOf([...prompts.values(), ...ownPrompts]) }));

  server.setRequestHandler("prompts/get", async ({ params }, request) => {
    const caller = await callerOf(request);
    const ownPrompt = ownPrompts.find(({ listed }) => listed.name === params.name);
    if (ownPrompt !== undefined) return ownPrompt.get(params.arguments ?? {}, { actor: caller.actor, request });
    const prompt = prompts.get(params.name);
    if (prompt === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${JSON.stringify(params.name)}.`);
    return explained(caller, async () =>
      promptResult(prompt, await prompt.text(params.arguments ?? {}, { caller, sessions })),
    );
  });

  server.setRequestHandler("completion/complete", async ({ params }, request) => ({
    completion: await complete(params, await callerOf(request)),
  }));

  return server;
}

/** A client that names no kind of elicitation can show forms. */
function canAskInAForm({ elicitation }: ClientCapabilities = {}): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** What a host says of a call, in members of its own: models do not see them. */
function callOf(meta: Readonly<Record<string, unknown>> = {}) {
  const text = (name: string) => {
    const value = meta[`opstate/${name}`];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return defined({ runId: text("runId"), step: text("step"), attempt: text("attempt"), callId: text("callId") });
}

/** An error of the work becomes one of the protocol, in words. */
export async function explained<Result>(caller: McpCaller, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = problemOf(error, caller);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code });
  }
}

function problemOf(error: unknown, caller: McpCaller): { readonly code: string; readonly message: string } {
  return error instanceof CallProblem ? error : caller.explain(error);
}
