export type {
  ActivityChatMessage,
  AssistantChatMessage,
  ChatError,
  ChatMessage,
  ChatRun,
  ChatState,
  ChatStep,
  ChatToolCall,
  ChatToolResult,
  ChatWarning,
  InstructionMessage,
  ReasoningChatMessage,
  ReasoningSpan,
  StateConflict,
  StreamStatus,
  Subagent,
  ToolChatMessage,
  UserChatMessage,
} from "./state/chat-state.ts";
export { appendMessage } from "./reducer/append-message.ts";
export { composeReducers } from "./reducer/compose-reducers.ts";
export { chatReducer, createChatReducer } from "./reducer/create-chat-reducer.ts";
export type { ChatReducer, ChatReducerOptions } from "./reducer/create-chat-reducer.ts";
export { customHandler } from "./state/custom-handler.ts";
export type { CustomHandler, CustomSchema } from "./state/custom-handler.ts";
export { endStream } from "./reducer/end-stream.ts";
export type { Resolution } from "./fold/fold.ts";
export type { Freeze } from "./state/freeze.ts";
export { initialChatState } from "./state/initial-chat-state.ts";
export type { InitialChat } from "./state/initial-chat-state.ts";
export type { ChunkLane, ProtocolState, Thinking } from "./state/protocol-state.ts";
export { chunkStage, expandChunks } from "./stages/expand-chunks.ts";
export type { Stage } from "./stages/stage.ts";
export { verifyEvents, verifyStage } from "./stages/verify-events.ts";
export type { VerifyState } from "./stages/verify-state.ts";
export { toAgUiMessages } from "./reducer/to-ag-ui-messages.ts";

// encoder
export { commitsToEvents } from "./encoder/commits-to-events.ts";
export type { CommitEvents, CommitsToEventsOptions } from "./encoder/commits-to-events.ts";

// session
export { AgentTransportError } from "./session/agent-transport.ts";
export type { AgentTransport, DetachedRuns, TransportOptions } from "./session/agent-transport.ts";
export { chatDefinition } from "./session/chat-definition.ts";
export { ChatSession } from "./session/chat-session.ts";
export { memoryStorage, webStorage } from "./session/chat-storage.ts";
export type { ChatStorage, WebStorage } from "./session/chat-storage.ts";
export type { FrontendTool, FrontendTools, ToolContext } from "./session/frontend-tools.ts";
export { httpAgent } from "./session/http-agent.ts";
export type { HttpAgentOptions } from "./session/http-agent.ts";
export type { RecordedChat, RecordingEntry, SessionRecording, SessionReducer } from "./session/recording.ts";
export type { InterruptAnswer } from "./session/run-answers.ts";
export type { SavedChat } from "./session/saved-chat.ts";
export { serverStorage } from "./session/server-storage.ts";
export type { ServerStorageOptions } from "./session/server-storage.ts";
export { STOPPED_EVENT, stoppedRun } from "./session/stopped-run.ts";
export type { RunState, StoppedRun } from "./session/stopped-run.ts";
export type { ChatSessionOptions, Outgoing } from "./session/session-options.ts";
