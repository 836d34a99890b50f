// Requests of the rounds' clients.

import { setTimeout as delay } from "node:timers/promises";
import type { Recorder } from "./recorder.ts";
import type { RoundNode } from "./round-node.ts";

export interface Round {
  readonly nodes: readonly RoundNode[];
  readonly recorder: Recorder;
  /** Milliseconds after which an answer is not waited for. */
  readonly timeout: number;
}

export interface At {
  readonly client: string;
  readonly node: RoundNode;
  readonly thread: string;
}

/** `status` 0: there was no answer. `why` is for the record. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly why: string;
}

export async function ask(round: Round, at: At, method: string, path: string, body?: unknown): Promise<Answer> {
  try {
    const response = await fetch(`${at.node.url}/threads/${at.thread}${path}`, {
      method,
      headers: { authorization: at.client, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(round.timeout),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text), why: `${response.status} ${text.slice(0, 200)}` };
  } catch (error) {
    return { status: 0, why: String(error) };
  }
}

/** The body of a good answer. Asks again until there is one. */
export async function answered(
  round: Round,
  at: At,
  limit: AbortSignal,
  ...[method, path, body]: [method: string, path: string, body?: unknown]
): Promise<unknown> {
  for (;;) {
    const answer = await ask(round, at, method, path, body);
    if (answer.status === 200 || answer.status === 201) return answer.body;
    if (limit.aborted)
      throw new Error(`${method} ${at.thread}${path} at ${at.node.name} gets no good answer: ${answer.why}`);
    await delay(100);
  }
}
