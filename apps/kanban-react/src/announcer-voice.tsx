// The page's one live region.

import { useStore } from "zustand";
import { useSession } from "./session-context.ts";

export function AnnouncerVoice() {
  const { sentence, turn } = useStore(useSession().announcer);
  // An unchanged text is not said again: every second turn ends in a space that nobody hears.
  return (
    <p className="spoken" role="status" aria-label="Announcements">
      {turn % 2 === 0 ? sentence : `${sentence}\u00a0`}
    </p>
  );
}
