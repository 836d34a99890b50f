export { createAgentStore } from "./agent-store.ts";
export type { AgentStore } from "./agent-store.ts";
export { useAgentState } from "./agent-state.ts";
export { useCan } from "./can.ts";
export { useDispatch } from "./dispatch.ts";
export { useSync } from "./sync.ts";
