// Moment 5: the agent works on a branch, and a part of what it did is merged.

import { cardName } from "@opstate/kanban-domain";
import { unmergedOf } from "@opstate/kanban-page/branch-desk.ts";
import { mergePart } from "../lines/let-it-try.ts";
import { nextSteps } from "./cards.ts";
import { startRun } from "./run.ts";
import type { Stage } from "./stage.ts";

const CHANGES = 3;

export async function playLetItTry(stage: Stage): Promise<string> {
  const { session, say, until, hand, wait } = stage;
  const { thread, agentMode, branch } = session;
  const steps = nextSteps(thread.getState(), CHANGES);
  if (branch.getState().open) await wait(branch.discard());
  say("The agent tries three moves on a branch. The board stays as it is.");
  agentMode.choose("branch");
  const run = startRun(stage, steps.map(({ card, to }) => `move ${cardName(card)} to ${to.title}`).join(", "));
  await wait(run.ended);
  agentMode.choose("direct");
  const changes = () => branch.getState().open?.branch.changes.getState().changes ?? [];
  await until(() => changes().length >= CHANGES);
  branch.list(true);
  const tried = changes().length;
  const merged = () => {
    // A branch that is merged whole is gone.
    const left = branch.getState().open ? unmergedOf(changes()).length : 0;
    return tried - left;
  };
  await hand(
    "What differs is marked, on the branch and on the board. Below them choose what the board is to have, and merge it.",
    () => merged() > 0 && !branch.getState().busy,
    () => {
      const open = branch.getState().open;
      return open && mergePart(open.branch, 1);
    },
  );
  branch.show(false);
  return `${merged()} of ${tried} changes are merged into the board. The rest stays on the branch, until you merge or discard it.`;
}
