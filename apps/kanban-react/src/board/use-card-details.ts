// A card's details: its last change, whether the agent is about to change it, what is proposed, and
// who else is at it.

import { lastChangeOf } from "@opstate/kanban-page/board/card-details.ts";
import { cardsAtWork } from "@opstate/kanban-page/chat/transcript.ts";
import type { CardMark } from "@opstate/kanban-page/proposals/preview.ts";
import { type PersonHere, personAt, samePerson } from "@opstate/kanban-page/presence/people-here.ts";
import type { LogEntry } from "@opstate/kanban-page/timeline/log-entry.ts";
import { useAgentState, useChat } from "@opstate/react";
import { Board, useLog } from "../board-context.ts";
import { usePreview } from "../proposals/use-preview.ts";
import { useSession } from "../session-context.ts";

/** Who else is at the card. */
export function useHere(cardId: string): PersonHere | undefined {
  const { user } = useSession();
  const { presence, getState } = Board.useThread();
  return useAgentState(presence, (participants) => personAt(cardId, participants, getState(), user), samePerson);
}

export function useLastChange(cardId: string): LogEntry | undefined {
  return useLog((log) => lastChangeOf(log, cardId));
}

export function useCardAtWork(cardId: string): boolean {
  return useChat(useSession().chat, (chat) => cardsAtWork(chat).includes(cardId));
}

export function useProposed(cardId: string): CardMark["what"] | undefined {
  return usePreview(({ marks }) => marks.get(cardId)?.what);
}
