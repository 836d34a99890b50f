// What is known of a card besides what it says: who touched it last, whether the agent is about to, and
// what is proposed.

import { useStore } from "zustand";
import type { Marked } from "../proposals/preview.ts";
import type { LogEntry } from "../timeline/narrate.ts";
import { useSession } from "../session-context.ts";

/** The last change of a card by somebody; what the system set up is nobody's doing. */
export function useLastTouch(cardId: string): LogEntry | undefined {
  const entry = useStore(useSession().log, ({ touches }) => touches.get(cardId));
  return entry?.actor.kind === "system" ? undefined : entry;
}

export function useCardAtWork(cardId: string): boolean {
  return useStore(useSession().chat, ({ cardsAtWork }) => cardsAtWork.includes(cardId));
}

/** What somebody proposes to do with it. On a branch that is not shown: proposals are about the board. */
export function useProposed(cardId: string): Marked["what"] | undefined {
  const { proposals, branch } = useSession();
  const onBranch = useStore(branch, ({ shown }) => shown);
  return useStore(proposals, ({ preview }) => (onBranch ? undefined : preview.marks.get(cardId)?.what));
}
