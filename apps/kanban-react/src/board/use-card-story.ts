// What is known of a card besides what it says: who touched it last, and whether the agent is about to.

import { useStore } from "zustand";
import type { FeedEntry } from "../feed/narrate.ts";
import { useSession } from "../session-context.ts";

/** The last change of a card by somebody; what the system set up is nobody's doing. */
export function useLastTouch(cardId: string): FeedEntry | undefined {
  const entry = useStore(useSession().feed, ({ touches }) => touches.get(cardId));
  return entry?.actor.kind === "system" ? undefined : entry;
}

export function useCardAtWork(cardId: string): boolean {
  return useStore(useSession().chat, ({ cardsAtWork }) => cardsAtWork.includes(cardId));
}
