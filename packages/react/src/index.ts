export { createAgentStore } from "./agent-store.ts";
export type { AgentStore } from "./agent-store.ts";
export { createAgentStateContext } from "./agent-state-context.tsx";
export type { AgentStateContext, ProviderProps } from "./agent-state-context.tsx";
export { useAgentState } from "./agent-state.ts";
export { useCan } from "./can.ts";
export { useDispatch } from "./dispatch.ts";
export { useSuspenseAgentState } from "./suspense.ts";
export { useSync } from "./sync.ts";
