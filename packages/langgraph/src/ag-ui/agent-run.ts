// The port between an AG-UI server and what runs an agent, as `@opstate/server` defines it. A
// shape, so that neither package needs the other.

import type {
  CustomEvent,
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

/**
 * One run: what was sent, the thread it is about, who asked for it, and the signal that ends it.
 */
export interface AgentRun {
  readonly input: RunAgentInput;
  readonly thread: Thread;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /**
   * The proposals in the thread that the client answered and the server decided, before this run.
   */
  readonly decisions?: readonly unknown[];
}

/**
 * What a graph's run gives. The server adds RUN_STARTED, the state and RUN_FINISHED; a graph ends
 * its run itself only to ask something.
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
  | RunFinishedEvent;
