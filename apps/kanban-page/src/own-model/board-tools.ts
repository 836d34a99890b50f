// The tools of the real agent, for an agent in this page: the board's operations and what reads
// it, and those that are the demo's own.

import type { AgentSession } from "@opstate/agent";
import { openProposalText, summarize, verdictText } from "@opstate/agent";
import type { Actor, AnyOperation, Thread, Verdict } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { isUndo } from "@opstate/core/log";
import { sameActor } from "@opstate/core/thread";
import { replacementSchema, toolUpdate } from "@opstate/core/tools";
import { board, describeCommit, effectsAfter, NO_EFFECTS, TOOL_WORDS } from "@opstate/kanban-domain";
import type { ModelTool, ToolCall } from "./chat-completion.ts";

export interface BoardToolsOptions {
  readonly session: AgentSession;
  readonly thread: Thread<typeof board>;
  readonly actor: Actor;
  readonly runId: string;
  /** Whether every change is proposed. */
  readonly askFirst: boolean;
}

export interface BoardTools {
  readonly tools: readonly ModelTool[];
  /** The results of one message's calls, in their order. */
  step(calls: readonly ToolCall[]): AsyncIterable<{ readonly call: ToolCall; readonly text: string }>;
}

export const OFFER_REPLIES = "offerReplies";
const MAX_CHANGES = 50;

export function boardTools({ session, thread, actor, runId, askFirst }: BoardToolsOptions): BoardTools {
  let effects = NO_EFFECTS;

  async function run(call: ToolCall, args: object, needsApproval: boolean, basedOn: number): Promise<string> {
    const { id: callId, function: called } = call;
    switch (called.name) {
      case OFFER_REPLIES:
        return "Shown as buttons below your text.";
      case "recentChanges":
        return changesText(await thread.history({ order: "descending", limit: countIn(args) }));
      case "takeBack":
        return undoLast();
      case "buildBoard": {
        const update = { type: "$replace", value: args } as never;
        const options = { actor, runId, toolCallId: callId };
        if (!needsApproval) return textOf(await thread.dispatch(update, options));
        const verdict = await thread.propose(update, options);
        return verdict.accepted && verdict.commit ? openProposalText(board.name, verdict.commit) : textOf(verdict);
      }
      default:
        return (await session.execute(called.name, args, { callId, propose: needsApproval, basedOn })).text;
    }
  }

  /** Of this agent, unless it is undone. */
  async function undoLast(): Promise<string> {
    if (askFirst) return refused("ask_first", "I have to ask first, and an undo cannot be proposed.");
    const entries = await thread.history({ order: "descending", limit: 200 });
    const last = entries
      .flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []))
      .find((commit) => sameActor(commit.actor, actor) && commit.runId !== runId);
    if (last?.runId === undefined || isUndo(last.operation))
      return refused("nothing_to_undo", "I changed nothing that could be taken back.");
    return textOf(await thread.undo({ runId: last.runId }, { actor, runId }));
  }

  return {
    tools: [
      ...session.tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
      ...ownTools(),
    ],
    async *step(calls) {
      const basedOn = session.seen;
      const read = calls.map((call) => ({ call, args: argumentsOf(call) }));
      if (thread.parent === undefined)
        effects = effectsAfter(
          effects,
          thread.getState(),
          read.flatMap(({ call, args }) => updateOf(session, call.function.name, args)),
        );
      for (const { call, args } of read) {
        const needsApproval = askFirst || effects.needsApproval;
        yield { call, text: args === undefined ? BAD_ARGUMENTS : await run(call, args, needsApproval, basedOn) };
      }
    },
  };
}

const BAD_ARGUMENTS = "Refused (invalid_arguments): The arguments are not a JSON object. Send them again.";
const refused = (reason: string, message: string): string => `Refused (${reason}): Not taken back: ${message}`;
const textOf = (verdict: Verdict): string => verdictText(board, summarize(verdict), 1);

function ownTools(): readonly ModelTool[] {
  const object = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });
  const replies = { type: "array", items: { type: "string" }, minItems: 2, maxItems: 3 };
  return [
    { name: "buildBoard", description: TOOL_WORDS.buildBoard, parameters: replacementSchema(board) },
    { name: "takeBack", description: TOOL_WORDS.takeBack, parameters: object({}) },
    {
      name: "recentChanges",
      description: TOOL_WORDS.recentChanges,
      parameters: object({ count: { type: "integer", minimum: 1, maximum: MAX_CHANGES } }),
    },
    { name: OFFER_REPLIES, description: TOOL_WORDS.offerReplies, parameters: object({ replies }, ["replies"]) },
  ];
}

function updateOf(session: AgentSession, name: string, args: object | undefined): readonly AnyOperation[] {
  if (args === undefined) return [];
  if (name === "buildBoard") return [{ type: "$replace", value: args } as never];
  return session.tools.some((tool) => tool.name === name && tool.operation !== undefined)
    ? [toolUpdate(board, { name, args })]
    : [];
}

/** Undefined for what is no JSON object. */
function argumentsOf({ function: called }: ToolCall): object | undefined {
  try {
    const args: unknown = JSON.parse(called.arguments || "{}");
    return isObject(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

function countIn(args: object): number {
  const count: unknown = Reflect.get(args, "count");
  return typeof count === "number" && Number.isInteger(count) ? Math.min(Math.max(count, 1), MAX_CHANGES) : 10;
}

function changesText(entries: Awaited<ReturnType<Thread<typeof board>["history"]>>): string {
  const lines = entries.flatMap((entry) =>
    entry.kind === "commit"
      ? [`- ${entry.commit.actor.kind} ${entry.commit.actor.id}: ${describeCommit(entry.commit)}`]
      : [],
  );
  return lines.length === 0 ? "No changes." : ["The latest changes, newest first:", ...lines].join("\n");
}
