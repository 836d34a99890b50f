export { createAgentStore } from "./agent-store.ts";
export type { AgentStore, AgentStoreOptions } from "./agent-store.ts";
export { createAgentStateContext } from "./agent-state-context.tsx";
export type { AgentStateContext } from "./agent-state-context.tsx";
export type { ProviderProps, ReplicaProviderProps, ThreadProviderProps } from "./provider-props.ts";
export { connectDevtools } from "./devtools.ts";
export type {
  DevtoolsConnection,
  DevtoolsExtension,
  DevtoolsOptions,
  DevtoolsSource,
  DevtoolsView,
} from "./devtools.ts";
export { useAgentState } from "./agent-state.ts";
export { useCan } from "./can.ts";
export { useChat } from "./chat.ts";
export type { Chat } from "./chat.ts";
export { useDispatch } from "./dispatch.ts";
export { useHistory } from "./history.ts";
export type { History } from "./history.ts";
export { usePresence } from "./presence.ts";
export type { Presence } from "./presence.ts";
export { useProposals } from "./proposals.ts";
export type { Proposals } from "./proposals.ts";
export { useSuspenseAgentState } from "./suspense.ts";
export { useSync } from "./sync.ts";
export { useUndo } from "./undo.ts";
export type { Undo } from "./undo.ts";
export { dependentsOf, undoOutcome } from "@opstate/core/feeds";
export type { Dependent, Dependents, UndoOutcome } from "@opstate/core/feeds";
