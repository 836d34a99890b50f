// Attaches the page's shortcuts.

import { attachKeys } from "@opstate/kanban-page/layout/keys.ts";
import type { Session } from "@opstate/kanban-page/session.ts";
import { useEffect, useEffectEvent } from "react";

export function useKeys(session: Session, onHelp: () => void) {
  const help = useEffectEvent(onHelp);
  useEffect(() => attachKeys(session, () => help()), [session]);
}
