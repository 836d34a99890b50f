// How the agent is to work: on the board at once, by proposals, or on a branch. It lasts as long as the tab.

import { createStore } from "zustand/vanilla";

export const agentModes = ["direct", "ask", "branch"] as const;
export type AgentMode = (typeof agentModes)[number];

const key = "opstate.agent-mode";

export function createAgentMode() {
  const stored = sessionStorage.getItem(key);
  const store = createStore<AgentMode>()(() => agentModes.find((mode) => mode === stored) ?? "direct");
  return Object.assign(store, {
    choose(mode: AgentMode) {
      sessionStorage.setItem(key, mode);
      store.setState(mode, true);
    },
  });
}
