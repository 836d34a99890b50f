// Submissions on their way to the server: in order, one POST at a time, those that wait together in
// one.
//
// Invariant: every submission ends with a verdict, or the outbox reports failure once and takes no
// more: then its session ends and the replica sends again what is pending.

import type { RejectionCode, Verdict } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";
import { requestError } from "./request.ts";

export interface OutboxOptions {
  post(body: string): Promise<Response>;
  onVerdict(id: string, verdict: Verdict): void;
  onFailure(error: unknown): void;
  /** The newest confirmed version, for verdicts that are made here. */
  version(): number;
}

export interface Outbox {
  send(submission: Submission): void;
}

interface Waiting {
  readonly submission: Submission;
  readonly text: string;
}

const LIST_LIMIT = 100;
const TEXT_LIMIT = 100_000;

/** Not the submission's fault: log in again, wait, retry. */
const TEMPORARY = new Set([401, 408, 425, 429]);

export function createOutbox(options: OutboxOptions): Outbox {
  let queue: Waiting[] = [];
  let sending = false;
  let failed = false;

  async function sendAll(): Promise<void> {
    sending = true;
    try {
      while (queue.length > 0) {
        const list = takeList(queue);
        queue = queue.slice(list.length);
        await sendList(list);
      }
    } catch (error) {
      failed = true;
      options.onFailure(error);
    }
    sending = false;
  }

  async function sendList(list: readonly Waiting[]): Promise<void> {
    const response = await options.post(`[${list.map(({ text }) => text).join(",")}]`);
    if (response.ok) {
      // The server's promise: one verdict for each submission, in order.
      const verdicts = (await response.json()) as readonly Verdict[];
      list.forEach(({ submission }, index) => {
        const verdict = verdicts[index];
        if (!verdict) throw new Error("The server left out a verdict.");
        options.onVerdict(submission.id, verdict);
      });
      return;
    }
    if (response.status >= 500 || TEMPORARY.has(response.status)) throw await requestError(response);
    const [only, ...others] = list;
    if (only && others.length === 0)
      return options.onVerdict(only.submission.id, await refusal(response, only.submission, options.version()));
    // One of them made the server refuse the whole list: each for itself.
    for (const one of list) {
      await sendList([one]);
    }
  }

  return {
    send(submission) {
      if (failed) return;
      queue.push({ submission, text: JSON.stringify(submission) });
      if (!sending) void sendAll();
    },
  };
}

function takeList(queue: readonly Waiting[]): readonly Waiting[] {
  let length = 0;
  const end = queue
    .slice(0, LIST_LIMIT)
    .findIndex(({ text }, index) => (length += text.length) > TEXT_LIMIT && index > 0);
  return queue.slice(0, end === -1 ? LIST_LIMIT : end);
}

const CODES = new Map<number, RejectionCode>([
  [403, "forbidden"],
  [413, "too_large"],
]);

/** The verdict for a submission that the server's door turned away, from the problem document. */
async function refusal(response: Response, { operation }: Submission, version: number): Promise<Verdict> {
  const problem: unknown = await response.json().catch(() => undefined);
  const code = CODES.get(response.status) ?? "refused";
  return {
    accepted: false,
    version,
    attempt: 1,
    rejection: {
      code,
      reason: textMember(problem, "code") ?? `http_${response.status}`,
      message: textMember(problem, "detail") ?? `The server answered ${response.status}.`,
      operation: { type: textMember(operation, "type") ?? "$replace" },
    },
  };
}

function textMember(value: unknown, name: string): string | undefined {
  const member: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === "string" ? member : undefined;
}
