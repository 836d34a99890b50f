// The debates of one server: their graph, their checkpoints, and the running ones.
//
// Invariants:
// - A debate has one run at a time.
// - A question is answered once.
// - A debate continues from its checkpoint alone.

import { defined } from "@opstate/core";
import type { Interrupt, Message } from "@ag-ui/core";
import type { BaseMessage } from "@langchain/core/messages";
import { randomId } from "@opstate/core/thread";
import type { Decision, StartRequest } from "../debate/requests.ts";
import { debateState, type DebateView, viewOf } from "../debate/state.ts";
import type { DebateGraph } from "../graph/graph.ts";
import { Problem } from "./problem.ts";

export interface Debate {
  readonly id: string;
  /** "waiting" for a person's decision; "broken_off" in the middle of a round. */
  readonly phase: "running" | "waiting" | "broken_off" | "completed" | "error";
  readonly interrupts: readonly Interrupt[];
  readonly state: DebateView;
  readonly messages: readonly Message[];
}

type Start = Pick<StartRequest, "topic" | "maxRounds">;

/** Decisions by the id of the question. */
export interface Answer {
  readonly resume: Readonly<Record<string, Decision>>;
}

/** An admitted run. With `input` null it only reports the current state. */
export interface Run {
  readonly id: string;
  readonly runId: string;
  readonly before: Debate;
  readonly input: Start | Answer | "go on" | null;
  readonly signal: AbortSignal;
  abort(): void;
  /** Call it once, when the run is over. */
  end(): void;
}

type Snapshot = Awaited<ReturnType<DebateGraph["getState"]>>;

export class Debates {
  readonly graph: DebateGraph;
  readonly #running = new Map<string, { readonly aborter: AbortController; readonly ended: Promise<void> }>();
  #closed = false;

  constructor(graph: DebateGraph) {
    this.graph = graph;
  }

  async get(id: string): Promise<Debate> {
    const debate = (await this.#find(id)) ?? missing(id);
    return this.#running.has(id) ? { ...debate, phase: "running", interrupts: [] } : debate;
  }

  async start(id: string, input: Start): Promise<Run> {
    const run = this.#admit(id);
    try {
      if (await this.#find(id))
        throw new Problem("id_taken", `A debate "${id}" already exists. Use another id, or leave it out.`);
      const before = {
        id,
        phase: "running",
        interrupts: [],
        state: { ...viewOf(debateState.initial), ...input },
        messages: [],
      } as const;
      return { ...run, before, input };
    } catch (error) {
      run.end();
      throw error;
    }
  }

  /** Answers the open question. Without a decision it continues an interrupted round. */
  async resume(id: string, decision: Decision | undefined, interruptId?: string): Promise<Run> {
    const run = this.#admit(id);
    try {
      const before = (await this.#find(id)) ?? missing(id);
      const [question] = before.interrupts;
      if (decision === undefined) return { ...run, before, input: before.phase === "broken_off" ? "go on" : null };
      if (question === undefined || (interruptId !== undefined && interruptId !== question.id))
        throw new Problem(
          "no_question",
          "This question was answered already, or the debate does not wait for a decision.",
        );
      return { ...run, before, input: { resume: { [question.id]: decision } } };
    } catch (error) {
      run.end();
      throw error;
    }
  }

  /** Ends every run. Resolves when none uses the checkpoints any more. */
  async close(): Promise<void> {
    this.#closed = true;
    const runs = [...this.#running.values()];
    for (const { aborter } of runs) aborter.abort();
    await Promise.all(runs.map(({ ended }) => ended));
  }

  #admit(id: string): Pick<Run, "id" | "runId" | "signal" | "abort" | "end"> {
    if (this.#closed) throw new Problem("closing", "The server is closing.");
    if (this.#running.has(id)) throw new Problem("running", "The debate is running. Wait for the end of the round.");
    const aborter = new AbortController();
    let resolveEnded = () => {};
    const ended = new Promise<void>((resolve) => {
      resolveEnded = resolve;
    });
    this.#running.set(id, { aborter, ended });
    return {
      id,
      runId: randomId(),
      signal: aborter.signal,
      abort: () => aborter.abort(),
      end: () => {
        this.#running.delete(id);
        resolveEnded();
      },
    };
  }

  async #find(id: string): Promise<Debate | undefined> {
    const snapshot = await this.graph.getState({ configurable: { thread_id: id } });
    if (snapshot.config.configurable?.["checkpoint_id"] === undefined) return undefined;
    const { messages, ...fields } = { ...debateState.initial, ...snapshot.values };
    const state = viewOf(fields);
    const interrupts = interruptsOf(snapshot);
    return { id, state, interrupts, phase: phaseOf(snapshot, interrupts), messages: messages.map(toAgUi) };
  }
}

/** The phase of a debate that is not running. */
function phaseOf({ next, values }: Snapshot, interrupts: readonly Interrupt[]): Debate["phase"] {
  if (interrupts.length > 0) return "waiting";
  if (next.length > 0) return "broken_off";
  return values.status === "error" ? "error" : "completed";
}

export function interruptsOf({ tasks }: Pick<Snapshot, "tasks">): Interrupt[] {
  return tasks
    .flatMap(({ interrupts }) => interrupts)
    .flatMap(({ id, value }) =>
      id === undefined
        ? []
        : [{ id, reason: "input_required", message: messageOf(value), metadata: { question: value } }],
    );
}

function messageOf(value: unknown): string {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"
    ? value.message
    : "";
}

function toAgUi(message: BaseMessage): Message {
  const { id = "", name, text } = message;
  return {
    id,
    role: message.getType() === "human" ? "user" : "assistant",
    content: text,
    ...defined({ name }),
  };
}

function missing(id: string): never {
  throw new Problem("unknown_debate", `There is no debate "${id}" on this server.`);
}
