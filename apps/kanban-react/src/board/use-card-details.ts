// A card's details: its last change, whether the agent is about to change it, and what is proposed.

import { lastChangeOf } from "@opstate/kanban-page/board/card-details.ts";
import { useStore } from "zustand";
import type { CardMark } from "@opstate/kanban-page/proposals/preview.ts";
import type { LogEntry } from "@opstate/kanban-page/timeline/log-entry.ts";
import { useSession } from "../session-context.ts";

export function useLastChange(cardId: string): LogEntry | undefined {
  return useStore(useSession().log, (log) => lastChangeOf(log, cardId));
}

export function useCardAtWork(cardId: string): boolean {
  return useStore(useSession().chat, ({ cardsAtWork }) => cardsAtWork.includes(cardId));
}

/** What is proposed for it. Proposals are about the board, so a branch shows none. */
export function useProposed(cardId: string): CardMark["what"] | undefined {
  const { proposals, branch } = useSession();
  const onBranch = useStore(branch, ({ shown }) => shown);
  return useStore(proposals, ({ preview }) => (onBranch ? undefined : preview.marks.get(cardId)?.what));
}
