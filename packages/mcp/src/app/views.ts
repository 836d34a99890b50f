// Views of threads for hosts that show MCP Apps: a page for each definition, and the two tools by
// which a page reads its thread and acts on it.
//
// Invariants:
// - A view has the rights of the sender, the model's client, and no others. No tool approves.
// - What is done in a view is by an actor of its own, so that the model is informed of it.
// - Reading in a view takes no news from the model.

import type { ResourceLink, ServerContext } from "@modelcontextprotocol/server";
import { type Actor, type AnyDefinition, defined } from "@opstate/core";
import { sentenceOf } from "@opstate/core/thread";
import { toolsOf } from "@opstate/core/tools";
import { operationArgument, optionalVersion } from "../call/arguments.ts";
import { prefixOf } from "../call/sessions.ts";
import type { OwnResource } from "../own-features.ts";
import { stateUri } from "../resources/uris.ts";
import { operationResult, readResult, RESULT_SCHEMA, result } from "../tools/results.ts";
import { type McpTool, OPERATION, openThread, READS, THREAD_ID, WRITES } from "../tools/tool.ts";
import { page } from "./page.ts";

export interface ViewOptions {
  /**
   * The signed-in page where a person decides on proposals: the view links to it. Its address may
   * be relative to that of the endpoint: "/boards/launch".
   */
  readonly page?: (threadId: string) => string;
  /** HTML of the application's own views, by the names of their definitions. Others are generic. */
  readonly html?: Readonly<Record<string, string>>;
}

const MIME_TYPE = "text/html;profile=mcp-app";
const HISTORY_SHOWN = 20;

const viewUri = (name: string): string => `ui://opstate/${encodeURIComponent(name)}`;

/** The view of an actor's client. It differs from the model, so the model is informed of it. */
export const viewActor = ({ kind, id }: Actor): Actor => ({ kind, id: `${id}/view` });

export function viewResources(definitions: readonly AnyDefinition[], { html = {} }: ViewOptions): OwnResource[] {
  return definitions.map(({ name }) => {
    const own = viewUri(name);
    return {
      listed: { uri: own, name: `view of a ${name}`, mimeType: MIME_TYPE },
      async read(uri) {
        if (uri !== own) return undefined;
        const text = html[name] ?? (await genericPage());
        return { contents: [{ uri, mimeType: MIME_TYPE, text, _meta: { ui: { prefersBorder: true } } }] };
      },
    };
  });
}

async function genericPage(): Promise<string> {
  if (typeof page === "string") return page;
  const { buildView } = await import(page.href);
  return buildView();
}

/** `url`: the public address of the endpoint, where requests do not show it. */
export function viewTools(
  definitions: readonly AnyDefinition[],
  { page: pageOf }: ViewOptions,
  url?: string,
): readonly McpTool[] {
  const pageFor = (threadId: string, request: ServerContext) =>
    pageOf && new URL(pageOf(threadId), url ?? request.http?.req?.url).href;
  return [...definitions.map(openView), look(pageFor), act];
}

function openView({ name }: AnyDefinition): McpTool {
  return {
    listed: {
      name: `opstate_view_${name}`,
      title: `Show a ${name}`,
      description: `Shows a ${name} to the person, as a view in which they can act. It stays up to date.`,
      inputSchema: { type: "object", properties: { threadId: THREAD_ID }, required: ["threadId"] },
      outputSchema: RESULT_SCHEMA,
      annotations: READS,
      _meta: { ui: { resourceUri: viewUri(name) } },
    },
    async run(args, context) {
      const { thread, session } = await openThread(args, context, ["read"]);
      const { threadId, version } = thread;
      const read = await readResult(session, `The person sees ${name} "${threadId}", at version ${version}.`);
      const state: ResourceLink = {
        type: "resource_link",
        uri: stateUri(threadId),
        name: `${threadId}: ${name}`,
        mimeType: "application/json",
      };
      return { ...read, content: [...read.content, state] };
    },
  };
}

/** For the view alone: hosts do not show it to models. */
const FOR_VIEWS = { ui: { visibility: ["app"] } };

function look(pageFor: (threadId: string, request: ServerContext) => string | undefined): McpTool {
  return {
    listed: {
      name: "opstate_look",
      title: "A thread for its view",
      description: "For views: the thread as a person sees it, or its version alone when that is known.",
      inputSchema: {
        type: "object",
        properties: {
          threadId: THREAD_ID,
          known: { type: "integer", minimum: 0, description: "The version that the view shows" },
        },
        required: ["threadId"],
      },
      outputSchema: {
        type: "object",
        properties: { threadId: { type: "string" }, version: { type: "integer" } },
        required: ["threadId", "version"],
      },
      annotations: READS,
      _meta: FOR_VIEWS,
    },
    async run(args, { caller, sessions, request }) {
      const { thread } = await openThread(args, { caller, sessions }, ["read"]);
      const { threadId, version, definition } = thread;
      const about = { threadId, version };
      if (optionalVersion(args, "known") === version) return result(`Version ${version}`, about);
      const state: unknown = thread.getState();
      const entries = await thread.history({ order: "descending", limit: HISTORY_SHOWN });
      const proposals = await thread.proposals();
      const data = {
        ...about,
        definition: definition.name,
        state,
        operations: toolsOf(definition, { actor: caller.actor, current: state }).map(({ name, ...tool }) => ({
          type: name,
          ...tool,
        })),
        commits: entries.flatMap((entry) =>
          entry.kind === "commit"
            ? [
                {
                  version: entry.commit.version,
                  by: nameOf(entry.commit.actor),
                  sentence: sentenceOf(definition, entry.commit),
                },
              ]
            : [],
        ),
        proposals: proposals.map(({ id, actor, sentence }) => ({ id, by: nameOf(actor), sentence })),
        ...defined({ page: pageFor(threadId, request) }),
      };
      caller.spend({ characters: JSON.stringify(data).length });
      return result(`Version ${version}`, data);
    },
  };
}

const act: McpTool = {
  listed: {
    name: "opstate_act",
    title: "An operation of a view",
    description: "For views: carries out an operation that a person chose there. What needs approval is proposed.",
    inputSchema: {
      type: "object",
      properties: {
        threadId: THREAD_ID,
        operation: OPERATION,
        basedOn: { type: "integer", minimum: 0, description: "The version that the view shows" },
      },
      required: ["threadId", "operation"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: WRITES,
    _meta: FOR_VIEWS,
  },
  async run(args, { caller, sessions }) {
    const { thread } = await openThread(args, { caller, sessions }, ["write", "read"]);
    const session = await sessions.of(thread, viewActor(caller.actor));
    const { type, input } = operationArgument(args);
    const basedOn = optionalVersion(args, "basedOn");
    await caller.admit(thread.threadId, 1);
    const name = `${prefixOf(thread.definition.name)}${type}`;
    return operationResult(thread, await session.execute(name, input, defined({ basedOn })));
  },
};

function nameOf({ kind, id }: Actor): string {
  return `${kind} ${id}`;
}
