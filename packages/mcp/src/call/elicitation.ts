// Approvals by hosts that the operator trusts to show a question to a person and to bring the
// answer back. The protocol of 2026-07-28 does it in two calls:
//
//   call               -> proposal in the log -> the question, and a state that is signed
//   call, answer, state -> approved or declined, by the person
//
// In a session of 2025 the SDK sends the question to the client, and makes the second call itself.
//
// Invariants:
// - An answer counts only with the state of its question: a view cannot make one up.
// - On every other host the proposal stays open, for a page.

import {
  createRequestStateCodec,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ApprovalAnswer } from "@opstate/agent";
import type { Actor } from "@opstate/core";
import { randomId, sameActor } from "@opstate/core/thread";

/** The person in whose name a trusted host of this actor approves; undefined: it is not trusted. */
export type ApprovedBy = (actor: Actor) => Actor | undefined;

/** The call that a question was about. */
interface QuestionedCall {
  readonly callId: string;
  readonly threadId: string;
  readonly actor: Actor;
}

/** The host can put a question about the call to a person, or brings the answer. */
export interface Elicited {
  readonly callId: string;
  /** Whether this call brings back what became of the question. */
  readonly isReply: boolean;
  readonly answer: ApprovalAnswer | undefined;
  readonly ask: (question: string) => Promise<InputRequiredResult>;
}

const KEY = "approve";
const DAY_S = 86_400;

export class Elicitation {
  readonly #approvedBy: ApprovedBy;
  /** Of this process: a question that another one signed is put again. */
  readonly #codec = createRequestStateCodec<QuestionedCall>({
    key: randomId() + randomId(),
    ttlSeconds: DAY_S,
  });

  constructor(approvedBy: ApprovedBy = () => undefined) {
    this.#approvedBy = approvedBy;
  }

  personOf(actor: Actor): Actor | undefined {
    return this.#approvedBy(actor);
  }

  /** For a client that can show a form. Undefined where the host is not trusted. */
  async of(
    request: ServerContext,
    about: Omit<QuestionedCall, "callId">,
    callId?: string,
  ): Promise<Elicited | undefined> {
    if (this.#approvedBy(about.actor) === undefined) return undefined;
    const questioned = await this.#questionedCall(request, about);
    const id = questioned?.callId ?? callId ?? randomId();
    return {
      callId: id,
      isReply: questioned !== undefined,
      answer: questioned && answerOf(request),
      ask: async (message) =>
        inputRequired({
          inputRequests: { [KEY]: inputRequired.elicit({ message, requestedSchema: questionSchema() }) },
          requestState: await this.#codec.mint({ ...about, callId: id }, request),
        }),
    };
  }

  async #questionedCall(
    request: ServerContext,
    about: Omit<QuestionedCall, "callId">,
  ): Promise<QuestionedCall | undefined> {
    const state = request.mcpReq.requestState();
    if (typeof state !== "string") return undefined;
    try {
      const questioned = await this.#codec.verify(state, request);
      return questioned.threadId === about.threadId && sameActor(questioned.actor, about.actor)
        ? questioned
        : undefined;
    } catch {
      return undefined;
    }
  }
}

function questionSchema(): ElicitRequestFormParams["requestedSchema"] {
  return {
    type: "object",
    properties: { approve: { type: "boolean", title: "Approve", description: "No declines it" } },
    required: ["approve"],
  };
}

/** Undefined when the person closed the question: the proposal stays open. */
function answerOf({ mcpReq }: ServerContext): ApprovalAnswer | undefined {
  const response = inputResponse(mcpReq.inputResponses, KEY);
  if (response.kind !== "elicit" || response.action === "cancel") return undefined;
  return { type: response.action === "accept" && response.content?.["approve"] === true ? "accept" : "decline" };
}
