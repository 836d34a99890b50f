// A read-only tool for "What changed?": the latest changes of the board with their actors, of all
// cards or one, by all or one.

import { AIMessage, BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { getCurrentTaskInput } from "@langchain/langgraph";
import type { Commit } from "@opstate/core";
import { board, describeCommit, namedCard, TOOL_WORDS } from "@opstate/kanban-domain";
import { threadOfRun } from "@opstate/langgraph";
import { tool } from "langchain";
import { z } from "zod";
import { actorName } from "./actor-name.ts";

const threadOf = threadOfRun(board);
/** One card or person may be rare: so many changes are looked through for them. */
const MAX_READ = 500;
/** A year. */
const MAX_MINUTES = 525_600;
const Messages = z.object({ messages: z.array(z.instanceof(BaseMessage)) });

export const recentChanges = tool(
  async ({ count, about, by, minutes, times, sinceLastRequest }, config) => {
    const thread = threadOf(config);
    const isOne = about !== undefined || by !== undefined;
    const earliest = minutes === undefined ? undefined : Date.now() - minutes * 60_000;
    const after = sinceLastRequest
      ? await lastOwnVersion(config)
      : Math.max(0, thread.version - (isOne || earliest !== undefined ? MAX_READ : count));
    const history = await thread.history({ after });
    const commits = history.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    const fit = commits.filter(
      (commit) =>
        (about === undefined || (concerns(commit, about) && commit.version > 1)) &&
        (by === undefined || isBy(commit, by)) &&
        (earliest === undefined || Date.parse(commit.at) >= earliest),
    );
    const lines = fit
      .slice(-count)
      .map((commit) => `- ${nameOf(commit)}${times ? `, ${ago(commit)}` : ""}: ${describeCommit(commit)}`);
    const state = thread.getState();
    const named = state === null || about === undefined ? about : (namedCard(state, about) ?? about);
    const what = [...(named === undefined ? [] : [` of ${named}`]), ...(by === undefined ? [] : [` by ${by}`])].join(
      "",
    );
    const within = minutes === undefined ? undefined : `in the last ${spanInWords(minutes)}`;
    // The first commit is the board as it was made.
    if (lines.length === 0 || (!isOne && fit.every(({ version }) => version === 1)))
      return `No changes${what} ${within ?? (sinceLastRequest ? "since your last request" : "since the board was made")}.`;
    return [
      `The latest changes${what}${within === undefined ? "" : ` ${within}`}, newest first:`,
      ...lines.toReversed(),
    ].join("\n");
  },
  {
    name: "recentChanges",
    description: TOOL_WORDS.recentChanges,
    schema: z.object({
      count: z.int().min(1).max(50).default(10),
      about: z.string().min(1).max(200).optional().describe("A cardId, or a column's title."),
      by: z.string().min(1).max(100).optional().describe("The name of a person, or agent."),
      minutes: z.int().min(1).max(MAX_MINUTES).optional().describe("Only changes of so many last minutes."),
      times: z.boolean().optional().describe("Whether to say how long ago each change was."),
      sinceLastRequest: z.boolean().optional(),
    }),
  },
);

const UNITS = [
  [1440, "day"],
  [60, "hour"],
] as const;

/** "hour", "10 minutes", "2 days" */
function spanInWords(minutes: number): string {
  const [size, unit] = UNITS.find(([each]) => minutes % each === 0) ?? [1, "minute"];
  return minutes === size ? unit : `${minutes / size} ${unit}s`;
}

/** "just now", "10 minutes ago" */
function ago({ at }: Commit): string {
  const minutes = Math.floor((Date.now() - Date.parse(at)) / 60_000);
  if (minutes < 1) return "just now";
  const [size, unit] = UNITS.find(([each]) => minutes >= each) ?? [1, "minute"];
  const count = Math.floor(minutes / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

const nameOf = ({ actor }: Commit): string => actorName(actor.kind, actor.id);

function isBy(commit: Commit, by: string): boolean {
  const wanted = by.toLowerCase();
  return commit.actor.id.toLowerCase() === wanted || nameOf(commit).toLowerCase() === wanted;
}

/** Whether a commit names a card or a column, in its operation or in what it changed. */
function concerns(commit: Commit, about: string): boolean {
  const named = JSON.stringify([
    commit.operation,
    commit.patches,
    commit.inverse,
    describeCommit(commit),
  ]).toLowerCase();
  return new RegExp(`(?<![\\w-])${about.toLowerCase().replaceAll(/[^\w\s]/g, "\\$&")}(?![\\w-])`).test(named);
}

/** The version of the newest tool result before the current request. */
async function lastOwnVersion(config: RunnableConfig): Promise<number> {
  const { messages = [] } = Messages.safeParse(getCurrentTaskInput(config)).data ?? {};
  const asked = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const versions = messages
    .slice(0, Math.max(0, asked))
    .filter((message) => !AIMessage.isInstance(message) && !HumanMessage.isInstance(message))
    .flatMap(({ text }) => Number(/^Accepted: .*?\bversion (\d+)\./.exec(text)?.[1] ?? Number.NaN))
    .filter((version) => !Number.isNaN(version));
  return versions.at(-1) ?? 0;
}
