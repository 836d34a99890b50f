// The port between the server and an agent: a run goes in, AG-UI events come out.

import type { EventType, RunAgentInput } from "@ag-ui/core";
import type { Actor, Thread } from "@opstate/core";
import type { Decision } from "./decisions.ts";

/** One run. */
export interface AgentRun {
  readonly input: RunAgentInput;
  /**
   * The shared state that the run's `threadId` names. What the agent changes there reaches every
   * reader at once, and this run's own stream as STATE_DELTA.
   */
  readonly thread: Thread;
  /** The sender of the request. */
  readonly actor: Actor;
  /**
   * Aborts when the run is stopped: its client has left (unless it is detached), a person stopped
   * it, its sender lost their rights, it took too long or wrote too much, its thread was deleted,
   * or the server closes.
   */
  readonly signal: AbortSignal;
  /**
   * The server's decisions on proposals, made from the answers in this run's `resume`.
   * `input.resume` has the other answers.
   */
  readonly decisions: readonly Decision[];
  /**
   * The id of a run of this agent that a stop of the server cut, and that is to go on from where it
   * was, such as from the graph's checkpoint. Only for agents that are served as `continuable`.
   */
  readonly continues?: string;
  /**
   * What a call to another service should carry, so that its logs and traces are found with this
   * run's: with observers `x-request-id`, and with tracing `traceparent`.
   */
  readonly headers: Readonly<Record<string, string>>;
}

type ServerEvent = "RUN_STARTED" | "STATE_SNAPSHOT" | "STATE_DELTA";
type OtherEvent = Exclude<EventType, EventType.RUN_STARTED | EventType.STATE_SNAPSHOT | EventType.STATE_DELTA>;

/**
 * An AG-UI event of an agent. Only the server sends RUN_STARTED and STATE_*. A terminal event is
 * optional and ends the run.
 */
export type AgentEvent = {
  readonly type: OtherEvent | Exclude<`${EventType}`, ServerEvent>;
  readonly [field: string]: unknown;
};

/**
 * Runs an agent. When it ends without RUN_FINISHED or RUN_ERROR, the server sends RUN_FINISHED;
 * when it throws, RUN_ERROR.
 *
 * @example
 * ```ts
 * const greeter: Agent = async function* ({ thread, actor }) {
 *   const welcome = board.op.addCard({ columnId: "todo", title: `Welcome ${actor.id}` });
 *   await thread.dispatch(welcome, { actor: { kind: "agent", id: "greeter" } });
 *   const delta = "I added a card.";
 *   yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", role: "assistant", delta };
 * };
 * ```
 */
export type Agent = (run: AgentRun) => AsyncIterable<AgentEvent>;

/**
 * An agent and the name of the definition of its threads. A run on an unknown thread id creates
 * that thread.
 */
export interface ServedAgent {
  readonly run: Agent;
  readonly definition: string;
  /**
   * Which of its runs go on when the reader of the stream leaves. `requested`, the default: those
   * that were started with `?detached=true`, as a ChatSession does; a client that leaves stops the
   * others.
   */
  readonly detached?: "requested" | "always" | "never";
  /**
   * Who sees its runs at `/threads/:id/runs`: the actor who started them (`own`, the default), or
   * all who may read the thread. A run has the person's prompt and the agent's reasoning.
   */
  readonly runs?: "own" | "thread";
  /**
   * What becomes of a state that the page sends with a run, as an AG-UI client does after
   * `setState`. `write`, the default: what the page changed since the end of its last run is
   * submitted as its person's, before the agent starts. `ignore`: nothing.
   */
  readonly pageState?: "write" | "ignore";
  /**
   * Whether the agent can go on with a run that a stop of the server cut: it then gets the id of
   * that run as `continues`. Pages are offered it. Default false.
   */
  readonly continuable?: boolean;
}
