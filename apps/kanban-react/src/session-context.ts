// The page's session, as React context.

import { createContext, use } from "react";
import type { Session } from "@opstate/kanban-page/session.ts";

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession belongs below <SessionContext value={session}>");
  return session;
}
