// Tools that read what happened: the threads, what others changed, the history, and why a value is
// as it is.

import { asData, commitLine } from "@opstate/agent";
import { defined, type Commit } from "@opstate/core";
import { optionalVersion, textArgument } from "../call/arguments.ts";
import { readResult, RESULT_SCHEMA, result } from "./results.ts";
import { openThread, type McpTool, READS, THREAD_ID } from "./tool.ts";

const HISTORY_DEFAULT = 20;
const HISTORY_LIMIT = 200;

const threads: McpTool = {
  listed: {
    name: "opstate_threads",
    title: "List threads",
    description:
      "The threads that you may read, each with the definition of its state. Their ids are the `threadId` of other tools.",
    inputSchema: { type: "object", properties: {} },
    outputSchema: {
      type: "object",
      properties: { threads: { type: "array", items: { type: "object" } } },
      required: ["threads"],
    },
    annotations: READS,
  },
  async run(_, { caller }) {
    const found = (await caller.threads()).map(({ threadId, definition }) => ({ threadId, definition }));
    const lines = found.map(({ threadId, definition }) => `${JSON.stringify(threadId)}: a ${definition}`);
    return result(lines.join("\n") || "There is no thread that you may read.", { threads: found });
  },
};

const changes: McpTool = {
  listed: {
    name: "opstate_changes",
    title: "What changed",
    description:
      "What others changed in a thread, since the last result or since a version. Every other result says it too.",
    inputSchema: {
      type: "object",
      properties: { threadId: THREAD_ID, since: { type: "integer", minimum: 0, description: "A version" } },
      required: ["threadId"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: READS,
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["read"]);
    const since = optionalVersion(args, "since");
    const digest =
      since === undefined ? "" : await thread.digest({ since: Math.min(since, thread.version), for: session.actor });
    const head = `${thread.definition.name} is at version ${thread.version}.`;
    return readResult(session, digest === "" ? head : `${head}\n${asData(digest)}`);
  },
};

const history: McpTool = {
  listed: {
    name: "opstate_history",
    title: "History",
    description: "The newest commits of a thread, each with its version, actor, sentence and id. Ids can be undone.",
    inputSchema: {
      type: "object",
      properties: {
        threadId: THREAD_ID,
        before: { type: "integer", minimum: 0, description: "Only versions below this one" },
        limit: { type: "integer", minimum: 1, maximum: HISTORY_LIMIT, description: `Default ${HISTORY_DEFAULT}` },
      },
      required: ["threadId"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: READS,
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["read"]);
    const before = optionalVersion(args, "before");
    const limit = Math.min(Math.max(1, optionalVersion(args, "limit") ?? HISTORY_DEFAULT), HISTORY_LIMIT);
    const entries = await thread.history({ order: "descending", limit, ...defined({ before }) });
    const commits = entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    const lines = commits.map((commit) => withId(commitLine(thread.definition, commit, session.actor), commit));
    const text = lines.join("\n") || "There are no such commits.";
    context.caller.spend({ characters: text.length });
    return readResult(session, text);
  },
};

const why: McpTool = {
  listed: {
    name: "opstate_why",
    title: "Why a value is as it is",
    description: "Which commit last touched the value at a JSON Pointer, who made it, and in which run.",
    inputSchema: {
      type: "object",
      properties: { threadId: THREAD_ID, pointer: { type: "string", description: "Such as /columns/0/title" } },
      required: ["threadId", "pointer"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: READS,
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["read"]);
    context.caller.spend("replay");
    const found = await thread.explain(args["pointer"] === "" ? "" : textArgument(args, "pointer"));
    if (found === undefined)
      return readResult(
        session,
        "No commit touched it: it is as it was at the beginning, or its history was compacted.",
      );
    const run = found.runId === undefined ? "" : `, run ${JSON.stringify(found.runId)}`;
    return readResult(session, withId(commitLine(thread.definition, found.commit, session.actor), found.commit) + run);
  },
};

function withId(line: string, { id }: Pick<Commit, "id">): string {
  return `${line} [id ${JSON.stringify(id)}]`;
}

export const PAST_TOOLS: readonly McpTool[] = [threads, changes, history, why];
