// A tool that undoes the agent's last run of this conversation, and keeps what others did since.
//
// - It has the agent's own rights. What a person did or accepted, a person undoes.
// - Runs of other conversations are never undone.

import { AIMessage, BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { getCurrentTaskInput } from "@langchain/langgraph";
import { defined, type Rejection, type Thread } from "@opstate/core";
import { dependentsOf } from "@opstate/core/thread";
import { board, describeCommit, TOOL_WORDS } from "@opstate/kanban-domain";
import { type OpstateRun, threadOfRun } from "@opstate/langgraph";
import { tool } from "langchain";
import { z } from "zod";
import { actorName } from "./actor-name.ts";
import { findLastRun, type LastRun } from "./last-run.ts";

const threadOf = threadOfRun(board);
const MAX_SENTENCES = 6;

const Messages = z.object({ messages: z.array(z.instanceof(BaseMessage)) });

export const takeBack = tool(
  async (_input, config) => {
    const thread = threadOf(config);
    const { actor = { kind: "agent", id: "agent" }, runId } = runOf(config);
    const last = await findLastRun(thread, { actor, toolCallIds: new Set(earlierCalls(config)) });
    if (last === undefined)
      return refused("nothing_to_undo", "I changed nothing in this conversation that could be taken back.");
    const obstacle = obstacleTo(last, config);
    if (obstacle !== undefined) return obstacle;
    const toolCallId = config.toolCall?.id;
    const verdict = await thread.undo(
      { runId: last.runId },
      {
        actor,
        ...defined({ runId, toolCallId, id: toolCallId && `take-back/${toolCallId}` }),
      },
    );
    if (!verdict.accepted)
      return refused(
        verdict.rejection.reason ?? verdict.rejection.code,
        await explainRefusal(thread, verdict.rejection),
      );
    return `Accepted: board is now at version ${verdict.version}.\nTaken back: ${describeRun(last)}.`;
  },
  {
    name: "takeBack",
    description: TOOL_WORDS.takeBack,
    schema: z.object({}),
  },
);

function obstacleTo(
  { isTakenBack, acceptedBy: [accepted], commits }: LastRun,
  { configurable }: RunnableConfig,
): string | undefined {
  if (isTakenBack)
    return refused(
      "already_undone",
      "my last run is taken back already. An earlier one can be taken back under Timeline.",
    );
  if (accepted !== undefined)
    return refused(
      "accepted_by_person",
      `${actorName(accepted.kind, accepted.id)} accepted it, so a person takes it back, under Timeline.`,
    );
  if (configurable?.["askFirst"] === true && commits.some(({ patches }) => patches.length > 0))
    return refused("ask_first", "I have to ask first, and an undo cannot be proposed. Undo my run under Timeline.");
  return undefined;
}

/** Why the undo was refused, with sentences instead of ids. */
async function explainRefusal(thread: Thread<typeof board>, rejection: Rejection): Promise<string> {
  const dependents = (dependentsOf(rejection)?.named ?? []).flatMap(({ version, would = "" }) =>
    version === undefined ? [] : [{ version, would }],
  );
  if (dependents.length === 0) return rejection.message;
  const versions = dependents.map(({ version }) => version);
  const entries = await thread.history({ after: Math.min(...versions) - 1, before: Math.max(...versions) + 1 });
  const commits = entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
  const sentences = dependents.map(({ version, would }) => {
    const commit = commits.find((each) => each.version === version);
    if (commit === undefined) return `a later change ${would}`;
    const done = `${actorName(commit.actor.kind, commit.actor.id)}: ${describeCommit(commit)}`;
    // A refusal would list the ids of the board.
    return would.startsWith("would be refused") ? done : `${done}, which ${would}`;
  });
  return `without my run, what was done later would be refused or do something else (${sentences.join("; ")}). Take that back first, or take my run back under Timeline, where you can keep it or leave it out.`;
}

function describeRun({ commits }: LastRun): string {
  const sentences = commits.slice(0, MAX_SENTENCES).map(describeCommit);
  return [...sentences, ...(commits.length > MAX_SENTENCES ? [`${commits.length - MAX_SENTENCES} more`] : [])].join(
    "; ",
  );
}

/** The ids of the conversation's tool calls before the current request. */
function earlierCalls(config: RunnableConfig): readonly string[] {
  const { messages = [] } = Messages.safeParse(getCurrentTaskInput(config)).data ?? {};
  return messages
    .slice(
      0,
      messages.findLastIndex((message) => HumanMessage.isInstance(message)),
    )
    .flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
    .flatMap(({ id }) => id ?? []);
}

const runOf = ({ configurable }: RunnableConfig): Partial<OpstateRun> => configurable?.["opstate"] ?? {};
const refused = (reason: string, message: string): string =>
  `Refused (${reason}): Not taken back: ${message}\nboard is unchanged by this call.`;
