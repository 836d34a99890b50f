// The port between the server and what runs an agent: a run goes in, AG-UI events come out.

import type { EventType, RunAgentInput } from "@ag-ui/core";
import type { Actor, Thread } from "@opstate/core";
import type { Decision } from "./decisions.ts";

/**
 * One run. `thread` is the shared state that the run's `threadId` names; what the agent changes
 * there reaches everyone at once, and this run's own stream as STATE_DELTA. `actor` is who asked
 * for the run. `signal` aborts when the client has gone or the server closes.
 */
export interface AgentRun {
  readonly input: RunAgentInput;
  readonly thread: Thread;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /**
   * The proposals that the client answered with this run's `resume`, which the server carried out;
   * `input.resume` has the other answers.
   */
  readonly decisions: readonly Decision[];
}

type Reserved = "RUN_STARTED" | "STATE_SNAPSHOT" | "STATE_DELTA";
type Free = Exclude<EventType, EventType.RUN_STARTED | EventType.STATE_SNAPSHOT | EventType.STATE_DELTA>;

/**
 * An AG-UI event of an agent. RUN_STARTED and STATE_* are the server's own; a terminal event is
 * optional and ends the run.
 */
export type AgentEvent = { readonly type: Free | Exclude<`${EventType}`, Reserved>; readonly [field: string]: unknown };

/**
 * Runs an agent. When it ends without RUN_FINISHED or RUN_ERROR, the server sends RUN_FINISHED;
 * when it throws, RUN_ERROR.
 *
 * @example
 * ```ts
 * const greeter: Agent = async function* ({ thread, actor }) {
 *   await thread.dispatch(board.op.addCard({ columnId: "todo", title: `Welcome ${actor.id}` }), { actor: { kind: "agent", id: "greeter" } });
 *   yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", role: "assistant", delta: "I added a card." };
 * };
 * ```
 */
export type Agent = (run: AgentRun) => AsyncIterable<AgentEvent>;

/**
 * An agent and the name of the definition that its threads hold; a run on an unknown thread id
 * makes that thread.
 */
export interface ServedAgent {
  readonly run: Agent;
  readonly definition: string;
}
