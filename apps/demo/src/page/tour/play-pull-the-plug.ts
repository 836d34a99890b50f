// Moment 4: two edits offline, a reload, and a verdict for each. Meanwhile someone else, at another
// desk, moved the first of the two cards.

import { isObject } from "@opstate/core/json";
import { findCard } from "@opstate/kanban-domain";
import { headersFor } from "@opstate/kanban-page/visit.ts";
import { refused, waiting } from "../lines/pull-the-plug.ts";
import { nameOfCard, nextSteps } from "./cards.ts";
import type { Stage } from "./stage.ts";

const COLLEAGUE = "grace";
const EDITS = 2;

export async function playPullThePlug(stage: Stage): Promise<never> {
  const { session, say, until, hand, wait, reload } = stage;
  const { thread, connection, edits } = session;
  say("The plug is pulled.");
  connection.set(true);
  await until(() => thread.sync.getState().status === "offline");
  await hand(
    `This page is offline. Move two cards: they stay dashed until the server has judged them.`,
    () => movedOf(stage).length >= EDITS,
    () => {
      const pending = new Set(movedOf(stage).map(({ cardId }) => cardId));
      const steps = nextSteps(thread.getState(), 2 * EDITS).filter(({ card }) => !pending.has(card.cardId));
      for (const { card, from, to } of steps.slice(0, EDITS - pending.size))
        void edits.move(card.cardId, from.columnId, { columnId: to.columnId, index: 0 });
    },
  );
  const [first] = movedOf(stage);
  if (first === undefined) throw new Error("No edit is pending.");
  say(`At another desk ${COLLEAGUE} moves ${nameOfCard(thread.getState(), first.cardId)}, too.`);
  await wait(moveElsewhere(stage, first));
  say("Your edits are kept in this browser. Now the page is loaded again.");
  await wait(allKept());
  return reload();
}

export async function comeBack({ session, say, until, hand }: Stage): Promise<string> {
  const { thread, connection } = session;
  await until(() => waiting(thread).length > 0);
  const total = waiting(thread).length;
  await hand(
    `The page was loaded again, still offline, and your ${total} edits are there. Switch the connection on, at the bottom left.`,
    () => !connection.getState().cut,
    () => connection.set(false),
  );
  say("The connection is back. Each edit is sent, and judged.");
  await until(() => thread.sync.getState().status === "online" && waiting(thread).length === 0);
  const [rejection] = refused(thread);
  return rejection === undefined
    ? `All ${total} edits were accepted.`
    : `${total - refused(thread).length} of ${total} edits accepted. The other was refused, with the reason: “${rejection.message}”`;
}

interface Moved {
  readonly cardId: string;
  readonly fromColumn: string;
  readonly toColumn: string;
}

/** The cards whose moves wait, oldest first. */
function movedOf({ session: { thread } }: Pick<Stage, "session">): readonly Moved[] {
  return waiting(thread).flatMap(({ operation }) => {
    if (!isObject(operation) || operation.type !== "move") return [];
    const { cardId, fromColumn, toColumn } = operation;
    const isAll = typeof cardId === "string" && typeof fromColumn === "string" && typeof toColumn === "string";
    return isAll && fromColumn !== toColumn ? [{ cardId, fromColumn, toColumn }] : [];
  });
}

/** As the colleague, by a request that does not need this page's connection. */
async function moveElsewhere({ session: { thread } }: Pick<Stage, "session">, moved: Moved): Promise<void> {
  const board = thread.getState();
  const column = board?.columns.find(({ columnId }) => columnId !== moved.fromColumn && columnId !== moved.toColumn);
  const gone = column === undefined || (board && findCard(board, moved.cardId)) === undefined;
  if (gone) throw new Error("This needs a board with three columns. Begin again with a new one.");
  const response = await fetch(`/threads/${thread.threadId}/operations`, {
    method: "POST",
    headers: { ...headersFor(thread.threadId, COLLEAGUE), "content-type": "application/json" },
    body: JSON.stringify({ type: "move", cardId: moved.cardId, toColumn: column.columnId }),
  });
  if (!response.ok) throw new Error(`${COLLEAGUE} could not move the card: the server said ${response.status}.`);
}

/** Resolves when the page may be left: every pending edit is stored. */
async function allKept(): Promise<void> {
  while (!dispatchEvent(new Event("beforeunload", { cancelable: true })))
    // oxlint-disable-next-line no-await-in-loop -- the store says nothing by itself
    await new Promise((resolve) => requestAnimationFrame(resolve));
}
