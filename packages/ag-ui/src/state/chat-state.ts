// What the fold builds: everything that a UI shows of a conversation, as one plain JSON value.
//
// Invariants:
// - It is never mutated.
// - A part that an event does not change keeps its identity.
// - An optional part is absent, not undefined.

import type { ContentPart, Interrupt, Metadata, TokenUsage } from "@ag-ui/core";
import type { Patch } from "@opstate/core/json-patch";
import type { ProtocolState } from "./protocol-state.ts";

/** A conversation after one event. `State` is the type of the agent's shared state. */
export interface ChatState<State = unknown> {
  /** `error` stays until the next run starts. */
  readonly phase: "idle" | "running" | "error";
  /** The messages in their order: text, tool results, activities and reasoning. */
  readonly messages: readonly ChatMessage[];
  /** The agent's shared state, any JSON value; `{}` at first. */
  readonly state: State;
  /** Patches that could not be applied, oldest first. A snapshot of the same target clears them. */
  readonly conflicts: readonly StateConflict[];
  /** What the last finished run waits for. The next run's `resume` answers each. */
  readonly interrupts: readonly Interrupt[];
  /**
   * The calls of this run without a result. After a successful run, those that the application has
   * to answer.
   */
  readonly pendingToolCallIds: readonly string[];
  /** The reasoning spans that are open. */
  readonly reasoning: readonly ReasoningSpan[];
  /** The steps of this run, in the order they started. */
  readonly steps: readonly ChatStep[];
  /** Every subagent, in the order they started. `parentSubagentRunId` makes a tree of them. */
  readonly subagents: readonly Subagent[];
  /** Tokens over all runs, one entry for each provider and model. */
  readonly usage: readonly TokenUsage[];
  /** The last value of each CUSTOM event, by its name. */
  readonly custom: Readonly<Record<string, unknown>>;
  /** The run that is open, or the last one. */
  readonly run?: ChatRun;
  /** Why `phase` is `error`. */
  readonly error?: ChatError;
  /**
   * What was tolerated: unknown events, properties and patch operations, and events whose target
   * does not exist. Each is recorded once.
   */
  readonly warnings: readonly ChatWarning[];
  /** What the fold remembers between two events: open chunk streams, and ids that it gave. */
  readonly protocol: ProtocolState;
}

/**
 * `streaming` from START to END, and `complete` after it. `incomplete` when the run ended without
 * an END. A message's status is that of its own text: its tool calls have their own.
 */
export type StreamStatus = "streaming" | "complete" | "incomplete";

interface MessageFields {
  readonly id: string;
  readonly status: StreamStatus;
  readonly subagentRunId?: string;
  readonly metadata?: Readonly<Metadata>;
}

interface EncryptableFields extends MessageFields {
  readonly encryptedValue?: string;
}

export interface InstructionMessage extends EncryptableFields {
  readonly role: "developer" | "system";
  readonly name?: string;
  readonly content: string;
}

export interface UserChatMessage extends EncryptableFields {
  readonly role: "user";
  readonly name?: string;
  readonly content: string | readonly ContentPart[];
}

/** `content` is absent when the message carries tool calls only. */
export interface AssistantChatMessage extends EncryptableFields {
  readonly role: "assistant";
  readonly name?: string;
  readonly content?: string;
  readonly toolCalls?: readonly ChatToolCall[];
}

/** A tool's result as a message of the conversation; the call itself carries it as `result` too. */
export interface ToolChatMessage extends EncryptableFields {
  readonly role: "tool";
  readonly toolCallId: string;
  readonly content: string | readonly ContentPart[];
  readonly error?: string;
}

export interface ReasoningChatMessage extends EncryptableFields {
  readonly role: "reasoning";
  readonly content: string;
}

export interface ActivityChatMessage extends MessageFields {
  readonly role: "activity";
  readonly activityType: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** One message. `role` says which kind it is. */
export type ChatMessage =
  | InstructionMessage
  | UserChatMessage
  | AssistantChatMessage
  | ToolChatMessage
  | ReasoningChatMessage
  | ActivityChatMessage;

/** A tool call inside its assistant message. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  /** `streaming` while arguments arrive. */
  readonly status: StreamStatus;
  /** The arguments as they streamed: JSON text, whole once the call is complete. */
  readonly arguments: string;
  /** The arguments parsed, once the call is complete; absent when they are not JSON. */
  readonly parsedArguments?: unknown;
  /** What the tool returned; absent until then. */
  readonly result?: ChatToolResult;
  readonly encryptedValue?: string;
  readonly metadata?: Readonly<Metadata>;
}

/** A tool's result; `messageId` names its message of role `tool`. */
export interface ChatToolResult {
  readonly messageId: string;
  readonly content: string | readonly ContentPart[];
  readonly error?: string;
}

/** A stretch of reasoning, between REASONING_START and REASONING_END. */
export interface ReasoningSpan {
  readonly id: string;
  readonly subagentRunId?: string;
}

export interface ChatStep {
  readonly name: string;
  readonly status: "running" | "finished" | "incomplete";
  readonly subagentRunId?: string;
}

/** One invocation of a subagent. */
export interface Subagent {
  readonly id: string;
  readonly name: string;
  readonly status: "running" | "finished" | "suspended" | "error" | "incomplete";
  readonly runId?: string;
  readonly description?: string;
  readonly parentSubagentRunId?: string;
  readonly parentToolCallId?: string;
  readonly parentMessageId?: string;
  readonly result?: unknown;
  /** The interrupts that a suspended subagent waits for. */
  readonly interruptIds?: readonly string[];
  readonly error?: { readonly message: string; readonly code?: string };
}

export interface ChatRun {
  readonly threadId: string;
  readonly runId: string;
  readonly parentRunId?: string;
  readonly protocolVersion?: string;
  /** Absent while the run is open. */
  readonly outcome?: "success" | "interrupt" | "cancelled" | "error";
  readonly result?: unknown;
}

/**
 * Why a conversation is in error:
 * - `agent`: the agent said so (RUN_ERROR); `code` is its own
 * - `malformed`: a field of an event holds a value that the protocol forbids
 * - `protocol`: events came in an order that the protocol forbids (found by `verifyEvents`)
 * - `truncated`: the stream ended while a run was open
 * - `transport`: the stream could not be read; only a session says so
 */
export interface ChatError {
  readonly kind: "agent" | "malformed" | "protocol" | "truncated" | "transport";
  readonly message: string;
  readonly code?: string;
  /** The type of the event that caused it. */
  readonly eventType?: string;
}

/**
 * What was tolerated:
 * - `unknown_event`, `unknown_property`, `unknown_member`: newer than this package and left out;
 *   `path` is its JSON Pointer in the event
 * - `unknown_target`: the event names a message or tool call that does not exist
 * - `wrong_target`: the event names a message of another kind
 * - `invalid_custom`: the value of a CUSTOM event that its handler's schema refuses
 * - `renamed`: a tool call started again under another name
 * - `too_many_conflicts`: more conflicts than the hundred that are kept
 */
export interface ChatWarning {
  readonly code:
    | "unknown_event"
    | "unknown_property"
    | "unknown_member"
    | "unknown_target"
    | "wrong_target"
    | "invalid_custom"
    | "renamed"
    | "too_many_conflicts";
  readonly eventType: string;
  readonly message: string;
  readonly path?: string;
}

/** A patch that changed nothing because not all of it could be applied. */
export interface StateConflict {
  /** The patch as the agent sent it. */
  readonly patches: Patch;
  /**
   * The index of the operation that failed. -1 when the result is not a valid state, or the patch
   * leads from another version.
   */
  readonly index: number;
  /** A sentence for a person. */
  readonly reason: string;
  /**
   * The error code of `applyPatch`. `invalid_state` when the definition refuses the result.
   * `version` when the patch leads from another version of the thread than the state's.
   */
  readonly code: string;
  /** What the patch was applied to: the agent's state, or the activity's content. */
  readonly state: unknown;
  /** The activity that was to be patched; absent for the agent's state. */
  readonly messageId?: string;
  /** What `resolveConflict` decided; absent when the reducer has none. */
  readonly resolution?: "keep" | "snapshot" | "custom";
}
