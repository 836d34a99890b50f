// Who else is here, in a component.

import type { ClientThread, Participant, ThreadPresence } from "@opstate/client";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";

export interface Presence extends Pick<ThreadPresence, "show"> {
  readonly participants: readonly Participant[];
}

/**
 * Returns who else has the thread open, persons and agents, and `show`, which says what this tab
 * works on.
 *
 * @example
 * ```tsx
 * const { participants, show } = usePresence(thread);
 * <input onFocus={() => show({ focus: "/cards/0/title" })} onBlur={() => show(undefined)} />
 * ```
 */
export function usePresence({ presence }: Pick<ClientThread, "presence">): Presence {
  const participants = useAgentState(presence);
  return useMemo(() => ({ participants, show: presence.show }), [participants, presence]);
}
