export { createAgentStateContext } from "./agent-state-context.ts";
export type { AgentStateContext, AgentStateSetting } from "./agent-state-context.ts";
export { AgentState } from "./agent-state.svelte.ts";
export type { DispatchIn, OperationIn, StateIn, SyncIn } from "./agent-state.svelte.ts";
export { agentState } from "./agent-store.ts";
export type { AgentStore } from "./agent-store.ts";
export { Chat } from "./chat.svelte.ts";
export type { IsEqual, Selected } from "./selection.ts";
