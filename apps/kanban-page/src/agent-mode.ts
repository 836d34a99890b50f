// How the agent works: directly on the board, by proposals, or on a branch. Kept in the tab's
// session storage.

import { createStore } from "zustand/vanilla";

export const AGENT_MODES = ["direct", "ask", "branch"] as const;
export type AgentMode = (typeof AGENT_MODES)[number];

/** The choice in words. */
export const AGENT_MODE_WORDS: Readonly<Record<AgentMode, { readonly name: string; readonly note: string }>> = {
  direct: { name: "Just do it", note: "It edits the board; any run can be taken back." },
  ask: { name: "Ask me first", note: "Nothing changes before you accept it." },
  branch: { name: "Let it try", note: "It works on a branch; you merge what you like." },
};

const STORAGE_KEY = "opstate.agent-mode";

export function createAgentMode() {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  const store = createStore<AgentMode>()(() => AGENT_MODES.find((mode) => mode === stored) ?? "direct");
  return Object.assign(store, {
    choose(mode: AgentMode) {
      sessionStorage.setItem(STORAGE_KEY, mode);
      store.setState(mode, true);
    },
  });
}
