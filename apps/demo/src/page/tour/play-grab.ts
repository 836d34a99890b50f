// Moment 1: the agent makes its first change, waits for the visitor's hand, goes on, and says what
// the visitor moved.

import { cardName } from "@opstate/kanban-domain";
import { grab } from "../lines/grab-a-card.ts";
import { nameOfCard, nextSteps } from "./cards.ts";
import { editsByPeople, startRun } from "./run.ts";
import type { Stage } from "./stage.ts";

export async function playGrab(stage: Stage): Promise<string> {
  const { session, say, until, hand, wait } = stage;
  const { thread, user } = session;
  const [first, second, third] = nextSteps(thread.getState(), 3);
  if (!first || !second || !third) throw new Error("This needs three cards that can move.");
  say("The agent makes its first change.");
  const run = startRun(
    stage,
    `Move ${cardName(first.card)} to ${first.to.title}, then move ${cardName(second.card)} to ${second.to.title}`,
  );
  await until(() => run.commits().length > 0);
  const since = run.commits()[0]?.version ?? 0;
  const edits = () => editsByPeople(session, since);
  await hand(
    "It is half way through and waits for you. Drag any card; or focus one and press Space, an arrow, Space.",
    () => edits().length > 0,
    () => grab(thread, third.card.cardId, third.to.columnId),
  );
  say("It goes on, with your edit in view.");
  await wait(run.ended);
  const board = thread.getState();
  const moved = edits().flatMap(({ cardIds }) => cardIds)[0];
  const noticed = /Meanwhile, .*?\.(?=\s|$)/.exec(run.said())?.[0];
  const yours = moved === undefined ? "your edit" : nameOfCard(board, moved);
  return noticed === undefined
    ? `The run is done, and ${yours} is where you, ${user}, put it.`
    : `The agent said: “${noticed}” Its run is done, and ${yours} is where you put it.`;
}
