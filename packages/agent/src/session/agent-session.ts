// One agent on one thread: its tools, its ids, what it reads, and how it is stopped. What
// every host gives its model is made here; a host puts it into its own shapes.
//
//   call --> update --> id --+-- submit -------------------------> verdict --+
//                            +-- propose --> open? -- ask --------> verdict --+--> text + news
//                                              +---- no question -> proposal -+
//
// Invariants:
// - The thread decides. A result never says "accepted" of what the log does not have.
// - A refusal is an ordinary result, and arguments of any shape reach the engine.
// - The agent's own actor decides on nothing that it proposed.
//
// (Long because the calls of a session follow one another here.)

import { defined, type Actor, type AnyDefinition, type AnyOperation, type Commit } from "@opstate/core";
import type { Thread, Verdict } from "@opstate/core";
import { randomId, sameActor, type DispatchOptions } from "@opstate/core/thread";
import { toolsOf, toolUpdate } from "@opstate/core/tools";
import { readAnswer, type ApprovalAnswer } from "../approval/answer.ts";
import { callText } from "../approval/call-text.ts";
import { carryOut, type CallResult } from "../approval/carry-out.ts";
import type { Decider } from "../approval/connection.ts";
import { needsApproval } from "../approval/needs-approval.ts";
import { proposalQuestion } from "../approval/proposal-text.ts";
import { proposeCall } from "../approval/propose-call.ts";
import { submitOrAsk } from "../approval/submit-or-ask.ts";
import { DEFAULT_BUDGET } from "../context/context-policy.ts";
import { digestText } from "../context/context-parts.ts";
import { sameIdVerdict, sameKeyVerdict } from "../ids/same-id.ts";
import { shortId } from "../ids/short-id.ts";
import { type ReadTool, readToolsOf } from "../reading/read-tools-of.ts";
import { keptVerdict } from "../verdict/kept-verdict.ts";
import { CallIds, type CallIdentity } from "./call-ids.ts";
import { News } from "./news.ts";
import { RefusedCalls } from "./refused-calls.ts";

/** A person is asked by the host's own means, while the call waits. */
export interface HostApproval {
  /**
   * Asks. Gives the answer, `{ type: "accept" }`, `{ type: "edit", operation }` or `{ type:
   * "decline", message? }`; undefined when there is no answer now: then the proposal stays open.
   */
  readonly ask: (question: ApprovalQuestion) => Promise<unknown>;
  /**
   * Who carries the answer out, which must not be the agent; or in words why it is not carried out.
   */
  readonly decider:
    | Actor
    | ((answer: ApprovalAnswer["type"]) => Promise<Actor | Decider | string> | Actor | Decider | string);
}

export interface ApprovalQuestion {
  /** The proposal's commit. Its operation has the proposed one, its patches and their basis. */
  readonly proposal: Commit;
  readonly tool: string;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
}

export interface AgentSessionOptions<D extends AnyDefinition = AnyDefinition> {
  readonly thread: Thread<D>;
  /** The actor that the agent is. */
  readonly actor: Actor;
  /** The run that the commits belong to, so that they can be undone together. */
  readonly runId?: string;
  /**
   * What the host's call ids are unique in, where that is more than a run. Default: the run.
   * Without either, calls of another session never have the ids of this one.
   */
  readonly callScope?: string;
  /** The version that the agent knows. Default: the newest. */
  readonly since?: number;
  /**
   * How an operation waits that needs approval: as a proposal in the thread (the default), or while
   * the host asks.
   */
  readonly approval?: "propose" | HostApproval;
  /**
   * After so many refusals of one call for one reason the session ends. Default 3; false: never.
   */
  readonly maxRefusals?: number | false;
  /** The state's name for the model. Default: the definition's name. */
  readonly name?: string;
  /** Stands before the names of the operations' tools. Default: nothing. */
  readonly prefix?: string;
  /** Schemas in OpenAI's strict dialect. Default false. */
  readonly strict?: boolean;
  /**
   * The most that a result says about changes by others, in tokens of about 4 characters. Default
   * 600.
   */
  readonly newsBudget?: number;
}

export interface AgentCall extends CallIdentity {
  /**
   * The version that the model saw when it chose. Default: the newest that a result reported or
   * `look` named; for the calls of one `step`, that before the step.
   */
  readonly basedOn?: number | undefined;
  /** Propose it, whether or not it needs approval. */
  readonly propose?: boolean | undefined;
  /**
   * What a person answered to the proposal that `ask` made of this call. The decider of `approval`
   * carries it out. When the log has no such open proposal of this actor, the call is proposed and
   * the answer is not used.
   */
  readonly answer?: ApprovalAnswer | undefined;
  /** Rejects with its reason, before anything was submitted. */
  readonly signal?: AbortSignal | undefined;
}

/** A call that a person has to decide. */
export interface OpenQuestion {
  readonly proposal: Commit;
  /** For the person: who wants to do what, and what it would change. */
  readonly question: string;
}

/** Plain JSON. */
export interface AgentResult {
  /** For the model: the verdict or the answer, and what others changed. */
  readonly text: string;
  /** The thread's version when the result was made. */
  readonly version: number;
  /** Of an operation that was decided. A large commit is left out: the thread has it. */
  readonly verdict?: Verdict;
  /** Of an operation that needs approval. */
  readonly proposal?: { readonly id: string; readonly proposedAt: number };
  /** What others changed since the result before; "" for nothing. It is in `text` too. */
  readonly news: string;
  /** The run is over: what to say to the person who requested it. */
  readonly ended?: string;
}

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema (draft 2020-12) of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The type of its operation. Undefined for a tool that only reads. */
  readonly operation?: string;
  readonly execute: (input: unknown, call?: AgentCall) => Promise<AgentResult>;
}

/**
 * An agent's side of a thread, for a host of any framework.
 *
 * @example
 * ```ts
 * import { AgentSession } from "@opstate/agent";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 * const session = new AgentSession({ thread, actor: { kind: "agent", id: "planner" }, runId: "run-1" });
 *
 * session.tools.map(({ name }) => name); // ["add", "counter_read", "counter_find"]
 * const first = await session.execute("add", { by: 2 }, { callId: "call-1" });
 * first.text; // "Accepted: counter is now at version 1.\nChanged: set /count = 2"
 * await session.execute("add", { by: 2 }, { callId: "call-1" }); // the host's retry
 * thread.getState(); // { count: 2 }
 * ```
 */
export class AgentSession {
  readonly actor: Actor;
  readonly thread: Thread;
  readonly #options: AgentSessionOptions;
  readonly #name: string;
  readonly #dialect: { readonly prefix?: string; readonly strict?: boolean };
  readonly #ids: CallIds;
  readonly #news: News;
  readonly #refused: RefusedCalls;
  readonly #readers: readonly ReadTool[];
  #tools: readonly AgentTool[] | undefined;

  constructor(options: AgentSessionOptions) {
    const { thread, actor, runId, since = thread.version, name = thread.definition.name } = options;
    const { newsBudget: budget = DEFAULT_BUDGET.digest, prefix, strict } = options;
    this.#options = options;
    this.thread = thread;
    this.actor = actor;
    this.#name = name;
    this.#dialect = defined({ prefix, strict });
    this.#readers = readToolsOf(thread.definition, { name });
    this.#ids = new CallIds(thread.definition, runId ?? randomId(), options.callScope);
    this.#news = new News(thread, Math.min(since, thread.version), { for: actor, budget });
    this.#refused = new RefusedCalls(options.maxRefusals);
  }

  /** Why the run has ended, for the person who requested it. Nothing is carried out any more. */
  get ended(): string | undefined {
    return this.#refused.ended;
  }

  /** Up to here the agent knows what others did: `since` of a session that goes on for this one. */
  get since(): number {
    return this.#news.since;
  }

  /** The version that the next call is based on: the newest in a result, or shown. */
  get seen(): number {
    return this.#news.seen;
  }

  /** The operations that the actor may use, and two tools that read. They never change. */
  get tools(): readonly AgentTool[] {
    const { definition } = this.thread;
    this.#tools ??= [
      ...toolsOf(definition, { actor: this.actor, ...this.#dialect }).map((tool) => ({
        ...tool,
        operation: toolUpdate(definition, { name: tool.name, args: {} }, this.#dialect).type,
      })),
      ...this.#readers,
    ].map(({ name, description, inputSchema, ...more }) => ({
      name,
      description,
      inputSchema,
      ...("operation" in more ? { operation: more.operation } : {}),
      execute: (input, call) => this.execute(name, input, call),
    }));
    return this.#tools;
  }

  /** The model was shown the whole state at this version. */
  look(version: number): void {
    this.#news.look(version);
  }

  /**
   * What others changed since the last result or call of `news`, for hosts that report it
   * themselves.
   */
  news(): Promise<string> {
    return this.#news.next();
  }

  /**
   * Carries out a call of one of the tools. A name that is none is refused with words. Rejects only
   * when the thread's log fails, or by `signal`.
   */
  async execute(name: string, input: unknown, call: AgentCall = {}): Promise<AgentResult> {
    call.signal?.throwIfAborted();
    const { ended, thread } = this;
    if (ended !== undefined) return { text: ended, version: thread.version, news: "", ended };
    const reader = this.#readers.find((tool) => tool.name === name);
    if (reader !== undefined)
      return this.#withNews(reader.run({ version: thread.version, state: thread.getState() }, input), {});
    const update = toolUpdate(thread.definition, { name, args: input }, this.#dialect);
    return this.#operation(update, { tool: name, input, call });
  }

  /**
   * Proposes a call that needs approval, for a host that asks a person before it makes the call.
   * Gives the question, or undefined when no person is needed: the call needs no approval, was
   * decided already, or is refused. Then `execute` gives the verdict.
   */
  async ask(name: string, input: unknown, call: AgentCall): Promise<OpenQuestion | undefined> {
    const { thread, actor, ended } = this;
    const update = toolUpdate(thread.definition, { name, args: input }, this.#dialect);
    if (ended !== undefined || !needsApproval(thread.definition, update.type, { actor, thread })) return undefined;
    const proposed = await proposeCall(thread, update, this.#submissionOf(update, call, true).options);
    if (proposed.proposal === undefined || !proposed.outcome.isOpen) return undefined;
    const { proposal } = proposed;
    return { proposal, question: proposalQuestion(thread.definition, proposal) };
  }

  /**
   * A person declined the call. Gives what became of it, which may be that it was approved before;
   * undefined when the log has no proposal of it. The result has no news: it is the same again.
   */
  async decline(name: string, input: unknown, call: AgentCall, message?: string): Promise<AgentResult | undefined> {
    const update = toolUpdate(this.thread.definition, { name, args: input }, this.#dialect);
    const { id } = this.#submissionOf(update, call, true).options;
    if (id === undefined || (await this.thread.proposal(id)) === undefined) return undefined;
    return this.execute(name, input, { ...call, answer: { type: "decline", ...defined({ message }) } });
  }

  async #operation(
    update: AnyOperation,
    { tool, input, call }: { readonly tool: string; readonly input: unknown; readonly call: AgentCall },
  ): Promise<AgentResult> {
    const { thread, actor } = this;
    const asks = call.propose === true || needsApproval(thread.definition, update.type, { actor, thread });
    const { options, key, complete } = this.#submissionOf(update, call, asks && call.answer !== undefined);
    const result = await submitOrAsk(
      {
        asks,
        sameId: (verdict) => (key === undefined ? sameIdVerdict(verdict, call.callId) : sameKeyVerdict(verdict, key)),
      },
      async () => ({ verdict: await thread.submit(update, options) }),
      () => this.#ask(update, options, { tool, input, call }),
    );
    complete();
    if ("pending" in result) {
      const { id: proposal, version: proposedAt } = result.pending;
      return this.#withNews(callText(this.#name, result, 0), { proposal: { id: proposal, proposedAt } });
    }
    const { verdict } = result;
    // The host puts a declined call's result into its history, where it must stay the same.
    const isDeclined = call.answer?.type === "decline";
    const times = verdict.accepted || isDeclined ? 0 : this.#refused.add(tool, input, verdict.rejection);
    const text = callText(this.#name, result, times);
    const more = defined({ verdict: keptVerdict(verdict), ended: this.ended });
    if (isDeclined) return { text, version: thread.version, news: "", ...more };
    return this.#withNews(text, more);
  }

  /** `isAsked`: a call that a host asks about has the same id when it is answered, and no key. */
  #submissionOf(update: AnyOperation, call: AgentCall, isAsked: boolean) {
    const { id, madeAt, key, complete } = this.#ids.of(update, call, !isAsked);
    const runId = call.runId ?? this.#options.runId;
    const options: DispatchOptions = defined({
      actor: this.actor,
      id,
      madeAt,
      runId: runId === undefined ? undefined : shortId(runId),
      toolCallId: call.callId === undefined ? undefined : shortId(call.callId),
      basedOn: Math.min(call.basedOn ?? this.#news.basisOf(call), this.thread.version),
    });
    return { options, key, complete };
  }

  async #ask(
    update: AnyOperation,
    options: DispatchOptions,
    { tool, input, call }: { readonly tool: string; readonly input: unknown; readonly call: AgentCall },
  ): Promise<CallResult> {
    const { thread } = this;
    const { approval = "propose" } = this.#options;
    const wasAsked = call.answer !== undefined && (await this.#isOpen(options.id));
    const proposed = await proposeCall(thread, update, options);
    if (proposed.proposal === undefined) return proposed;
    const { proposal, outcome } = proposed;
    if (!outcome.isOpen) return { verdict: outcome.verdict };
    if (approval === "propose") return { pending: proposal };
    const given = wasAsked ? call.answer : await approval.ask({ proposal, tool, input, signal: call.signal });
    if (given === undefined) return { pending: proposal };
    const { answer, problem } = readAnswer(given);
    if (answer === undefined) return { pending: proposal, note: `The answer was not used: ${problem}` };
    const who = typeof approval.decider === "function" ? await approval.decider(answer.type) : approval.decider;
    if (typeof who === "string") return { pending: proposal, note: who };
    const decider: Decider = "approve" in who ? who : { actor: who, approve: thread.approve, decline: thread.decline };
    return carryOut(answer, { thread, proposal, decider, onVerdict: () => {} });
  }

  /** Whether the log has an open proposal of this agent under the id. */
  async #isOpen(id: string | undefined): Promise<boolean> {
    const found = id === undefined ? undefined : await this.thread.proposal(id);
    return found?.status === "open" && sameActor(found.proposal.actor, this.actor);
  }

  async #withNews(text: string, more: Pick<AgentResult, "verdict" | "proposal" | "ended">): Promise<AgentResult> {
    const news = await this.#news.next();
    const all = news === "" ? text : `${text}\n${digestText({ name: this.#name, digest: news })}`;
    return { text: all, version: this.thread.version, news, ...more };
  }
}
