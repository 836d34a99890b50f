// The page's one live region.

import { useStore } from "zustand";
import { useSession } from "./session-context.ts";

export function AnnouncerVoice() {
  const { sentence, turn } = useStore(useSession().announcer);
  // A screen reader skips an unchanged text, so every second announcement ends in a space.
  return (
    <p className="spoken" role="status" aria-label="Announcements">
      {turn % 2 === 0 ? sentence : `${sentence}\u00a0`}
    </p>
  );
}
