// Moment 3: the agent proposes two moves, and the visitor decides on each.

import { APPROVE } from "@opstate/core/log";
import { cardName } from "@opstate/kanban-domain";
import { decide } from "../lines/make-it-ask-first.ts";
import { nameOfCard, nextSteps } from "./cards.ts";
import { startRun } from "./run.ts";
import type { Stage } from "./stage.ts";

export async function playAskFirst(stage: Stage): Promise<string> {
  const { session, say, until, hand, wait } = stage;
  const { thread, agentMode } = session;
  const [first, second] = nextSteps(thread.getState(), 2);
  if (!first || !second) throw new Error("This needs two cards that can move.");
  const earlier = new Set(open(stage).map(({ id }) => id));
  const made = () => open(stage).filter(({ id }) => !earlier.has(id));
  const version = thread.sync.getState().version;
  say("The agent is to ask first. It proposes two moves.");
  agentMode.choose("ask");
  const run = startRun(
    stage,
    `Move ${cardName(first.card)} to ${first.to.title}, move ${cardName(second.card)} to ${second.to.title}`,
  );
  await wait(run.ended);
  await until(() => made().length === 2);
  const all = made();
  const isDecided = (index: number) => made().every(({ id }) => id !== all[index]?.id);
  for (const [index, isWanted] of [true, false].entries())
    // oxlint-disable-next-line no-await-in-loop -- one decision after the other
    await hand(
      "Nothing has changed yet. The dashed cards are proposals: accept one with its tick, decline one with its cross.",
      () => (index === 0 ? isDecided(0) || isDecided(1) : isDecided(0) && isDecided(1)),
      () => {
        const next = made()[0];
        return next && decide(thread, next, isWanted);
      },
    );
  agentMode.choose("direct");
  const entries = await thread.history.read({ after: version });
  const kinds = entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit.operation.type] : []));
  const accepted = kinds.filter((type) => type === APPROVE).length;
  const names = [first, second].map(({ card }) => nameOfCard(thread.getState(), card.cardId)).join(" and ");
  return `You decided on ${names}: ${accepted} of 2 accepted. The log has the proposals and your decisions.`;
}

const open = ({ session }: Pick<Stage, "session">) => session.thread.proposals.getState().proposals;
