// A definition's operations, and the two tools that read, for threads that are named by a handle.

import type { JSONObject } from "@modelcontextprotocol/server";
import { readToolsOf } from "@opstate/agent";
import { defined, OpstateError, type Actor, type AnyDefinition } from "@opstate/core";
import { toolsOf } from "@opstate/core/tools";
import { CallProblem, optionalText, optionalVersion } from "../call/arguments.ts";
import { prefixOf } from "../call/sessions.ts";
import { operationResult, RESULT_SCHEMA } from "./results.ts";
import { openThread, type McpTool, READS, THREAD_ID } from "./tool.ts";

/** The endpoint's own arguments. An operation cannot have one of these names. */
const HANDLE = {
  threadId: THREAD_ID,
  basedOn: {
    type: "integer",
    minimum: 0,
    description: "The version of the state that you chose this on. Default: the last one that a result showed you",
  },
  callId: {
    type: "string",
    description:
      "An id of yours for this call. When its answer was lost, call again with the same one: it has one effect",
  },
} as const;

/** The tools of a definition for this actor. Throws an OpstateError when they cannot be named. */
export function operationTools(definition: AnyDefinition, actor?: Actor): readonly McpTool[] {
  const { name } = definition;
  const prefix = prefixOf(name);
  const reading = readToolsOf(definition, { prefix });
  const operations = toolsOf(definition, defined({ actor, prefix }));
  for (const tool of operations) {
    const taken = Object.keys(propertiesOf(tool.inputSchema)).find((property) => property in HANDLE);
    if (taken !== undefined)
      throw new OpstateError(
        "invalid_definition",
        `The operation of the MCP tool "${tool.name}" has an input "${taken}", which is the tool's own. Give it another name.`,
      );
    if (reading.some((other) => other.name === tool.name))
      throw new OpstateError(
        "invalid_definition",
        `"${name}" cannot be served by MCP: its operation "${tool.name.slice(prefix.length)}" has the name of a tool that reads.`,
      );
  }
  return [
    ...operations.map((tool) => {
      const type = tool.name.slice(prefix.length);
      const waits = (definition.model.operations.get(type)?.approve.length ?? 0) > 0;
      return operationTool(definition, tool, HANDLE, {
        readOnlyHint: false,
        // What a person is to approve is what its author thinks harmful.
        destructiveHint: waits,
        idempotentHint: false,
        openWorldHint: false,
      });
    }),
    ...reading.map((tool) => operationTool(definition, tool, { threadId: THREAD_ID }, READS)),
  ];
}

function operationTool(
  definition: AnyDefinition,
  {
    name,
    description,
    inputSchema,
  }: Pick<McpTool["listed"], "name" | "description"> & {
    readonly inputSchema: Readonly<Record<string, unknown>>;
  },
  handle: Readonly<Record<string, JSONObject>>,
  annotations: McpTool["listed"]["annotations"],
): McpTool {
  const isWrite = annotations?.readOnlyHint !== true;
  const required = Array.isArray(inputSchema["required"]) ? inputSchema["required"].map(String) : [];
  return {
    listed: {
      name,
      ...defined({ description }),
      inputSchema: {
        // Clients that validate would take it for an older dialect.
        $schema: "https://json-schema.org/draft/2020-12/schema",
        ...inputSchema,
        type: "object",
        properties: { ...handle, ...propertiesOf(inputSchema) },
        required: ["threadId", ...required],
      },
      outputSchema: RESULT_SCHEMA,
      ...defined({ annotations }),
    },
    async run(args, context) {
      const { thread, session } = await openThread(args, context, isWrite ? ["write", "read"] : ["read"]);
      if (thread.definition.name !== definition.name)
        throw new CallProblem(
          `Thread "${thread.threadId}" holds a "${thread.definition.name}": its tools begin with "${prefixOf(thread.definition.name)}".`,
        );
      const { threadId: _, basedOn: __, callId: ___, ...input } = args;
      const given = { basedOn: optionalVersion(args, "basedOn"), callId: optionalText(args, "callId") };
      const call = { ...context.call, ...defined(given) };
      if (!isWrite) return operationResult(thread, await session.execute(name, input, call));
      await context.caller.admit(thread.threadId, 1);
      const about = { threadId: thread.threadId, actor: session.actor };
      const elicited = context.elicits
        ? await context.sessions.elicitation.of(context.request, about, call.callId)
        : undefined;
      if (elicited === undefined) return operationResult(thread, await session.execute(name, input, call));
      const { callId, isReply, answer, ask } = elicited;
      const open = isReply ? undefined : await session.ask(name, input, { ...call, callId });
      if (open !== undefined) return ask(open.question);
      return operationResult(thread, await session.execute(name, input, { ...call, callId, answer }));
    },
  };
}

function propertiesOf({ properties }: Readonly<Record<string, unknown>>): Readonly<Record<string, JSONObject>> {
  return typeof properties === "object" && properties !== null ? { ...properties } : {};
}
