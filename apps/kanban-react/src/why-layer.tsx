// The answer to "Why?", while it is shown.

import { useStore } from "zustand";
import { WhyNote } from "./late-parts.ts";
import { useSession } from "./session-context.ts";

export function WhyLayer() {
  const cardId = useStore(useSession().why, (state) => state.cardId);
  return cardId !== undefined && <WhyNote key={cardId} cardId={cardId} />;
}
