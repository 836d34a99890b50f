// What the fold remembers from one event to the next, and no UI shows: open chunk streams, and ids
// for retired events that have none.

/**
 * A message or call that is put together from chunks. There is one for each lane; a lane belongs to
 * a subagent, or to the agent itself.
 */
export type ChunkLane = {
  /** The subagent whose lane it is; absent for the agent itself. */
  readonly subagentRunId?: string;
} & (
  | {
      readonly kind: "text";
      readonly id: string;
      readonly role: "developer" | "system" | "assistant" | "user";
      readonly name?: string;
    }
  | { readonly kind: "tool"; readonly id: string; readonly toolCallName: string; readonly parentMessageId?: string }
  | { readonly kind: "reasoning"; readonly id: string }
);

/** How many retired THINKING events of this run got an id, and the ids that are open. */
export interface Thinking {
  readonly runId: string;
  readonly count: number;
  readonly span?: string;
  readonly message?: string;
}

export interface ProtocolState {
  /** Chunk streams that are open, in the order they opened. */
  readonly lanes: readonly ChunkLane[];
  readonly thinking: Thinking;
  /** The last state snapshot; kept only when the reducer has a `resolveConflict`. */
  readonly snapshot?: unknown;
  /**
   * The version of the thread that the state is at, when the stream says so (`commitsToEvents`
   * does).
   */
  readonly version?: number;
}

export const INITIAL_PROTOCOL_STATE: ProtocolState = Object.freeze({
  lanes: Object.freeze([]),
  thinking: Object.freeze({ runId: "run", count: 0 }),
});
