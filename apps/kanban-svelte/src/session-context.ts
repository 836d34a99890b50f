// The page's session, as Svelte context.

import type { Session } from "@opstate/kanban-page/session.ts";
import { createContext } from "svelte";

export const [getSession, setSession] = createContext<Session>();
