// Sends submissions to the server in order, one POST at a time. Queued submissions share a POST.
//
// Invariant: every submission gets a verdict, or the outbox reports a failure once and accepts no
// more. Then the session ends, and the replica sends its pending submissions again.

import type { RejectionCode, Verdict } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";
import { requestError } from "./request.ts";

export interface OutboxOptions {
  post(body: string): Promise<Response>;
  onVerdict(id: string, verdict: Verdict): void;
  onFailure(error: unknown): void;
  /** The newest confirmed version, for verdicts that the outbox makes itself. */
  version(): number;
}

interface QueuedSubmission {
  readonly submission: Submission;
  readonly text: string;
}

/** Submissions and characters of JSON per POST. */
const LIST_LIMIT = 100;
const TEXT_LIMIT = 100_000;

/** Statuses that are not the fault of the submission. The next session sends it again. */
const TEMPORARY = new Set([401, 408, 425, 429]);

export class Outbox {
  readonly #options: OutboxOptions;
  #queue: QueuedSubmission[] = [];
  #isSending = false;
  #hasFailed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  send(submission: Submission): void {
    if (this.#hasFailed) return;
    this.#queue.push({ submission, text: JSON.stringify(submission) });
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    try {
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
      // The server guarantees one verdict per submission, in order.
      const verdicts = (await response.json()) as readonly Verdict[];
      list.forEach(({ submission }, index) => {
        const verdict = verdicts[index];
        if (!verdict) throw new Error("The server sent fewer verdicts than it got submissions.");
        this.#options.onVerdict(submission.id, verdict);
      });
      return;
    }
    if (response.status >= 500 || TEMPORARY.has(response.status)) throw await requestError(response);
    const [only, ...others] = list;
    if (only && others.length === 0)
      return this.#options.onVerdict(
        only.submission.id,
        await refusalVerdict(response, only.submission, this.#options.version()),
      );
    // One submission made the server refuse the whole list. Send each one alone.
    for (const one of list) {
      await this.#sendList([one]);
    }
  }
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

/** The verdict for a submission that the server refused as a request, from the problem document. */
async function refusalVerdict(response: Response, { operation }: Submission, version: number): Promise<Verdict> {
  const problem: unknown = await response.json().catch(() => undefined);
  const code = CODES.get(response.status) ?? "refused";
  return {
    accepted: false,
    version,
    attempt: 1,
    rejection: {
      code,
      reason: stringMember(problem, "code") ?? `http_${response.status}`,
      message: stringMember(problem, "detail") ?? `The server answered with status ${response.status}.`,
      operation: { type: stringMember(operation, "type") ?? "$replace" },
    },
  };
}

function stringMember(value: unknown, name: string): string | undefined {
  const member: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === "string" ? member : undefined;
}
