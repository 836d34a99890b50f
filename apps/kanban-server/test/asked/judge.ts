// Sends a request to the agent with the offline model, and judges what came of it.

import { AIMessage } from "@langchain/core/messages";
import { type Board, describeCommit, sampleBoard } from "@opstate/kanban-domain";
import { ada, ask, boardThread, said } from "../support/board-run.ts";
import type { Change, Outcome, Request } from "./outcome.ts";

export interface Judged {
  /** `asked`: it asked where something else was right; `wrong`: it changed or proposed more. */
  readonly verdict: "right" | "asked" | "no help" | "wrong";
  readonly answer: string;
  readonly replies: readonly string[];
  readonly changes: string;
  /** All texts that a person reads: the answers, the replies, and the log's sentences. */
  readonly shown: readonly string[];
}

export async function judge({ first = [], mode, say, right }: Request): Promise<Judged> {
  const thread = await boardThread();
  for (const step of first)
    await (typeof step === "string"
      ? ask(thread, step)
      : thread.dispatch(step.edit as never, { actor: { ...ada, id: step.by } }));
  const before = thread.getState();
  const messages = await ask(thread, say, { askFirst: mode === "propose" });
  const answer = said(messages).join("\n");
  const replies = messages.flatMap((message) =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []).flatMap(repliesOf) : [],
  );
  const after = thread.getState();
  const proposals = await thread.proposals();
  for (const { id, version } of proposals) await thread.approve(id, { actor: ada, proposedAt: version });
  const accepted = thread.getState();
  const hasChanged = JSON.stringify(after) !== JSON.stringify(before);
  const isQuestion = !hasChanged && proposals.length === 0 && replies.length >= 2 && replies.length <= 3;
  const holds = (texts: readonly string[] = []) => texts.every((text) => new RegExp(text, "i").test(answer));

  const isRight = (outcome: Outcome): boolean => {
    if ("does" in outcome) return proposals.length === 0 && isChange(after, outcome.does) && holds(outcome.saying);
    if ("proposes" in outcome) return !hasChanged && proposals.length > 0 && isChange(accepted, outcome.proposes);
    if ("asks" in outcome) return isQuestion && holds(outcome.asks);
    return !hasChanged && proposals.length === 0 && answer !== "" && holds(outcome.says);
  };
  const isWrong = hasChanged || proposals.length > 0;
  return {
    verdict: right.some(isRight) ? "right" : isWrong ? "wrong" : isQuestion ? "asked" : "no help",
    answer,
    replies,
    shown: [...said(messages), ...replies, ...(await sentencesOf(thread))],
    changes: `${hasChanged ? shown(after) : ""}${proposals.length > 0 ? ` proposed: ${shown(accepted)}` : ""}`,
  };
}

async function sentencesOf(thread: Awaited<ReturnType<typeof boardThread>>): Promise<readonly string[]> {
  const entries = await thread.history();
  return entries.flatMap((entry) => (entry.kind === "commit" ? [describeCommit(entry.commit)] : []));
}

const repliesOf = ({ name, args }: { name: string; args: Record<string, unknown> }): readonly string[] =>
  name === "offerReplies" && Array.isArray(args["replies"]) ? args["replies"].map(String) : [];

/** Whether a board is the sample with this change, and no other. */
function isChange(after: Board | null, change: Change): boolean {
  if (change.another) return JSON.stringify(after) !== JSON.stringify(sampleBoard);
  if (after === null) return false;
  const titles = after.columns.map(({ title }) => title);
  if (titles.join() !== (change.columns ?? sampleBoard.columns.map(({ title }) => title)).join()) return false;
  const added = [...(change.added ?? [])];
  const seen = new Set<string>();
  for (const column of after.columns)
    for (const [index, card] of column.cards.entries()) {
      const from = sampleBoard.columns.find(({ cards }) => cards.some(({ cardId }) => cardId === card.cardId));
      const was = from?.cards.find(({ cardId }) => cardId === card.cardId);
      if (!from || !was) {
        const place = added.findIndex(
          ({ title, in: where, priority = 3 }) =>
            title.toLowerCase() === card.title.toLowerCase() && where === column.title && priority === card.priority,
        );
        if (place === -1) return false;
        added.splice(place, 1);
        continue;
      }
      seen.add(card.cardId);
      const [where, at] = change.moved?.[card.cardId]?.split(":") ?? [];
      if (where === undefined ? from.columnId !== column.columnId : where !== column.title) return false;
      if (at !== undefined && Number(at) !== index) return false;
      if (card.title.toLowerCase() !== (change.titled?.[card.cardId] ?? was.title).toLowerCase()) return false;
      if (card.priority !== (change.ranked?.[card.cardId] ?? was.priority)) return false;
    }
  const gone = sampleBoard.columns
    .flatMap(({ cards }) => cards.map(({ cardId }) => cardId))
    .filter((id) => !seen.has(id));
  return (
    added.length === 0 &&
    gone.toSorted().join() === [...(change.removed ?? [])].toSorted().join() &&
    inOrder(after, change)
  );
}

/** What was not moved keeps its order. */
function inOrder(after: Board, change: Change): boolean {
  return after.columns.every((column) => {
    const before = sampleBoard.columns.find(({ columnId }) => columnId === column.columnId)?.cards ?? [];
    const kept = (ids: readonly string[]) =>
      ids.filter((id) => change.moved?.[id] === undefined && before.some(({ cardId }) => cardId === id));
    const now = kept(column.cards.map(({ cardId }) => cardId));
    return (
      now.join() ===
      kept(before.map(({ cardId }) => cardId))
        .filter((id) => now.includes(id))
        .join()
    );
  });
}

const shown = (state: Board | null): string =>
  (state?.columns ?? [])
    .map(({ title, cards }) => `${title}: ${cards.map(({ cardId, priority }) => `${cardId}/${priority}`).join(" ")}`)
    .join("; ");
