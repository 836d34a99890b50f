// Requests that another node answers: those about runs, which are where they are executed.
//
//   client ─ this node ─ door ─ route ─┬─ here
//                                      └─ the same request, signed ─ that node ─ door ─ route
//
// Invariants:
// - What was passed on is not passed on again.
// - A request that begins something is sent once, but for an answer that says that nothing was
//   begun.
// - A node whose lease runs is waited for: without it nobody knows what there is.

import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "@opstate/core/json";
import { Problem } from "../http/problem.ts";
import type { OpenWork } from "../lifecycle/open-work.ts";
import type { LiveNode } from "../log/ownership.ts";
import type { Owners, RoutedThread } from "./owners.ts";
import { isAnswer, packRequest, unmarkAnswer } from "./passed-request.ts";
import { signedPost, type Target, Waiting } from "./signed-post.ts";

export interface OtherNodesOptions {
  readonly owners: Owners;
  readonly secrets: readonly [string, ...string[]];
  /** Milliseconds. */
  readonly lease: number;
  /** Milliseconds for a call of the log. */
  readonly logTimeout: number;
  /** Counts answers that have not ended. */
  readonly open: OpenWork;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

/** The request of a client, and its body, which was read. */
export interface PassedRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly body: string;
  /** Ends the answer early: its reader is to come back, elsewhere. */
  readonly until?: AbortSignal;
  /** Breaks the answer off, where its host can: what was sent of it is not all. */
  readonly breakOff?: (() => void) | undefined;
}

/** The path of the route, after the base path. */
export const PASSED = "/nodes/requests";

/** Milliseconds for the first bytes of an answer, at most. */
const LONG_TIMEOUT = 300_000;
/** Milliseconds beyond two leases until a node that cannot be reached is given up. */
const PATIENCE = 1_000;
/** Milliseconds between two attempts. */
const PAUSE = 50;

export class OtherNodes {
  readonly #options: OtherNodesOptions;

  constructor(options: OtherNodesOptions) {
    this.#options = options;
  }

  /**
   * The answer of the node that owns the thread. Undefined when that is this one. Rejects with a
   * Problem when it cannot be reached in time.
   */
  async ofOwner(thread: RoutedThread, passed: PassedRequest): Promise<Response | undefined> {
    const { owners } = this.#options;
    const until = this.#patience();
    for (;;) {
      const owner = await owners.ownerOf(thread);
      if (owner === undefined || owners.isOwn(owner)) return undefined;
      const answer = await this.#send(owner, passed);
      if (answer instanceof Response) return answer;
      owners.forget(thread, owner);
      if (answer === "unanswered" || performance.now() > until) throw unreachable(owner);
      await delay(PAUSE);
    }
  }

  /** The first answer of another node that is not 404, and undefined when there is none. */
  async find(passed: PassedRequest): Promise<Response | undefined> {
    for (const answer of await this.#ask(passed, ({ status }) => status !== 404))
      if (answer.status !== 404) return answer;
    return undefined;
  }

  /** What all others answer with 200, as JSON. */
  async all(passed: PassedRequest): Promise<readonly unknown[]> {
    const answers = await this.#ask(passed, () => false);
    return Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.json()));
  }

  /** Asks all others, one after the other, until an answer is enough. */
  async #ask(passed: PassedRequest, isEnough: (answer: Response) => boolean): Promise<readonly Response[]> {
    const { owners } = this.#options;
    await owners.join();
    const answers: Response[] = [];
    const asked = new Set<string>();
    for (let next = this.#next(asked); next !== undefined; next = this.#next(asked)) {
      const answer = await this.#reach(next, passed);
      asked.add(next.id);
      if (answer === undefined) continue;
      answers.push(answer);
      if (isEnough(answer)) break;
      // What was streamed and is not needed.
      if (!answer.ok) await answer.body?.cancel();
    }
    return answers;
  }

  #next(asked: ReadonlySet<string>): LiveNode | undefined {
    return this.#options.owners.others.find(({ id }) => !asked.has(id));
  }

  /** Undefined when it is gone. */
  async #reach(node: LiveNode, passed: PassedRequest): Promise<Response | undefined> {
    const { owners } = this.#options;
    const target = { node: node.id, address: node.address, epoch: 0 };
    const until = this.#patience();
    for (;;) {
      const answer = await this.#send(target, passed);
      if (answer instanceof Response) return answer;
      // It may have left.
      if (!(await owners.live()).has(node.id)) return undefined;
      if (performance.now() > until) throw unreachable(target);
      await delay(PAUSE);
    }
  }

  #patience(): number {
    return performance.now() + 2 * this.#options.lease + PATIENCE;
  }

  /**
   * `closed`: nobody listens there, or not for long, and nothing was begun. `unanswered`: what came
   * of it is not known.
   */
  async #send(target: Target, passed: PassedRequest): Promise<Response | "closed" | "unanswered"> {
    const { logTimeout, open, closing } = this.#options;
    const { request, requestId, until = closing } = passed;
    const end = open.begin();
    // Only for the first bytes: a run may take long.
    const waiting = new Waiting(this.#options, target, Math.min(logTimeout, LONG_TIMEOUT) + PATIENCE);
    let response: Response;
    try {
      response = await signedPost(this.#options, target, {
        path: PASSED,
        type: "application/octet-stream",
        body: packRequest(request, requestId, passed.body),
        signal: AbortSignal.any([waiting.signal, request.signal, closing, until]),
      });
    } catch (error) {
      end();
      return wasRefused(error) ? "closed" : "unanswered";
    } finally {
      waiting.close();
    }
    if (isAnswer(response) && response.status !== 503) return unmarkAnswer(response, bodyOf(response, passed, end));
    end();
    const body: unknown = await response.json().catch(() => undefined);
    const code = isObject(body) ? body["code"] : undefined;
    // Nothing was begun.
    if (response.status === 503) return "closed";
    if (code !== "node_refused") return "unanswered";
    throw new Problem(
      "log_unavailable",
      `The server at ${target.address} accepts nothing from this one. Give both the same \`node.secrets\`.`,
    );
  }
}

function unreachable({ address }: Target): Problem {
  return new Problem(
    "log_unavailable",
    `The server at ${address} cannot be reached. Whether it began what was requested is not known.`,
  );
}

function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ECONNREFUSED";
}

/** The same bytes. Calls back when there are no more, or nobody reads them any more. */
function bodyOf({ body }: Response, { until, breakOff }: PassedRequest, onOver: () => void): Response["body"] {
  if (body === null) {
    onOver();
    return null;
  }
  const reader = body.getReader();
  let isRead = true;
  return new ReadableStream({
    async pull(controller) {
      const next = await reader.read().catch(() => undefined);
      if (!isRead) return;
      if (next?.done === false) return controller.enqueue(next.value);
      onOver();
      const isWhole = next !== undefined || until?.aborted === true;
      if (isWhole) return controller.close();
      if (breakOff === undefined) return controller.error(new Error("The other server broke off its answer."));
      // An adapter would write the error into the answer.
      breakOff();
      controller.close();
    },
    cancel(reason) {
      isRead = false;
      onOver();
      return reader.cancel(reason);
    },
  });
}
