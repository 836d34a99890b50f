// The port between an AG-UI server and an agent, as `@opstate/server` defines it. Both packages
// write the shape, so that neither needs the other.

import type {
  CustomEvent,
  MessagesSnapshotEvent,
  RunAgentInput,
  RunFinishedEvent,
  TextMessageContentEvent,
  TextMessageEndEvent,
  TextMessageStartEvent,
  ToolCallArgsEvent,
  ToolCallEndEvent,
  ToolCallResultEvent,
  ToolCallStartEvent,
} from "@ag-ui/core";
import type { Actor, Thread } from "@opstate/core";

/** One run: its input, its thread, the actor who requested it, and the signal that stops it. */
export interface AgentRun {
  readonly input: RunAgentInput;
  readonly thread: Thread;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** The answers to proposals that the server has carried out in the thread before this run. */
  readonly decisions?: readonly unknown[];
  /** The id of a run that a stop of the server cut, and that is to go on. */
  readonly continues?: string;
}

/**
 * The events of a graph's run. The server adds RUN_STARTED, the state and RUN_FINISHED. A graph
 * sends RUN_FINISHED itself only when it was interrupted, and MESSAGES_SNAPSHOT only before it goes
 * on with a run that was cut.
 */
export type GraphEvent =
  | TextMessageStartEvent
  | TextMessageContentEvent
  | TextMessageEndEvent
  | ToolCallStartEvent
  | ToolCallArgsEvent
  | ToolCallEndEvent
  | ToolCallResultEvent
  | CustomEvent
  | MessagesSnapshotEvent
  | RunFinishedEvent;
