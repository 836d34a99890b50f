// The tool calls of a host that has a conversation, approvals and retries of its own. A host over
// it only translates: its calls into these, and results into its messages.
//
//   model's message ── call c1 ─┐
//                      call c2 ─┼─ queue, in call order ─> session ─> thread
//                      call c3 ─┘      (all chosen on one state)
//
//   needs approval:  ask ─> proposal ─ (a question to a person) ─ yes ─> run   ─> approved by them
//                                                                 no ──> declined
//
// Invariants:
// - Calls reach the thread in the order in which the host makes them, over HTTP too.
// - A person's approval counts only for a proposal that is in the log: one that was forged in a
//   conversation approves nothing.

import { defined, type Actor, type AnyDefinition } from "@opstate/core";
import type { ApprovalAnswer } from "../approval/answer.ts";
import type { Credentials } from "../approval/connection.ts";
import { deciderFor } from "../approval/decider.ts";
import { needsApproval } from "../approval/needs-approval.ts";
import {
  AgentSession,
  type AgentCall,
  type AgentResult,
  type AgentSessionOptions,
  type AgentTool,
  type OpenQuestion,
} from "./agent-session.ts";

export interface HostCallsOptions<D extends AnyDefinition = AnyDefinition> extends Omit<
  AgentSessionOptions<D>,
  "approval" | "callScope"
> {
  /**
   * The id of the conversation that the calls are in: one call has one effect in it, whichever
   * process makes it. Default: a new one.
   */
  readonly conversation?: string;
  /**
   * Who answers the host's questions: the person of this request, with the right to approve. Of a
   * thread in this process an actor, of one of a server their credentials. Needs a `conversation`.
   * Without it, calls that need approval become proposals.
   */
  readonly approver?: Actor | Credentials;
}

/** A call of the host. */
export interface HostCall {
  /** The same whenever the host makes this call again; unique in the conversation. */
  readonly callId: string;
  /** Names the model's message: its calls were chosen on one state. */
  readonly message: string;
  /** Which try of the message it is, for hosts that run one again under new call ids. */
  readonly attempt?: string | number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The calls of one agent on one thread, for a host with a conversation of its own.
 *
 * @example
 * ```ts
 * import { HostCalls } from "@opstate/agent";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const notes = defineState({
 *   name: "notes",
 *   schema: z.object({ lines: z.array(z.string()) }),
 *   initial: { lines: ["milk"] },
 *   operations: {
 *     clear: {
 *       input: z.object({}),
 *       approve: ["agent"],
 *       apply(draft) {
 *         draft.lines.splice(0);
 *       },
 *     },
 *   },
 * });
 * const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "demo" });
 * const actor = { kind: "agent", id: "planner" };
 * const calls = new HostCalls({ thread, actor, conversation: "chat-1", approver: { kind: "user", id: "ada" } });
 *
 * const call = { callId: "call-1", message: "1" };
 * const open = await calls.ask("clear", {}, call);
 * open !== undefined; // true: a question for Ada
 * const { text } = await calls.run("clear", {}, call); // she approved
 * text.includes("Approved by user"); // true
 * ```
 */
export class HostCalls {
  readonly session: AgentSession;
  readonly #canAsk: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #message: { readonly name: string; readonly attempt: string | number; readonly basedOn: number } | undefined;

  /** Throws a TypeError when `approver` has no `conversation`. */
  constructor({ conversation, approver, ...options }: HostCallsOptions) {
    if (approver !== undefined && conversation === undefined)
      throw new TypeError(
        "`approver` needs a `conversation`: the id of the chat or run that its calls are in, the same when it goes on after the answer.",
      );
    this.#canAsk = approver !== undefined;
    this.session = new AgentSession({
      ...options,
      ...defined({ callScope: conversation }),
      ...(approver === undefined
        ? {}
        : {
            approval: {
              ask: () => Promise.resolve(undefined),
              decider: (answer) => deciderFor(options.thread, approver, answer),
            },
          }),
    });
  }

  get tools(): readonly AgentTool[] {
    return this.session.tools;
  }

  /** Why the run has ended, for the person whose request it was. */
  get ended(): string | undefined {
    return this.session.ended;
  }

  /**
   * Before the host makes a call: what to ask a person, or undefined when the call can be made.
   * The same call again finds its proposal.
   */
  ask(name: string, input: unknown, call: HostCall): Promise<OpenQuestion | undefined> {
    if (!this.#canAsk) return Promise.resolve(undefined);
    return this.#inTurn(name, call, (agentCall) => this.session.ask(name, input, agentCall));
  }

  /** Makes a call. One with an open question is approved by the `approver`. */
  run(name: string, input: unknown, call: HostCall): Promise<AgentResult> {
    const answer: ApprovalAnswer | undefined = this.#canAsk ? { type: "accept" } : undefined;
    return this.#inTurn(name, call, (agentCall) => this.session.execute(name, input, { ...agentCall, answer }));
  }

  /**
   * A person declined the call. The result is what became of it in the thread, where it may have
   * been approved meanwhile; undefined when the thread has no proposal of it.
   */
  declined(name: string, input: unknown, call: HostCall, message?: string): Promise<AgentResult | undefined> {
    return this.#inTurn(name, call, (agentCall) => this.session.decline(name, input, agentCall, message));
  }

  /** What is called first is carried out first. A failure fails its own call alone. */
  #inTurn<Result>(
    name: string,
    { callId, message, attempt, signal }: HostCall,
    make: (call: AgentCall) => Promise<Result>,
  ): Promise<Result> {
    // A call id is unique without its message, which a host may count anew after a restart.
    const step = this.#hasKey(name) ? message : undefined;
    const call: AgentCall = { callId, step, attempt, signal, basedOn: this.#basisOf(message, attempt) };
    const made = this.#last.then(() => make(call));
    this.#last = made.catch(() => {});
    return made;
  }

  /** Whether the operation says what makes two calls one. One with a question keeps its id. */
  #hasKey(name: string): boolean {
    const { thread, actor } = this.session;
    const operation = this.tools.find((tool) => tool.name === name)?.operation;
    if (operation === undefined || thread.definition.model.operations.get(operation)?.once === undefined) return false;
    return !(this.#canAsk && needsApproval(thread.definition, operation, { actor, thread }));
  }

  #basisOf(message: string, attempt: string | number = ""): number {
    if (this.#message?.name !== message || this.#message.attempt !== attempt)
      this.#message = { name: message, attempt, basedOn: this.session.seen };
    return this.#message.basedOn;
  }
}
