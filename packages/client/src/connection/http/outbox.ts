// Sends submissions of all threads to the server in order, one POST at a time. Queued submissions
// share a POST.
//
// Invariant: every submission gets a verdict, or its thread is reported to have a problem, or the
// outbox reports a failure once and accepts no more. The replica then sends what it waits for
// again.

import type { RejectionCode, Verdict } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";
import { isTemporary, problemError, RequestError, requestError } from "./request.ts";

export interface OutboxOptions {
  /** `submissions`: a list, as JSON. */
  post(submissions: string): Promise<Response>;
  onVerdict(threadId: string, id: string, verdict: Verdict): void;
  /** The thread took nothing: not the fault of a submission. */
  onProblem(threadId: string, error: RequestError): void;
  onFailure(error: unknown): void;
  /** The newest confirmed version, for verdicts that the outbox makes itself. */
  version(threadId: string): number;
}

interface QueuedSubmission {
  readonly threadId: string;
  readonly submission: Submission;
  readonly text: string;
}

/** Submissions and characters of JSON per POST. */
const LIST_LIMIT = 100;
const TEXT_LIMIT = 100_000;

/** The credentials are another actor's now: the session is over, and nothing of it was accepted. */
const OTHER_ACTOR = "other_actor";

export class Outbox {
  readonly #options: OutboxOptions;
  #queue: QueuedSubmission[] = [];
  #isSending = false;
  #hasFailed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  send(threadId: string, submission: Submission): void {
    if (this.#hasFailed) return;
    this.#queue.push({ threadId, submission, text: JSON.stringify({ thread: threadId, ...submission }) });
    if (!this.#isSending) void this.#sendAll();
  }

  /** Forgets what was not sent of a thread: it begins again, and sends it again. */
  drop(threadId: string): void {
    this.#queue = this.#queue.filter((queued) => queued.threadId !== threadId);
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    try {
      // What is submitted in the same turn shares the first POST.
      await Promise.resolve();
      while (this.#queue.length > 0) {
        const list = takeList(this.#queue);
        this.#queue = this.#queue.slice(list.length);
        await this.#sendList(list);
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#options.onFailure(error);
    }
    this.#isSending = false;
  }

  async #sendList(list: readonly QueuedSubmission[]): Promise<void> {
    const response = await this.#options.post(`[${list.map(({ text }) => text).join(",")}]`);
    if (response.ok) {
      // The server guarantees one answer per submission, in order.
      const answers = (await response.json()) as readonly (Verdict | { readonly problem: object })[];
      for (const [index, queued] of list.entries()) {
        const answer = answers[index];
        if (!answer) throw new Error("Too few verdicts.");
        this.#take(queued, answer);
      }
      return;
    }
    const error = await requestError(response);
    if (!isItsFault(error) || error.code === OTHER_ACTOR) throw error;
    const [only, ...others] = list;
    if (only && others.length === 0) return this.#refuse(only, error);
    // One submission made the server refuse the whole list. Send each one alone.
    for (const one of list) await this.#sendList([one]);
  }

  #take(queued: QueuedSubmission, answer: Verdict | { readonly problem: object }): void {
    if (!("problem" in answer)) return this.#options.onVerdict(queued.threadId, queued.submission.id, answer);
    const status: unknown = Reflect.get(answer.problem, "status");
    const error = problemError(answer.problem, typeof status === "number" ? status : 500);
    if (isItsFault(error)) return this.#refuse(queued, error);
    this.drop(queued.threadId);
    this.#options.onProblem(queued.threadId, error);
  }

  #refuse({ threadId, submission }: QueuedSubmission, error: RequestError): void {
    const version = this.#options.version(threadId);
    this.#options.onVerdict(threadId, submission.id, refusalVerdict(error, submission, version));
  }
}

/** Whether the submission is what was refused: not who sends it, when, or to what thread. */
function isItsFault(error: RequestError): boolean {
  return error.status !== 401 && error.status !== 404 && !isTemporary(error);
}

function takeList(queue: readonly QueuedSubmission[]): readonly QueuedSubmission[] {
  let length = 0;
  const end = queue
    .slice(0, LIST_LIMIT)
    .findIndex(({ text }, index) => (length += text.length) > TEXT_LIMIT && index > 0);
  return queue.slice(0, end === -1 ? LIST_LIMIT : end);
}

/** Rejection codes by status. */
const CODES = new Map<number, RejectionCode>([
  [403, "forbidden"],
  [413, "too_large"],
]);

/** The verdict for a submission that the server refused as a request. */
function refusalVerdict(error: RequestError, { operation }: Submission, version: number): Verdict {
  const type: unknown =
    typeof operation === "object" && operation !== null ? Reflect.get(operation, "type") : undefined;
  return {
    accepted: false,
    version,
    attempt: 1,
    rejection: {
      code: CODES.get(error.status) ?? "refused",
      reason: error.code,
      message: error.message,
      operation: { type: typeof type === "string" ? type : "$replace" },
    },
  };
}
