// The session of the page around a component.

import type { Session } from "@opstate/kanban-page/session.ts";
import { createContext } from "svelte";

export const [getSession, setSession] = createContext<Session>();
