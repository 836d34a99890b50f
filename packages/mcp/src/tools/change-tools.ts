// Tools that change the past or prepare a change: undo, proposals and branches, as far as the
// sender's rights allow.
//
// Invariant: nothing here approves. The view and the model of a client are one identity to a
// server, so what a model proposed is approved on a signed-in page.
//
// (Long because each tool is here with its words.)

import { callText, shortId } from "@opstate/agent";
import { defined, type Branch, type Thread } from "@opstate/core";
import { quoteText, type UndoTarget } from "@opstate/core/thread";
import {
  CallProblem,
  operationArgument,
  optionalText,
  optionalTexts,
  optionalVersion,
  optionalWord,
  textArgument,
} from "../call/arguments.ts";
import { prefixOf } from "../call/sessions.ts";
import { operationResult, readResult, RESULT_SCHEMA, withNews } from "./results.ts";
import { type McpTool, OPERATION, openThread, READS, THREAD_ID, type ToolContext, WRITES } from "./tool.ts";

const undo: McpTool = {
  listed: {
    name: "opstate_undo",
    title: "Take back",
    description:
      "Takes back commits by their ids, or all of a run, and keeps what was done since. The work of others needs the right to undo. To redo, undo the commit of the undo.",
    inputSchema: {
      type: "object",
      properties: {
        threadId: THREAD_ID,
        ids: { type: "array", items: { type: "string" }, minItems: 1, description: "Ids of commits" },
        runId: { type: "string", description: "Instead of ids: a run" },
        onDependent: {
          enum: ["refuse", "drop", "keep"],
          description:
            "What happens to later changes that need it: the undo is refused (the default), or they are taken back too, or they stay",
        },
      },
      required: ["threadId"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: { ...WRITES, destructiveHint: true },
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["write", "read"]);
    const mayUndoOthers = await context.caller.allows(thread.threadId, "undo");
    const onDependent = optionalWord(args, "onDependent", ["refuse", "drop", "keep"]);
    const target = undoTarget(optionalTexts(args, "ids"), optionalText(args, "runId"));
    context.caller.spend("replay");
    await context.caller.admit(thread.threadId, 1);
    const verdict = await thread.undo(target, {
      actor: session.actor,
      allows: () => mayUndoOthers,
      ...defined({ onDependent }),
    });
    const text = callText(thread.definition.name, { verdict }, 0);
    return withNewsOf(context, thread, { text, version: thread.version, verdict });
  },
};

const propose: McpTool = {
  listed: {
    name: "opstate_propose",
    title: "Propose",
    description: "Proposes an operation instead of doing it. A person decides on a page.",
    inputSchema: {
      type: "object",
      properties: {
        threadId: THREAD_ID,
        operation: OPERATION,
        basedOn: { type: "integer", minimum: 0, description: "The version that you chose this on" },
      },
      required: ["threadId", "operation"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: WRITES,
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["write", "read"]);
    const { type, input } = operationArgument(args);
    const basedOn = optionalVersion(args, "basedOn");
    await context.caller.admit(thread.threadId, 1);
    const call = { ...context.call, ...defined({ basedOn }), propose: true };
    return operationResult(thread, await session.execute(`${prefixOf(thread.definition.name)}${type}`, input, call));
  },
};

const proposals: McpTool = {
  listed: {
    name: "opstate_proposals",
    title: "Open proposals",
    description:
      "The proposals of a thread that wait for a person, each with who proposed it and whether it still holds.",
    inputSchema: { type: "object", properties: { threadId: THREAD_ID }, required: ["threadId"] },
    outputSchema: RESULT_SCHEMA,
    annotations: READS,
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["read"]);
    return readResult(session, await proposalLines(thread));
  },
};

/** The open proposals of a thread, a line for each. */
export async function proposalLines(thread: Thread): Promise<string> {
  const open = await thread.proposals();
  const lines = open.map(({ id, actor, sentence, stale, rejection }) => {
    const holds =
      rejection !== undefined
        ? ` It would be refused now: ${quoteText(rejection.message)}`
        : stale.length > 0
          ? " What it would change has changed since."
          : "";
    return `${JSON.stringify(id)} by ${actor.kind} ${quoteText(actor.id)}: ${quoteText(sentence)}.${holds}`;
  });
  return lines.join("\n") || "No proposal is open.";
}

const withdraw: McpTool = {
  listed: {
    name: "opstate_withdraw",
    title: "Withdraw a proposal",
    description: "Ends a proposal of your own without carrying it out.",
    inputSchema: {
      type: "object",
      properties: { threadId: THREAD_ID, proposal: { type: "string", description: "Its id" } },
      required: ["threadId", "proposal"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: WRITES,
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["write", "read"]);
    await context.caller.admit(thread.threadId, 1);
    const id = textArgument(args, "proposal");
    const verdict = await thread.decline(id, { actor: session.actor, allows: () => false });
    const text = verdict.accepted
      ? `The proposal ${JSON.stringify(id)} is withdrawn.`
      : callText(thread.definition.name, { verdict }, 0);
    return withNewsOf(context, thread, { text, version: thread.version, verdict });
  },
};

const branch: McpTool = {
  listed: {
    name: "opstate_branch",
    title: "Work on a branch",
    description:
      "Opens a branch of a thread, a copy to work on. Its id is the `threadId` of your operations there. A person, or opstate_merge, brings them over.",
    inputSchema: {
      type: "object",
      properties: { threadId: THREAD_ID, name: { type: "string", description: "The same name gives the same branch" } },
      required: ["threadId", "name"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: { ...WRITES, idempotentHint: true },
  },
  async run(args, context) {
    const { thread, session } = await openThread(args, context, ["write", "read"]);
    const id = `${thread.threadId}~${shortId(textArgument(args, "name"))}`;
    const opened = (await thread.openBranch(id)) ?? (await thread.branch(undefined, { id }));
    const { threadId, version } = opened;
    await opened.close();
    return readResult(
      session,
      `The branch ${JSON.stringify(threadId)} is at version ${version}. Use it as \`threadId\`.`,
      {
        branch: threadId,
      },
    );
  },
};

const diff: McpTool = {
  listed: {
    name: "opstate_branch_changes",
    title: "Changes on a branch",
    description: "What was done on a branch, and whether the thread would accept each of it now.",
    inputSchema: {
      type: "object",
      properties: { threadId: { ...THREAD_ID, description: "The branch" } },
      required: ["threadId"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: READS,
  },
  async run(args, context) {
    const { session, branch: own } = await openBranch(args, context, ["read"]);
    const found = await own.diff();
    await own.close();
    const lines = found.map(({ id, sentence, holds, needsApproval, merged, rejection }) => {
      const state =
        merged !== undefined
          ? "merged"
          : !holds
            ? `would be refused: ${quoteText(rejection?.message ?? "")}`
            : needsApproval
              ? "a person must merge it"
              : "can be merged";
      return `${JSON.stringify(id)}: ${quoteText(sentence)} (${state})`;
    });
    return readResult(session, lines.join("\n") || "Nothing was done on the branch.");
  },
};

const merge: McpTool = {
  listed: {
    name: "opstate_merge",
    title: "Merge a branch",
    description:
      "Does what was done on a branch again on its thread, all or chosen changes, each with its own verdict.",
    inputSchema: {
      type: "object",
      properties: {
        threadId: { ...THREAD_ID, description: "The branch" },
        ids: { type: "array", items: { type: "string" }, minItems: 1, description: "Ids of changes; default: all" },
      },
      required: ["threadId"],
    },
    outputSchema: RESULT_SCHEMA,
    annotations: WRITES,
  },
  async run(args, context) {
    const { thread, session, branch: own } = await openBranch(args, context, ["write", "read"]);
    const ids = optionalTexts(args, "ids");
    await context.caller.admit(thread.threadId, ids?.length ?? 1);
    const merged = await own.merge({ actor: session.actor, allows: () => false, ...defined({ ids }) });
    await own.close();
    const lines = merged.map(({ id, verdict }) =>
      verdict.accepted
        ? `${JSON.stringify(id)}: merged`
        : `${JSON.stringify(id)}: Refused (${verdict.rejection.reason ?? verdict.rejection.code}): ${verdict.rejection.message}`,
    );
    return readResult(session, lines.join("\n") || "There was nothing to merge.");
  },
};

/** The branch that the arguments name, and its thread. */
async function openBranch(
  args: Parameters<McpTool["run"]>[0],
  context: ToolContext,
  rights: Parameters<typeof openThread>[2],
) {
  const found = await openThread(args, context, rights);
  const { parent, threadId } = found.thread;
  if (parent === undefined) throw new CallProblem(`Thread "${threadId}" is not a branch.`);
  const thread = await context.caller.thread(parent.threadId);
  const branchOf: Branch | undefined = await thread.openBranch(threadId);
  context.caller.spend("replay");
  if (branchOf === undefined) throw new CallProblem(`The branch "${threadId}" was discarded.`);
  return { thread, branch: branchOf, session: await context.sessions.of(thread, context.caller.actor) };
}

function undoTarget(ids: readonly string[] | undefined, runId: string | undefined): UndoTarget {
  if (ids !== undefined && runId === undefined) return { ids };
  if (runId !== undefined && ids === undefined) return { runId };
  throw new CallProblem("Give either `ids` of commits or a `runId`.");
}

async function withNewsOf(
  { caller, sessions }: ToolContext,
  thread: Thread,
  result: Omit<Parameters<typeof operationResult>[1], "news">,
) {
  const session = await sessions.of(thread, caller.actor);
  const news = await session.news();
  return operationResult(thread, { ...result, text: withNews(session, result.text, news), news });
}

export const CHANGE_TOOLS: readonly McpTool[] = [undo, propose, proposals, withdraw, branch, diff, merge];
