// Moment 2: the agent's last run is undone, and what the visitor did meanwhile stays.

import { logNow } from "@opstate/kanban-page/timeline/log.ts";
import type { Session } from "@opstate/kanban-page/session.ts";
import { grab } from "../lines/grab-a-card.ts";
import { takeBackRun } from "../lines/take-back-its-run.ts";
import { nameOfCard, nextSteps } from "./cards.ts";
import { editsByPeople, startRun } from "./run.ts";
import type { Stage } from "./stage.ts";

export async function playTakeBack(stage: Stage): Promise<string> {
  const { session, say, until, wait } = stage;
  const { thread } = session;
  if (lastRun(session) === undefined) await prepare(stage);
  const run = lastRun(session);
  if (run === undefined) throw new Error("The agent has changed nothing that an undo could change back.");
  const kept = editsByPeople(session, run.since - 1);
  say(`The run has ${count(run.changes)}. One call takes back all of it.`);
  const verdict = await wait(takeBackRun(thread, run.runId));
  if (!verdict.accepted) throw new Error(verdict.rejection.message);
  await until(() => thread.sync.getState().version >= verdict.version);
  const yours = kept.flatMap(({ cardIds }) => cardIds)[0];
  const board = thread.getState();
  return `The agent’s ${count(run.changes)} ${run.changes === 1 ? "is" : "are"} gone. Yours stayed${yours === undefined ? "" : `: ${nameOfCard(board, yours)} is where you put it`}.`;
}

/** A run, and an edit of the visitor's, where there is none yet. */
async function prepare(stage: Stage): Promise<void> {
  const { session, say, until, wait } = stage;
  const { thread } = session;
  const [first, second, third] = nextSteps(thread.getState(), 3);
  if (!first || !second || !third) throw new Error("This needs three cards that can move.");
  say("First a run of the agent, and an edit of yours beside it.");
  const run = startRun(
    stage,
    `Move ${first.card.cardId} to ${first.to.title}, then move ${second.card.cardId} to ${second.to.title}`,
  );
  await until(() => run.commits().length > 0);
  await wait(grab(thread, third.card.cardId, third.to.columnId));
  await wait(run.ended);
  await until(() => run.commits().length > 1);
}

interface LastRun {
  readonly runId: string;
  readonly since: number;
  readonly changes: number;
}

/** The newest run on the board that is in force, whole. */
function lastRun({ thread }: Session): LastRun | undefined {
  const { entries, undone } = logNow(thread);
  const edits = entries.filter(({ kind, runId, accepted }) => accepted && kind === "edit" && runId !== undefined);
  const runId = edits.find(({ version }) => !undone.has(version))?.runId;
  if (runId === undefined) return undefined;
  const ofRun = edits.filter((entry) => entry.runId === runId);
  return { runId, since: Math.min(...ofRun.map(({ version }) => version)), changes: ofRun.length };
}

const count = (n: number): string => `${n} ${n === 1 ? "change" : "changes"}`;
